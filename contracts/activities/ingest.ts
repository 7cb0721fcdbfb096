/** What the ingest workflow does to the world. Imports nothing, so that workflow code may use it. */

/** The job's row holds everything else that is needed, the blob's hash included. */
export interface IngestRef {
  tenant: string;
  jobId: string;
  sourceId: string;
  /** The document this run builds. */
  documentId: string;
}

export interface Prepared {
  /** `active`: an earlier run published this very document already. */
  state: 'building' | 'active';
  chunks: number;
  /** Whether there is a model to embed with. */
  vectors: boolean;
  /** What the parser had to skip or guess. */
  warnings: string[];
}

/** Chunks by their ordinals, `to` exclusive. */
export interface ChunkRange {
  from: number;
  to: number;
  vectors: boolean;
  /** At this attempt a failing model is given up and the chunks are indexed by words alone. */
  lastAttempt: number;
}

export interface IndexedRange {
  /** False: asked for, but the model could not be used; `warning` says why. */
  vectors: boolean;
  warning?: string;
}

export interface Published {
  /** `superseded`: a later submission of the same source was published before. */
  state: 'active' | 'superseded';
  chunks: number;
  /** Whether there is something to delete now. */
  leftovers: boolean;
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface IngestActivities {
  /** Parses the blob and writes document and chunks, not yet searched. */
  prepareDocument(ref: IngestRef): Promise<Prepared>;
  /** Writes postings and vectors of a range. */
  indexChunks(ref: IngestRef, range: ChunkRange): Promise<IndexedRange>;
  /** From one moment to the next the document is what searches of its source find. */
  publishDocument(ref: IngestRef): Promise<Published>;
  /** Deletes what the source's former documents left. */
  clearRetired(ref: IngestRef): Promise<void>;
  /** Takes back an unpublished document. @param problem why, when it failed */
  discardDocument(ref: IngestRef, problem: string | null): Promise<void>;
}
