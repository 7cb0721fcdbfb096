import type { Database } from '../postgres/database.ts';

/** Filter for passages. */
export interface PassageFilter {
  tenant: string;
  /** One number per knowledge base. */
  scopes: number[];
  /** Only vectors of this model are compared. */
  model: string;
  /** Documents to exclude: building, replaced, or being deleted. */
  hidden: string[];
  /** Undefined: any source. */
  sources?: string[] | undefined;
  hasCode?: boolean | undefined;
}

/** A query for the passages nearest to a vector. */
export interface NearestQuery extends PassageFilter {
  vector: Float32Array;
  limit: number;
  /** Number of passages in the scopes; decides whether an exact comparison is cheap enough. */
  chunks: number;
  /** Undefined: any document that is not hidden. */
  documents?: string[] | undefined;
}

/** A passage and its cosine similarity, −1 to 1. */
export interface Near {
  /** Id of the chunk. */
  id: string;
  score: number;
}

/** A store that finds passages by vector. */
export interface VectorStore {
  readonly name: 'pgvector' | 'qdrant';
  /**
   * Nearest first, ties by id. The store applies filters and tenant itself.
   * @param query runs in the search's transaction; a store outside Postgres does not use it
   * @throws AppError SERVICE_UNAVAILABLE when the store cannot be reached
   */
  nearest(wanted: NearestQuery, query: Database['query']): Promise<Near[]>;
}

/** A passage in a store outside Postgres. */
export interface VectorPoint {
  /** Id of the chunk: a number up to 2^53. */
  id: string;
  scope: number;
  documentId: string;
  sourceId: string;
  hasCode: boolean;
  vector: number[];
  /** How often each term occurs in the passage. */
  terms: [term: string, times: number][];
  /** Length of the passage in terms. */
  length: number;
}

/** A query for passages by words. */
export interface TermsQuery extends PassageFilter {
  /** Each with its number of occurrences in the query. */
  terms: ReadonlyMap<string, number>;
  limit: number;
}

/** A found passage with its document. */
export interface Found extends Near {
  documentId: string;
}

/**
 * A copy of one model's vectors outside Postgres. It can be rebuilt from the chunks. Writes are visible when they
 * return, and are idempotent. All methods throw AppError SERVICE_UNAVAILABLE when the store cannot be reached or
 * refuses.
 */
export interface ProjectedVectors extends VectorStore {
  readonly model: string;
  /** The outbox follower whose cursors belong to this copy. */
  readonly follower: string;
  nearest(wanted: NearestQuery): Promise<Found[]>;
  /** BM25 with the statistics of the tenant's scopes and a fixed typical length; best first, ties by id. */
  byTerms(wanted: TermsQuery): Promise<Found[]>;
  /** False: never created, or wiped. */
  exists(): Promise<boolean>;
  /**
   * Creates whatever is missing.
   * @throws AppError CONFLICT when a collection of this name has other dimensions
   */
  ensure(): Promise<void>;
  upsert(tenant: string, points: VectorPoint[]): Promise<void>;
  removeDocuments(tenant: string, ids: string[]): Promise<void>;
  removeTenant(tenant: string): Promise<void>;
  /**
   * @param tenant undefined: all.
   * @returns passages
   */
  count(tenant?: string): Promise<number>;
  /**
   * The documents of some passages, in the order of passages, so that one may occur again on the next page.
   * @param cursor `next` of the previous page, null for the first
   */
  documents(tenant: string, cursor: string | null): Promise<{ ids: string[]; next: string | null }>;
  /** @throws AppError SERVICE_UNAVAILABLE when it does not answer, or refuses the key */
  health(): Promise<void>;
  close(): Promise<void>;
}
