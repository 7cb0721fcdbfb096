import type { JobRef } from './jobs.ts';

/** What generating a draft does to the world. Imports types only, so that workflow code may use it. */

/** What came of it; the draft itself stands in its row. */
export interface DraftMade {
  draft: string;
  statements: number;
  /** Statements that their sources did not support. */
  dropped: number;
  sources: number;
}

/** Each stage leaves its result in the draft's row; repeated, it writes the same. */
export interface DraftActivities {
  /** Reads the evidence. @returns how many signals it rests on */
  gatherDraft(job: JobRef): Promise<number>;
  /** Writes statements from it. @returns how many */
  writeDraft(job: JobRef): Promise<number>;
  /** Checks each statement against its sources and stores what stands. */
  checkDraft(job: JobRef): Promise<DraftMade>;
}
