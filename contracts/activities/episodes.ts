import type { GraphCounts } from '../graph/episodes.ts';

/** What the episodes and clearGraph workflows do to the world. Imports types only, so that workflow code may use it. */

export interface EpisodesTaken {
  /** `empty`: the queue is; `more`: it is not; `again`: its first episode failed and is to be tried again. */
  state: 'empty' | 'more' | 'again';
  taken: number;
  /** Given up after their attempts. */
  failed: number;
  /** Seconds to wait before it is tried again. */
  pause: number;
}

export interface EpisodeActivities {
  /** Takes in queued episodes of a tenant for some seconds, in their order. */
  takeEpisodes(tenant: string): Promise<EpisodesTaken>;
}

export interface ClearRef {
  tenant: string;
  jobId: string;
}

/** In this order; each begins when the former one finds nothing left. */
export type ClearStage = 'episodes' | 'documents' | 'facts' | 'reviews' | 'entities' | 'survivors';

export interface ClearPlace {
  stage: ClearStage;
  /** Id after which the stage goes on; null: from its start. */
  after: string | null;
}

export interface Cleared {
  /** Where to go on; null: all is gone. */
  place: ClearPlace | null;
  /** Rows of the stage's kind that were worked on. */
  rows: number;
  /** How much there was when the clearing was asked for. */
  counts: GraphCounts;
}

/** May run twice, late, or be killed half-way, and leaves the same behind. */
export interface ClearActivities {
  /** Clears a tenant's graph for some seconds, from a place on. */
  clearSome(ref: ClearRef, place: ClearPlace): Promise<Cleared>;
}
