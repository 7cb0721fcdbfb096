/** Activities of the task workflow. Imports nothing, so that workflow code may use it. */

export type TaskStatus = 'blocked' | 'ready' | 'in_progress' | 'review' | 'done' | 'failed';

export interface TaskRef {
  tenant: string;
  id: string;
}

/** The lifecycle of a task as its workflow knows it; times in ms since the epoch. */
export interface TaskSnapshot {
  status: TaskStatus;
  rev: number;
  /** Blockers that are not done. */
  pendingBlockers: string[];
  agent: string | null;
  /** Increases with each lease. */
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
  /** The current or last holder; absent in leases from before owners were stored. */
  owner?: Owner | null;
  /** The MCP session that claimed, as a hash; null: none. */
  session?: string | null;
  /** The key of the task's creator, beside `createdBy`. */
  createdLine?: string | null;
  /** Who ended the last lease, and in which role. */
  endedBy?: string | null;
  endedAs?: Standing | null;
  /** Undefined: as the row has it. */
  phaseId?: number;
  priority?: 'high' | 'medium' | 'low';
  /** Claims give it to this worker only. */
  reservedFor?: string | null;
  /** It has failed because it is no longer wanted. */
  cancelled?: boolean;
  /** The revision of the last change that left status and lease as they were. */
  shaped?: number;
}

/** Key and worker. A key and its replacements count as one. Unnamed workers have the key's name. */
export interface Owner {
  line: string;
  principal: string;
}

/** The role in which somebody acts on a task. */
export type Standing = 'holder' | 'person' | 'creator' | 'reviewer' | 'platform';

export interface Finished {
  rev: number;
  unblocked: string[];
  /** Dependants are still to be notified. */
  rest?: true;
}

export interface WorkActivities {
  /**
   * Writes the task's row unless the row has a higher revision.
   * @param until ms since the epoch; afterwards nothing is written: the workflow task that decided it may have been given to
   *   another worker, and the row may be further than this one knows
   * @returns the row's revision afterwards: higher than the snapshot's if it was not written
   * @throws CONFLICT: too late, or the row says that the task is done
   */
  writeTask(ref: TaskRef, snapshot: TaskSnapshot, until?: number): Promise<number>;
  /**
   * Writes the last snapshot of a task that is done, and then notifies every dependant, as far as they answer within some
   * seconds: whoever completes a task must not wait for the process of another.
   * @returns the row's revision, and the ids of dependants that became ready
   */
  finishTask(ref: TaskRef, snapshot: TaskSnapshot): Promise<Finished>;
  /** Notifies the dependants that have not answered `finishTask`. */
  releaseRest(ref: TaskRef): Promise<void>;
}
