import type { JobRef } from './jobs.ts';

/** Holding a ledger against its chain. Imports types only, so that workflow code may use it. */

export interface Breach {
  kind: 'edited' | 'missing' | 'inserted' | 'unsigned' | 'broken_link';
  /** Which row, where one is to blame. */
  event_id?: string;
  /** Which link, and between which rows it lies. */
  link?: string;
  what: string;
}

export interface LedgerCheck {
  intact: boolean;
  events: number;
  links: number;
  /** Rows that no link covers yet: written within the last seconds. */
  unlinked: number;
  /** Number and hash of the last link: kept elsewhere, they show whether the whole chain was made anew. */
  head: { link: string; hash: string } | null;
  /** The first 100. */
  breaches: Breach[];
}

/** A verification on its way from link to link. */
export interface LedgerCourse {
  /** The link up to which everything was read; null: nothing was. */
  after: { seq: string; to_xid: string; to_id: string; hash: string } | null;
  /** What was found so far. */
  check: LedgerCheck;
  /** Rows that there are to read, as counted at the beginning. */
  total: number;
  done: boolean;
}

export interface LedgerActivities {
  /** Reads on from `course`, some ten thousand rows; null begins. Repeated, it reads the same again. */
  verifyLedgerPart(job: JobRef, course: LedgerCourse | null): Promise<LedgerCourse>;
}
