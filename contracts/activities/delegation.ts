import type { DelegatedStatus } from '../agents/agents.ts';

/** What the processes of delegated tasks do to the world. Imports types only, so that workflow code may use it. */

export interface DelegatedRef {
  tenant: string;
  direction: 'sent' | 'received';
  id: string;
}

/** A task at the start of its process. What it carries (parameters, results, tokens) stays in its row. */
export interface DelegatedStart {
  rev: number;
  status: DelegatedStatus;
  target: string;
  capability: string;
  /** Becomes a task on the board. */
  work: boolean;
  /** Milliseconds since the epoch. */
  deadline: number;
  /** Attempts to send it. */
  maxAttempts: number;
  /** Somebody wants to be told when it is over. */
  callback: boolean;
}

export interface DelegatedSnapshot {
  rev: number;
  status: DelegatedStatus;
  /** Whether what was reported (result or error) stands in the row already. Else `error` is why it ended. */
  reported: boolean;
  error: { code: string; message: string } | null;
  /** Ended by its deadline: a result that arrived just before it counts. */
  timedOut: boolean;
}

/** The row afterwards. A final state in it stays, whoever wrote it. */
export interface DelegatedWritten {
  rev: number;
  status: DelegatedStatus;
}

export interface Sent {
  status: DelegatedStatus;
  /** The target does not report by itself. */
  follow: boolean;
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface DelegationActivities {
  /** Null: there is no such task. */
  openDelegated(ref: DelegatedRef): Promise<DelegatedStart | null>;
  writeDelegated(ref: DelegatedRef, snapshot: DelegatedSnapshot): Promise<DelegatedWritten>;
}

/** On the queue for requests to other hosts. */
export interface OutboundDelegationActivities {
  sendDelegation(ref: DelegatedRef): Promise<Sent>;
  /** Stays with a task of an agent that does not report by itself. */
  followDelegation(ref: DelegatedRef): Promise<DelegatedStatus>;
  /** Tells the target that nobody waits any more. */
  cancelAtTarget(ref: DelegatedRef): Promise<void>;
  /** Tells who asked to be told. */
  callBack(ref: DelegatedRef): Promise<void>;
}
