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
  /** `active`: an earlier run published this very document already. `parsed`: it is to be read only, not indexed. */
  state: 'building' | 'active' | 'parsed';
  chunks: number;
  /** Whether there is a model to embed with. */
  vectors: boolean;
  /** Pages, slides or sheets, where the format has them. */
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
  /** Writes postings and vectors of a range, for some seconds. `more`: the same range is to be given once more. Older workers answered nothing. */
  indexChunks(ref: IngestRef, range: ChunkRange): Promise<{ more: boolean } | undefined>;
  /** From one moment to the next the document is what searches of its source find. */
  publishDocument(ref: IngestRef): Promise<Published>;
  /** Deletes what the source's former documents left. */
  clearRetired(ref: IngestRef): Promise<void>;
  /**
   * Takes back an unpublished document.
   * @param problem why, when it was not cancelled
   * @param refusal why the content cannot be taken in as it is: awaits a person's decision
   */
  discardDocument(ref: IngestRef, problem: string | null, refusal: { code: string; message: string } | null): Promise<void>;
}
