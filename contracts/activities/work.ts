/** What the task workflow does to the world. Imports nothing, so that workflow code may use it. */

export type TaskStatus = 'blocked' | 'ready' | 'in_progress' | 'review' | 'done' | 'failed';

export interface TaskRef {
  tenant: string;
  id: string;
}

/** The lifecycle of a task as its workflow knows it; times in ms since the epoch. */
export interface TaskSnapshot {
  status: TaskStatus;
  rev: number;
  /** Blockers that are not done yet. */
  pendingBlockers: string[];
  agent: string | null;
  /** Grows with each lease. */
  token: number;
  leaseSeconds: number;
  leaseExpiresAt: number | null;
  attempts: number;
  maxAttempts: number;
  needsReview: boolean;
  createdBy: string;
  progress: string | null;
  result: string | null;
  failure: string | null;
  startedAt: number | null;
  completedAt: number | null;
  /** Whose lease it is, or was; absent in leases from before there were owners. */
  owner?: Owner | null;
  /** The MCP session that claimed, as a hash; null: none. */
  session?: string | null;
  /** Who made the task: the key beside `createdBy`. */
  createdLine?: string | null;
  /** Who ended the last lease, and as what. */
  endedBy?: string | null;
  endedAs?: Standing | null;
}

/** Key and worker. A key counts as one with those that replace it. Workers whom nobody has named have the key's own name. */
export interface Owner {
  line: string;
  principal: string;
}

/** As what somebody acts on a task. */
export type Standing = 'holder' | 'person' | 'creator' | 'reviewer' | 'platform';

export interface WorkActivities {
  /**
   * Writes the snapshot over the task's row unless the row is of a higher revision.
   * @returns the row's revision afterwards: higher than the snapshot's when it was not written.
   */
  writeTask(ref: TaskRef, snapshot: TaskSnapshot): Promise<number>;
  /**
   * Writes the last snapshot, of a task that is done, and tells every task that waits for it, if it was written.
   * @returns the row's revision, and the ids of those that thereby became ready
   */
  finishTask(ref: TaskRef, snapshot: TaskSnapshot): Promise<{ rev: number; unblocked: string[] }>;
}
