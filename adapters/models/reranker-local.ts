import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { modelPool, unavailableModel } from './model-process.ts';
import type { Reranker } from './reranker.ts';

export interface LocalRerankerOptions {
  /** Folder with `model.onnx` and `tokenizer.json` of a cross-encoder. */
  dir: string;
  /** Milliseconds without work after which the model's process ends. Default 5 minutes. */
  idleMs?: number;
  /** Timeout of a call including loading the model, in ms. Default 20,000. */
  timeoutMs?: number;
}

/** Far more than 512 tokens; keeps tokenising bounded. A query is cut so that room is left for the document. */
const maxDocument = 16_384;
const maxQuery = 1_000;

/**
 * A cross-encoder in a separate process. Creation reads no files. Calls run one after the other: a pair takes 10 to 50
 * CPU-ms, so concurrent calls would all be late.
 */
export function createLocalReranker({ dir, idleMs, timeoutMs = 20_000 }: LocalRerankerOptions): Reranker {
  const unavailable = unavailableModel(
    `The reranker in RERANKER_MODEL_DIR (${dir})`,
    'Point RERANKER_MODEL_DIR at a folder with model.onnx and tokenizer.json of a cross-encoder, or unset it.',
  );
  const file = new URL('./reranker-host.ts', import.meta.url);
  const pool = modelPool<{ query: string; document: string }, number>({ file, size: 1, dir, idleMs, unavailable });
  return {
    get id() {
      // Modification time and size are a sufficient identity for a cache of a few minutes.
      const stat = statSync(join(dir, 'model.onnx'), { throwIfNoEntry: false });
      return `${basename(dir)}@${stat ? `${stat.size}-${Math.trunc(stat.mtimeMs)}` : 'absent'}`;
    },
    async rerank(query, documents, { signal } = {}) {
      if (documents.length === 0) return [];
      const deadline = AbortSignal.timeout(timeoutMs);
      const pairs = documents.map((document) => ({ query: query.slice(0, maxQuery), document: document.slice(0, maxDocument) }));
      try {
        return await pool.runAll(pairs, signal ? AbortSignal.any([signal, deadline]) : deadline);
      } catch (error) {
        if (signal?.aborted) throw signal.reason as Error;
        if (deadline.aborted) throw unavailable(`${documents.length} passages took longer than ${timeoutMs} ms`);
        throw error;
      }
    },
    close: () => pool.close(),
  };
}
