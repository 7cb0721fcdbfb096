import type { DelegatedStatus } from '../../agents/agents.ts';

/** Activities of delegated tasks. Imports types only, so that workflow code may use it. */

export interface DelegatedRef {
  tenant: string;
  direction: 'sent' | 'received';
  id: string;
}

/** A task when its process starts. Parameters, results and tokens stay in its row. */
export interface DelegatedStart {
  rev: number;
  status: DelegatedStatus;
  target: string;
  capability: string;
  /** It becomes a task on the board. */
  work: boolean;
  /** Milliseconds since the epoch. */
  deadline: number;
  /** Attempts to send it. */
  maxAttempts: number;
  /** Somebody asked for a callback at its end. */
  callback: boolean;
}

export interface DelegatedSnapshot {
  rev: number;
  status: DelegatedStatus;
  /** Whether the row already has the reported result or error. If not, `error` is the reason. */
  reported: boolean;
  error: { code: string; message: string } | null;
  /** Ended by its deadline: a result that arrived just before it counts. */
  timedOut: boolean;
}

/** The row afterwards. Its final state never changes. */
export interface DelegatedWritten {
  rev: number;
  status: DelegatedStatus;
}

export interface Sent {
  status: DelegatedStatus;
  /** The target does not report by itself, so it must be polled. */
  follow: boolean;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface DelegationActivities {
  /** Null: there is no such task. */
  openDelegated(ref: DelegatedRef): Promise<DelegatedStart | null>;
  writeDelegated(ref: DelegatedRef, snapshot: DelegatedSnapshot): Promise<DelegatedWritten>;
}

/** Runs on the queue for requests to other hosts. */
export interface OutboundDelegationActivities {
  sendDelegation(ref: DelegatedRef): Promise<Sent>;
  /** Polls an agent that does not report by itself. */
  followDelegation(ref: DelegatedRef): Promise<DelegatedStatus>;
  /** Tells the target that the task is cancelled. */
  cancelAtTarget(ref: DelegatedRef): Promise<void>;
  /** Sends the callback. */
  callBack(ref: DelegatedRef): Promise<void>;
}
