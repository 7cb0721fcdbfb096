/**
 * The process that holds the model (forked by embedder.ts, one argument: its settings as JSON).
 *
 * Why a process of its own: onnxruntime's `run` blocks the event loop of its thread (8 to 250 ms a text), a native
 * crash must not take the caller along, and only the end of a process gives the model's memory back (measured: a
 * worker thread's end left 100 to 200 MB behind).
 */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';

export interface HostSettings {
  dir: string;
  threads: number;
  /** Unix nice value, so that Postgres, Temporal and the API go first. */
  niceness: number;
  pooling: 'cls' | 'mean';
  maxTokens: number;
}

export interface HostRequest {
  id: number;
  text: string;
}

export type HostReply =
  | { type: 'ready' }
  | { type: 'unreadable'; message: string }
  | { type: 'vector'; id: number; vector: Float32Array }
  | { type: 'failed'; id: number; message: string };

const settings = JSON.parse(process.argv[2] ?? '{}') as HostSettings;
/** A caller that is gone is no error: `disconnect` ends this process. */
const reply = (message: HostReply): void => void process.send?.(message, () => {});
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function load() {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(settings.dir, 'tokenizer.json'), 'utf8')), {});
  const session = await InferenceSession.create(join(settings.dir, 'model.onnx'), {
    intraOpNumThreads: settings.threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The arena keeps the memory of the longest text ever seen; without it speed was the same.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });

  return async (text: string): Promise<Float32Array> => {
    let ids = tokenizer.encode(text).ids;
    if (ids.length > settings.maxTokens) {
      const separator = ids[ids.length - 1] ?? 0;
      ids = [...ids.slice(0, settings.maxTokens - 1), separator];
    }
    const shape = [1, ids.length];
    const feeds: Record<string, Tensor> = {};
    for (const name of session.inputNames) {
      const data =
        name === 'input_ids' ? BigInt64Array.from(ids, BigInt) : new BigInt64Array(ids.length).fill(name === 'attention_mask' ? 1n : 0n);
      feeds[name] = new Tensor('int64', data, shape);
    }
    const output = (await session.run(feeds))[session.outputNames[0] ?? 'last_hidden_state'];
    if (output === undefined || !(output.data instanceof Float32Array)) throw new Error('the model gave no float output');
    return normalise(pool(output.data, ids.length, output.dims[2] ?? output.data.length / ids.length));
  };
}

function pool(hidden: Float32Array, tokens: number, width: number): Float32Array {
  if (settings.pooling === 'cls') return hidden.slice(0, width);
  const mean = new Float32Array(width);
  for (let t = 0; t < tokens; t++) for (let i = 0; i < width; i++) mean[i]! += hidden[t * width + i]! / tokens;
  return mean;
}

function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square) || 1;
  return vector.map((value) => value / norm);
}

process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group; the parent decides when this process ends.
process.on('SIGINT', () => {});
try {
  setPriority(0, settings.niceness);
} catch {
  // Not permitted here: only a courtesy.
}
try {
  const embed = await load();
  process.on('message', ({ id, text }: HostRequest) => {
    embed(text).then(
      (vector) => reply({ type: 'vector', id, vector }),
      (error: unknown) => reply({ type: 'failed', id, message: messageOf(error) }),
    );
  });
  reply({ type: 'ready' });
} catch (error) {
  reply({ type: 'unreadable', message: messageOf(error) });
  process.disconnect?.();
}
