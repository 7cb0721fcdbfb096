import type { A2aState } from '../agents/a2a.ts';

/** What a task of the A2A protocol has done to its row. Imports types only, so that workflow code may use it. */

export interface A2aRef {
  tenant: string;
  id: string;
}

/** How a task's row stands after a change. Messages and artifacts are in the row, never in here. */
export interface A2aStanding {
  rev: number;
  state: A2aState;
  /** Its last message is the client's, and nothing has been decided about it. */
  pending: boolean;
  /** Somebody is to be called back. */
  pushes: boolean;
  workTaskId: string | null;
}

/** What a task's messages ask for. `none`: nothing more, or the client's turn. */
export type A2aNext = 'call' | 'work' | 'script' | 'none';

/**
 * Each is told the revision that it is to write. Repeated after it has written, it answers how the row stands and does
 * nothing; a row that is over stays as it is.
 */
export interface A2aActivities {
  /** Null: there is no such task. */
  loadA2aTask(ref: A2aRef): Promise<A2aStanding | null>;
  /** Understands what is asked for, and says so: working, input required, rejected, or answered by a message. */
  planA2aTask(ref: A2aRef, rev: number): Promise<A2aStanding & { next: A2aNext }>;
  /** Calls the planned tool; its result becomes an artifact. `job`: it goes on as a job. */
  callA2aTool(ref: A2aRef, rev: number): Promise<A2aStanding & { job?: string }>;
  followA2aJob(ref: A2aRef, rev: number, job: string): Promise<A2aStanding>;
  /** Makes the kanban task that was asked for; made already, it is the same. `job`: it waits for a person's approval. */
  openA2aWork(ref: A2aRef, rev: number): Promise<A2aStanding & { job?: string }>;
  /** Tells what has become of the kanban task. */
  tellA2aWork(ref: A2aRef, rev: number): Promise<A2aStanding>;
  /** Plays a script's step. `holdMs` is waited before the next one; null: it was the last. */
  playA2aStep(ref: A2aRef, rev: number, step: number): Promise<A2aStanding & { holdMs: number | null }>;
  /** Ends it from outside: cancelled, or given up. */
  endA2aTask(ref: A2aRef, rev: number, state: 'canceled' | 'failed', text: string): Promise<A2aStanding>;
  /** Sends what callbacks have not been told yet, in order. */
  pushA2aEvents(ref: A2aRef): Promise<void>;
}
