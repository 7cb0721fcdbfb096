/** What the removal workflow does to the world. Imports nothing, so that workflow code may use it. */

/** What is to be removed stands in the job's row. */
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
  /** Passages that wait to be deleted. */
  chunks: number;
  /** Whether there is anything left to do. */
  more: boolean;
  /** How much it was, as of the moment it was taken out of sight. */
  counts: RemovalCounts;
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface RemovalActivities {
  /** Stops the ingestions of what is removed. @returns whether some have not ended yet */
  callOff(ref: RemovalRef): Promise<boolean>;
  /** Deletes for some seconds: chunks with postings and vectors, documents, sources, blobs nobody refers to. */
  removeSome(ref: RemovalRef): Promise<Left>;
  /** Whether somebody removed more of it after the job was completed. */
  reopened(ref: RemovalRef): Promise<boolean>;
}
