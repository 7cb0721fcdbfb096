/**
 * Trains engines/classifier/models.json from the examples beside it, with the configured embedding model:
 *   node scripts/train-signals.ts [--held-out FILE] [--hash]
 * Run it when the examples, the cues or the sentiment words change, and commit the result. When the examples change, run
 * scripts/train-encoder.py before; its held-out.json says on which files regularisation, calibration and the weights of
 * classifier and encoder are chosen. Without it those of the present models.json are kept.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createEmbedder } from '../adapters/models/open.ts';
import { encoderFacts } from '../adapters/models/encoder.ts';
import { blendOf, calibrationError, type Unseen } from '../engines/classifier/blend.ts';
import { aspects, labelsOf, scoresIn, type Aspect } from '../engines/classifier/encoded.ts';
import { learn, type Blend, type Example, type Learnt } from '../engines/classifier/learn.ts';
import { scoresOf, softmax } from '../engines/classifier/logistic.ts';
import {
  examplesHash,
  modelsFile,
  pack,
  readExamples,
  scalesOf,
  shipped,
  type Kind,
  type Models,
  type ShippedExample,
} from '../engines/classifier/shipped.ts';
import { seen } from '../engines/classifier/views.ts';
import { readConfig } from '../platform/config.ts';
import { acquireEmbeddingModel, cacheFolder } from '../platform/embedded/parts.ts';

const { values } = parseArgs({ options: { 'held-out': { type: 'string' }, hash: { type: 'boolean' } } });
if (values.hash) {
  console.log(examplesHash());
  process.exit();
}

const config = readConfig(process.env);
const { dir } = await acquireEmbeddingModel({ cacheDir: cacheFolder(config) });
const embedder = createEmbedder({ ...config, EMBEDDING_MODEL_DIR: config.EMBEDDING_MODEL_DIR ?? dir ?? undefined });
if (!embedder) throw new Error('An embedding model is needed (EMBEDDING_MODEL_DIR).');
const examples = readExamples();
const vectors = await embedder.embed(
  examples.map(({ text }) => text),
  { priority: 'batch' },
);
const vectorOf = new Map(examples.map(({ text }, i) => [text, vectors[i]!]));

const asked = (own: readonly ShippedExample[], aspect: Aspect): Example[] =>
  own.map((example) => ({
    text: example.text,
    context: example.context,
    vector: vectorOf.get(example.text)!,
    label: example[aspect],
  }));

interface Choice {
  l2: number;
  blend: Blend;
}

/** Chooses by files that neither classifier nor encoder learnt from. */
async function chosen(file: string): Promise<Record<Kind, Record<Aspect, Choice>>> {
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { file: string; text: string; scores: number[] }[];
  const encoded = new Map(rows.map(({ text, scores }) => [text, Float32Array.from(scores)]));
  const files = new Set(rows.map((row) => row.file));
  const rest = examples.filter((example) => !files.has(example.file));
  const unseen = examples.filter(({ text }) => encoded.has(text));
  console.log(`${rest.length} examples learnt, ${unseen.length} of ${files.size} files held out`);
  const choices = {} as Record<Kind, Record<Aspect, Choice>>;
  for (const kind of ['vector', 'plain'] as const) {
    choices[kind] = {} as Record<Aspect, Choice>;
    for (const aspect of aspects) {
      const tried: { l2: number; rows: Unseen[]; right: number }[] = [];
      // Chosen with vectors, and used without.
      for (const l2 of kind === 'vector' ? [3e-5, 1e-4, 3e-4] : [choices.vector[aspect].l2]) {
        const learnt = await learn(asked(rest, aspect), { scales: scalesOf[kind], l2 });
        const own = asked(unseen, aspect).map((example) => ({
          own: scoresOf(learnt.model, seen(example, learnt.vocabulary, learnt.scales)),
          encoder: scoresIn(encoded.get(example.text)!, aspect),
          label: learnt.labels.indexOf(example.label),
        }));
        tried.push({ l2, rows: own, right: rightOf(own, { own: 1, encoder: 0 }) });
      }
      const best = tried.reduce((a, b) => (b.right > a.right ? b : a));
      const blend = blendOf(best.rows);
      choices[kind][aspect] = { l2: best.l2, blend };
      tell(kind, aspect, best, blend, tried);
    }
  }
  return choices;
}

const shareOf = ({ own, encoder }: Unseen, weights: Omit<Blend, 'alone'>): Float64Array =>
  softmax(own.map((score, c) => score * weights.own + encoder![c]! * weights.encoder));
const highest = (shares: Float64Array): number => shares.indexOf(Math.max(...shares));
const rightOf = (rows: readonly Unseen[], weights: Omit<Blend, 'alone'>): number =>
  rows.filter((row) => highest(shareOf(row, weights)) === row.label).length / rows.length;

function tell(kind: Kind, aspect: Aspect, best: { l2: number; rows: Unseen[] }, { alone, own, encoder }: Blend, tried: object[]): void {
  const errors = (weights: Omit<Blend, 'alone'>): string => {
    const told = best.rows.map((row) => {
      const shares = shareOf(row, weights);
      return { confidence: Math.max(...shares), right: highest(shares) === row.label };
    });
    return `${rightOf(best.rows, weights).toFixed(3)} (ECE ${calibrationError(told).toFixed(3)})`;
  };
  const rights = (tried as { l2: number; right: number }[]).map(({ l2, right }) => `${l2}: ${right.toFixed(3)}`).join(', ');
  console.log(
    `${kind} ${aspect}: by l2 ${rights}; as trained ${errors({ own: 1, encoder: 0 })}, calibrated ${errors({ own: alone, encoder: 0 })}, ` +
      `encoder alone ${errors({ own: 0, encoder: 1 })}, both ${errors({ own, encoder })}; weights ${alone}, ${own}, ${encoder}`,
  );
  if (aspect !== 'severity') return;
  const levels = ['none', 'low', 'medium', 'high', 'critical'];
  const near = (weights: Omit<Blend, 'alone'>): number =>
    best.rows.filter((row) => {
      const [told, right] = [highest(shareOf(row, weights)), row.label].map((c) => levels.indexOf(labelsOf.severity[c]!));
      return Math.abs(told! - right!) <= 1;
    }).length / best.rows.length;
  console.log(
    `  severity within a step: classifier ${near({ own: alone, encoder: 0 }).toFixed(3)}, both ${near({ own, encoder }).toFixed(3)}`,
  );
}

function kept(): Record<Kind, Record<Aspect, Choice>> {
  const of = (kind: Kind) =>
    Object.fromEntries(
      aspects.map((aspect) => [aspect, { l2: shipped().kinds[kind][aspect].l2!, blend: shipped().kinds[kind][aspect].blend! }]),
    );
  return { vector: of('vector'), plain: of('plain') } as Record<Kind, Record<Aspect, Choice>>;
}

const choices = values['held-out'] === undefined ? kept() : await chosen(values['held-out']);
async function modelsOf(kind: Kind): Promise<Models> {
  const models = {} as Record<Aspect, Learnt>;
  for (const aspect of aspects) {
    const { l2, blend } = choices[kind][aspect];
    models[aspect] = { ...(await learn(asked(examples, aspect), { scales: scalesOf[kind], l2 })), l2, blend };
  }
  return models;
}

const kinds = { vector: await modelsOf('vector'), plain: await modelsOf('plain') };
writeFileSync(modelsFile, pack({ examples: examplesHash(), model: embedder.id, encoder: encoderFacts().id, kinds }));
console.log(`${examples.length} examples, ${embedder.id}`);
await embedder.close();
