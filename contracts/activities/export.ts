import type { JobRef } from './jobs.ts';

/** What taking records out does to the world. Imports types only, so that workflow code may use it. */

/** What came of it: references and figures; the link is made when it is asked for. */
export interface ExportWritten {
  export_id: string;
  /** SHA-256 of the file. */
  artifact_ref: string;
  size_bytes: number;
  row_counts: Record<string, number>;
  expires_at: string;
}

export interface ExportActivities {
  /** Writes the file that the job asks for; signals `exported` on the way. Repeated after it was written, it answers what was written. */
  writeExport(job: JobRef): Promise<ExportWritten>;
  /** Takes back whatever there is of it. */
  discardExport(job: JobRef): Promise<void>;
}
