import type { GraphCounts } from '../../graph/episodes.ts';

/** Activities of the episodes and clearGraph workflows. Imports types only, so that workflow code may use it. */

export interface EpisodesTaken {
  /** `empty`: the queue is empty; `more`: it is not; `again`: its first episode failed and is retried. */
  state: 'empty' | 'more' | 'again';
  taken: number;
  /** Failed after all attempts. */
  failed: number;
  /** Seconds until the retry. */
  pause: number;
}

export interface EpisodeActivities {
  /** Ingests queued episodes of a tenant in order, for some seconds. */
  takeEpisodes(tenant: string): Promise<EpisodesTaken>;
}

export interface ClearRef {
  tenant: string;
  jobId: string;
}

/** In this order; each stage begins when the previous one has nothing left. */
export type ClearStage = 'episodes' | 'documents' | 'facts' | 'reviews' | 'entities' | 'survivors';

export interface ClearPlace {
  stage: ClearStage;
  /** Id after which the stage continues; null: from its start. */
  after: string | null;
}

export interface Cleared {
  /** The next place; null: everything is deleted. */
  place: ClearPlace | null;
  /** Rows processed in this stage. */
  rows: number;
  /** Counts when the clearing was requested. */
  counts: GraphCounts;
}

/** Idempotent: may run twice, late, or be killed half-way. */
export interface ClearActivities {
  /** Clears a tenant's graph for some seconds, starting at a place. */
  clearSome(ref: ClearRef, place: ClearPlace): Promise<Cleared>;
}
