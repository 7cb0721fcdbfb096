import type { A2aState } from '../../agents/a2a.ts';

/** Activities of an A2A task. Imports types only, so that workflow code may use it. */

export interface A2aRef {
  tenant: string;
  id: string;
}

/** State of a task's row after a change. Messages and artifacts stay in the row. */
export interface A2aStanding {
  rev: number;
  state: A2aState;
  /** Its last message is from the client and has not been planned yet. */
  pending: boolean;
  /** It has callbacks. */
  pushes: boolean;
  workTaskId: string | null;
}

/** The next action for a task's messages. `none`: nothing to do, or waiting for the client. */
export type A2aNext = 'call' | 'work' | 'script' | 'none';

/**
 * Each gets the revision to write. If it already wrote it, a repeat returns the row's state and does nothing. A
 * finished row does not change.
 */
export interface A2aActivities {
  /** Null: there is no such task. */
  loadA2aTask(ref: A2aRef): Promise<A2aStanding | null>;
  /** Plans the request and writes the result: working, input required, rejected, or answered by a message. */
  planA2aTask(ref: A2aRef, rev: number): Promise<A2aStanding & { next: A2aNext }>;
  /** Calls the planned tool; its result becomes an artifact. `job`: it continues as a job. */
  callA2aTool(ref: A2aRef, rev: number): Promise<A2aStanding & { job?: string }>;
  followA2aJob(ref: A2aRef, rev: number, job: string): Promise<A2aStanding>;
  /** Creates the requested kanban task, once. `job`: it waits for a person's approval. */
  openA2aWork(ref: A2aRef, rev: number): Promise<A2aStanding & { job?: string }>;
  /** Writes the state of the kanban task to the row. */
  tellA2aWork(ref: A2aRef, rev: number): Promise<A2aStanding>;
  /** Runs a step of the script. `holdMs`: the pause before the next step; null: it was the last one. */
  playA2aStep(ref: A2aRef, rev: number, step: number): Promise<A2aStanding & { holdMs: number | null }>;
  /** Ends the task from outside: cancelled, or failed. */
  endA2aTask(ref: A2aRef, rev: number, state: 'canceled' | 'failed', text: string): Promise<A2aStanding>;
  /** Sends undelivered events to the callbacks, in order. */
  pushA2aEvents(ref: A2aRef): Promise<void>;
}
