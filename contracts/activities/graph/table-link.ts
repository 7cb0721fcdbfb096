import type { JobRef } from '../kernel/jobs.ts';

/** Activities of linking tables. Imports types only, so that workflow code may use it. */

/** Result; the links are in an artifact. */
export interface TablesLinked {
  /** SHA-256 of the artifact. */
  artifact: string;
  /** Links stored, and those at or above the threshold. */
  links: number;
  sure: number;
  /** Pairs that were compared. */
  compared: number;
  /** Rows of both tables together. */
  rows: number;
}

export interface TableLinkActivities {
  /** Links the job's tables. A repeat creates the same artifact. */
  linkTables(job: JobRef): Promise<TablesLinked>;
}
