import type { JobRef } from '../kernel/jobs.ts';

/** Stages and contents that wait for a person's decision. Imports types only, so that workflow code may use it. */

/** `failure_stage` of a dead letter. Fetching, unpacking and reading belong to extraction; indexing to embedding. */
export type DlqStage = 'extraction' | 'entity_resolution' | 'neo4j_sync' | 'embedding';

export interface Parked {
  id: string;
  stage: DlqStage;
  /** The failed step: `fetch`, `parse`, `index`, `publish`. */
  step: string;
  code: string;
  message: string;
  attempts: number;
}

export interface Decision {
  id: string;
  decision: 'retry' | 'abandon';
  by: string;
}

export interface DlqActivities {
  park(job: JobRef, parked: Parked): Promise<void>;
  settleParked(job: JobRef, id: string, status: 'retrying' | 'resolved' | 'abandoned', by: string | null): Promise<void>;
}
