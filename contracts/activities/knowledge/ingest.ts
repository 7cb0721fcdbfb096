/** Activities of the ingest workflow. Imports nothing, so that workflow code may use it. */

/** The job's row has everything else, including the blob's hash. */
export interface IngestRef {
  tenant: string;
  jobId: string;
  sourceId: string;
  /** The document this run builds. */
  documentId: string;
}

export interface Prepared {
  /** `active`: an earlier run already published this document. `parsed`: it is only read, not indexed. */
  state: 'building' | 'active' | 'parsed';
  chunks: number;
  /** Whether an embedding model is available. */
  vectors: boolean;
  /** Number of pages, slides or sheets, if the format has them. */
  pages?: number;
  /** What the parser had to skip or guess. */
  warnings: string[];
}

/** Chunks by their ordinals, `to` exclusive. */
export interface ChunkRange {
  from: number;
  to: number;
  vectors: boolean;
}

export interface Published {
  /** `superseded`: a later submission of the same source was published first. */
  state: 'active' | 'superseded';
  chunks: number;
  /** Whether there is something to delete. */
  leftovers: boolean;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface IngestActivities {
  /** Parses the blob and writes document and chunks, not visible to searches yet. */
  prepareDocument(ref: IngestRef): Promise<Prepared>;
  /**
   * Writes postings and vectors of a range, for some seconds. `more`: call again with the same range. Older workers
   * returned nothing.
   */
  indexChunks(ref: IngestRef, range: ChunkRange): Promise<{ more: boolean } | undefined>;
  /** Publishes the document: atomically, searches find it instead of the former one. */
  publishDocument(ref: IngestRef): Promise<Published>;
  /** Deletes the remains of the source's former documents. */
  clearRetired(ref: IngestRef): Promise<void>;
  /**
   * Deletes an unpublished document.
   * @param problem why, if it was not cancelled
   * @param refusal why the content cannot be read: it waits for a person's decision
   */
  discardDocument(ref: IngestRef, problem: string | null, refusal: { code: string; message: string } | null): Promise<void>;
}
