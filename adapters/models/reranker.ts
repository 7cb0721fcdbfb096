import { createHttpReranker } from './reranker-http.ts';
import { createLocalReranker } from './reranker-local.ts';

export interface RerankOptions {
  signal?: AbortSignal | undefined;
  /** Number of best documents to score; the rest may have no score. Default: all. */
  topN?: number | undefined;
}

/** Scores how well each document answers a query, by reading both together. */
export interface Reranker {
  /** Identifies the model: another id may give another order. */
  readonly id: string;
  /**
   * One score per document, in their order; higher is better, −Infinity where the reranker gave none. Comparable
   * within one call only.
   * @throws {AppError} SERVICE_UNAVAILABLE when it cannot be used or does not answer in time; the signal's reason when aborted.
   */
  rerank(query: string, documents: readonly string[], options?: RerankOptions): Promise<number[]>;
  /** Frees its resources. Idempotent. */
  close(): Promise<void>;
}

export interface RerankerConfig {
  RERANKER_ENABLED: boolean;
  RERANKER_URL?: string | undefined;
  RERANKER_API_KEY?: string | undefined;
  RERANKER_MODEL?: string | undefined;
  RERANKER_MODEL_DIR?: string | undefined;
}

/** The configured reranker, or null. A server takes precedence over a local model. */
export function createReranker(config: RerankerConfig): Reranker | null {
  if (!config.RERANKER_ENABLED) return null;
  const url = config.RERANKER_URL?.trim();
  if (url) return createHttpReranker({ url, apiKey: config.RERANKER_API_KEY, model: config.RERANKER_MODEL });
  const dir = config.RERANKER_MODEL_DIR?.trim();
  return dir && dir !== 'none' ? createLocalReranker({ dir }) : null;
}
