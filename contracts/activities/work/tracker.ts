/** Syncs of issue trackers. Histories have ids and counts; texts of issues stay in the database. */
export interface TrackerRef {
  tenant: string;
  id: string;
}

export interface SyncDone {
  imported: number;
  changed: number;
  comments: number;
  written: number;
  pulls: number;
  left: number;
}

export interface TrackerActivities {
  /** @returns false: removed, or the other side limits calls until later */
  beginSync(ref: TrackerRef): Promise<boolean>;
  /** Imports one page of changed issues. A repeat imports nothing twice. */
  importIssues(ref: TrackerRef): Promise<Pick<SyncDone, 'imported' | 'changed' | 'comments'> & { more: boolean }>;
  /** Notes whose issue has left those of the tracker, or has come back. A repeat notes nothing twice. */
  lookForIssues(ref: TrackerRef): Promise<Pick<SyncDone, 'left'>>;
  /** Writes what happened to tasks to their issues, each once. */
  tellIssues(ref: TrackerRef): Promise<Pick<SyncDone, 'written'>>;
  /** Opens pull requests, and notes what became of those that are open. */
  followPulls(ref: TrackerRef): Promise<Pick<SyncDone, 'pulls'>>;
  endSync(ref: TrackerRef, end: SyncDone & { error: string | null }): Promise<void>;
}
