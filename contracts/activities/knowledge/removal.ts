/** Activities of the removal workflow. Imports nothing, so that workflow code may use it. */

/** The job's row says what is removed. */
export interface RemovalRef {
  tenant: string;
  jobId: string;
}

export interface RemovalCounts {
  sources: number;
  documents: number;
  chunks: number;
}

export interface Left {
  /** Passages that are not deleted yet. */
  chunks: number;
  /** Whether anything is left to delete. */
  more: boolean;
  /** Counts at the time it was hidden. */
  counts: RemovalCounts;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface RemovalActivities {
  /**
   * Cancels the ingestions of the removed sources.
   * @returns whether some are still running
   */
  callOff(ref: RemovalRef): Promise<boolean>;
  /** Deletes for some seconds: chunks with postings and vectors, documents, sources, unreferenced blobs. */
  removeSome(ref: RemovalRef): Promise<Left>;
  /** Whether more was added to the removal after the job was completed. */
  reopened(ref: RemovalRef): Promise<boolean>;
}
