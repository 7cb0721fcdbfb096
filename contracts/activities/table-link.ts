import type { JobRef } from './jobs.ts';

/** What linking tables does to the world. Imports types only, so that workflow code may use it. */

/** What came of it; the links themselves stand in an artifact. */
export interface TablesLinked {
  /** SHA-256 of the artifact. */
  artifact: string;
  /** Links kept, and those at or above the threshold. */
  links: number;
  sure: number;
  /** Pairs that were compared. */
  compared: number;
  /** Rows of both tables together. */
  rows: number;
}

export interface TableLinkActivities {
  /** Links the tables that the job names. Repeated, it makes the same artifact. */
  linkTables(job: JobRef): Promise<TablesLinked>;
}
