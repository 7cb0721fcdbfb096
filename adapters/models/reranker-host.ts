/**
 * The process that holds a cross-encoder (forked by reranker-local.ts, one argument: its settings as JSON). Why a
 * process of its own: see embedder-host.ts.
 */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

export interface RerankHostSettings {
  dir: string;
  threads: number;
  niceness: number;
  maxTokens: number;
}

export interface RerankHostRequest {
  id: number;
  query: string;
  document: string;
}

export type RerankHostReply =
  | { type: 'ready' }
  | { type: 'unreadable'; message: string }
  | { type: 'score'; id: number; score: number }
  | { type: 'failed'; id: number; message: string };

const settings = JSON.parse(process.argv[2] ?? '{}') as RerankHostSettings;
/** A caller that is gone is no error: `disconnect` ends this process. */
const reply = (message: RerankHostReply): void => void process.send?.(message, () => {});
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function load() {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(settings.dir, 'tokenizer.json'), 'utf8')), {});
  const session = await InferenceSession.create(join(settings.dir, 'model.onnx'), {
    intraOpNumThreads: settings.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });

  return async (query: string, document: string): Promise<number> => {
    const { ids, types } = pairOf(tokenizer, query, document);
    const feeds: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const values = name === 'input_ids' ? ids : name === 'token_type_ids' ? types : ids.map(() => 1);
      feeds[name] = new Tensor('int64', BigInt64Array.from(values, BigInt), [1, ids.length]);
    }
    const output = (await session.run(feeds))[session.outputNames[0] ?? 'logits'];
    if (output === undefined || !(output.data instanceof Float32Array) || output.data.length === 0) {
      throw new Error('the model gave no float output');
    }
    // One logit is the score itself; of two classes the second one means "relevant".
    const { data } = output;
    return sigmoid(data.length === 1 ? data[0]! : data[data.length - 1]! - data[0]!);
  };
}

/** Both texts as the tokenizer joins them. The document is cut, never the query's end marks: its last token closes the pair. */
function pairOf(tokenizer: Tokenizer, query: string, document: string): { ids: number[]; types: number[] } {
  const { ids, token_type_ids: types } = tokenizer.encode(query, { text_pair: document, return_token_type_ids: true });
  if (ids.length <= settings.maxTokens) return { ids, types };
  const keep = settings.maxTokens - 1;
  return { ids: [...ids.slice(0, keep), ids.at(-1)!], types: [...types.slice(0, keep), types.at(-1)!] };
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});
try {
  setPriority(0, settings.niceness);
} catch {
  // Not permitted here: only a courtesy.
}
try {
  const score = await load();
  process.on('message', ({ id, query, document }: RerankHostRequest) => {
    score(query, document).then(
      (value) => reply({ type: 'score', id, score: value }),
      (error: unknown) => reply({ type: 'failed', id, message: messageOf(error) }),
    );
  });
  reply({ type: 'ready' });
} catch (error) {
  reply({ type: 'unreadable', message: messageOf(error) });
  process.disconnect?.();
}
