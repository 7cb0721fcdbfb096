import type { Database } from '../postgres/database.ts';

/** Asks for the passages nearest to a vector. */
export interface NearestQuery {
  tenant: string;
  /** One number per knowledge base. */
  scopes: number[];
  /** Only vectors of this model are compared. */
  model: string;
  vector: Float32Array;
  limit: number;
  /** Documents whose passages must not be found: being built, replaced, being deleted. */
  hidden: string[];
  /** How many passages the scopes have; decides whether an exact comparison is cheap enough. */
  chunks: number;
  /** Undefined: of any source. */
  sources?: string[] | undefined;
  hasCode?: boolean | undefined;
}

/** A passage and its cosine similarity, −1 to 1. */
export interface Near {
  /** Id of the chunk. */
  id: string;
  score: number;
}

/** Where passages are found by their meaning. */
export interface VectorStore {
  readonly name: 'pgvector' | 'qdrant';
  /**
   * Nearest first, ties by id. Filters and tenant hold inside the store, not afterwards.
   * @param query runs in the search's own transaction; a store outside Postgres does not use it
   * @throws AppError SERVICE_UNAVAILABLE when the store cannot be reached
   */
  nearest(wanted: NearestQuery, query: Database['query']): Promise<Near[]>;
}
