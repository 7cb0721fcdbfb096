import type { JobRef } from '../kernel/jobs.ts';

/** Activities of generating a draft. Imports types only, so that workflow code may use it. */

/** Result; the draft itself is in its row. */
export interface DraftMade {
  draft: string;
  statements: number;
  /** Statements that their sources did not support. */
  dropped: number;
  sources: number;
}

/** Each stage writes its result to the draft's row; a repeat writes the same. */
export interface DraftActivities {
  /**
   * Reads the evidence.
   * @returns the number of signals
   */
  gatherDraft(job: JobRef): Promise<number>;
  /**
   * Writes statements from the evidence.
   * @returns how many
   */
  writeDraft(job: JobRef): Promise<number>;
  /** Checks each statement against its sources and stores those that pass. */
  checkDraft(job: JobRef): Promise<DraftMade>;
}
