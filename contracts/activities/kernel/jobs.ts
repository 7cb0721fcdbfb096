/** The row of a long-running call. Imports nothing, so that workflow code may use it. */

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface JobRef {
  tenant: string;
  id: string;
}

export interface JobSnapshot {
  rev: number;
  status: JobStatus;
  /** Stage and counts, e.g. `{ stage: 'embed', done: 50, total: 120 }`. */
  progress: { stage: string; done?: number; total?: number; left?: number; waiting?: number };
  /** References and figures, never documents. */
  result?: Record<string, unknown>;
  error?: { code: string; message: string };
}

export interface JobActivities {
  /** Writes the snapshot unless the row is of a higher revision. @returns the row's revision afterwards. */
  writeJob(ref: JobRef, snapshot: JobSnapshot): Promise<number>;
}
