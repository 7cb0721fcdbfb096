import type { JobRef } from './jobs.ts';

/** Activities around people's decisions. Imports types only, so that workflow code may use it. */

export interface ReviewRef {
  tenant: string;
  id: string;
}

export interface ReviewDecision {
  decision: 'confirm' | 'reject';
  by: string;
  notes: string | null;
  /** Hash of the longer comment, which is in the review's row. */
  said?: string;
}

/** A process that a confirmed review starts and waits for. */
export interface Consequence {
  workflow: 'merge' | 'split';
  workflowId: string;
  title: string;
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

export interface ReviewOutcome {
  status: 'confirmed' | 'rejected' | 'withdrawn';
  result: Record<string, unknown> | null;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface ReviewActivities {
  /** Whether it still waits for a decision. */
  isOpen(ref: ReviewRef): Promise<boolean>;
  /** A recorded decision that a dead run did not carry out. */
  notedDecision(ref: ReviewRef): Promise<ReviewDecision | null>;
  /**
   * Records the decision durably.
   * @returns the process that carries it out; null: none needed
   */
  beginDecision(ref: ReviewRef, decision: ReviewDecision): Promise<Consequence | null>;
  settleReview(ref: ReviewRef, outcome: ReviewOutcome): Promise<void>;
  /** Trains the matcher on the tenant's names and decisions. */
  learnNames(tenant: string): Promise<void>;
}

/** Result of a merge or split. */
export interface Applied {
  outcome: Record<string, unknown>;
  /** New questions, whose processes must be started. */
  reviews: string[];
}

/** A merge or split; the job's row has the details. */
export interface EntityChangeActivities {
  /** One transaction; a repeat returns the first result. */
  applyChange(job: JobRef): Promise<Applied>;
  /** Waits until the copies outside Postgres have it. */
  syncGraph(job: JobRef): Promise<void>;
  /** Undoes it exactly. */
  undoChange(job: JobRef): Promise<void>;
}
