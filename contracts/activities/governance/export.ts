import type { JobRef } from '../kernel/jobs.ts';

/** Activities of an export. Imports types only, so that workflow code may use it. */

/** Result: references and figures. The link is created on request. */
export interface ExportWritten {
  export_id: string;
  /** SHA-256 of the file. */
  artifact_ref: string;
  size_bytes: number;
  row_counts: Record<string, number>;
  expires_at: string;
}

export interface ExportActivities {
  /** Writes the requested file; signals `exported` on the way. A repeat after it was written returns the same. */
  writeExport(job: JobRef): Promise<ExportWritten>;
  /** Deletes all parts of it. */
  discardExport(job: JobRef): Promise<void>;
}
