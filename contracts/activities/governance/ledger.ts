import type { JobRef } from '../kernel/jobs.ts';

/** Verification of a ledger against its chain. Imports types only, so that workflow code may use it. */

export interface Breach {
  kind: 'edited' | 'missing' | 'inserted' | 'unsigned' | 'broken_link';
  /** The affected row, if it is known. */
  event_id?: string;
  /** The affected link, and the rows between which it lies. */
  link?: string;
  what: string;
}

export interface LedgerCheck {
  intact: boolean;
  events: number;
  links: number;
  /** Rows that no link covers yet: written within the last seconds. */
  unlinked: number;
  /** Number and hash of the last link. Stored elsewhere, they show whether the whole chain was recomputed. */
  head: { link: string; hash: string } | null;
  /** The first 100. */
  breaches: Breach[];
}

/** Progress of a verification, link by link. */
export interface LedgerCourse {
  /** The last verified link; null: none. */
  after: { seq: string; to_xid: string; to_id: string; hash: string } | null;
  /** Findings so far. */
  check: LedgerCheck;
  /** Number of rows, as counted at the beginning. */
  total: number;
  done: boolean;
}

export interface LedgerActivities {
  /** Continues from `course`, about ten thousand rows; null begins. A repeat reads the same rows again. */
  verifyLedgerPart(job: JobRef, course: LedgerCourse | null): Promise<LedgerCourse>;
}
