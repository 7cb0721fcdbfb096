import type { Database } from '../postgres/database.ts';

/** Which passages a search may find. */
export interface PassageFilter {
  tenant: string;
  /** One number per knowledge base. */
  scopes: number[];
  /** Only vectors of this model are compared. */
  model: string;
  /** Documents whose passages must not be found: being built, replaced, being deleted. */
  hidden: string[];
  /** Undefined: of any source. */
  sources?: string[] | undefined;
  hasCode?: boolean | undefined;
}

/** Asks for the passages nearest to a vector. */
export interface NearestQuery extends PassageFilter {
  vector: Float32Array;
  limit: number;
  /** How many passages the scopes have; decides whether an exact comparison is cheap enough. */
  chunks: number;
  /** Undefined: of any document that is not hidden. */
  documents?: string[] | undefined;
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

/** A passage as a store outside Postgres keeps it. */
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

/** Asks for passages by their words. */
export interface TermsQuery extends PassageFilter {
  /** Each with its number of occurrences in the query. */
  terms: ReadonlyMap<string, number>;
  limit: number;
}

/** A found passage, and whose it is. */
export interface Found extends Near {
  documentId: string;
}

/**
 * A copy of the vectors of one model, outside of Postgres. Everything in it can be made anew from the chunks. Writes
 * can be searched when they return, and may be repeated. All throw AppError SERVICE_UNAVAILABLE when the store cannot
 * be reached or refuses.
 */
export interface ProjectedVectors extends VectorStore {
  readonly model: string;
  /** The outbox follower whose cursors say how far this copy has come. */
  readonly follower: string;
  nearest(wanted: NearestQuery): Promise<Found[]>;
  /** BM25 with the statistics of the tenant's scopes and a fixed typical length; best first, ties by id. */
  byTerms(wanted: TermsQuery): Promise<Found[]>;
  /** False: never made, or wiped. */
  exists(): Promise<boolean>;
  /** Makes whatever is missing. @throws AppError CONFLICT when something of other dimensions has its name */
  ensure(): Promise<void>;
  upsert(tenant: string, points: VectorPoint[]): Promise<void>;
  removeDocuments(tenant: string, ids: string[]): Promise<void>;
  removeTenant(tenant: string): Promise<void>;
  /** @param tenant undefined: of all together. @returns passages */
  count(tenant?: string): Promise<number>;
  /**
   * The documents of some passages, in the order of passages, so that one may come again on the next page.
   * @param cursor `next` of the page before, null for the first
   */
  documents(tenant: string, cursor: string | null): Promise<{ ids: string[]; next: string | null }>;
  /** @throws AppError SERVICE_UNAVAILABLE when it does not answer, or not to this key */
  health(): Promise<void>;
  close(): Promise<void>;
}
