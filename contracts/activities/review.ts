import type { JobRef } from './jobs.ts';

/** What the workflows around people's decisions do to the world. Imports types only, so that workflow code may use it. */

export interface ReviewRef {
  tenant: string;
  id: string;
}

export interface ReviewDecision {
  decision: 'confirm' | 'reject';
  by: string;
  notes: string | null;
  /** Name of what was said in more words, which stand in the review's row. */
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

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface ReviewActivities {
  /** Whether it still awaits a decision. */
  isOpen(ref: ReviewRef): Promise<boolean>;
  /** A decision that was noted and not carried through: a former run died. */
  notedDecision(ref: ReviewRef): Promise<ReviewDecision | null>;
  /** Notes the decision, so that nothing that dies loses it. @returns what it takes to carry it through; null: nothing */
  beginDecision(ref: ReviewRef, decision: ReviewDecision): Promise<Consequence | null>;
  settleReview(ref: ReviewRef, outcome: ReviewOutcome): Promise<void>;
  /** Lets the matcher learn from the tenant's names and decisions. */
  learnNames(tenant: string): Promise<void>;
}

/** What a merge or split comes to. */
export interface Applied {
  outcome: Record<string, unknown>;
  /** Questions that it raised, whose processes are to be started. */
  reviews: string[];
}

/** A merge or split: what is to be done stands in the job's row. */
export interface EntityChangeActivities {
  /** All of it in one transaction; repeated it answers what it did. */
  applyChange(job: JobRef): Promise<Applied>;
  /** Waits until the copies outside of Postgres show it. */
  syncGraph(job: JobRef): Promise<void>;
  /** Takes it back exactly. */
  undoChange(job: JobRef): Promise<void>;
}
