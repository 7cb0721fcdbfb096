import type { JobRef } from './jobs.ts';

/** What the workflows do to the graph. Imports types only, so that workflow code may use it. */

/** Active documents whose mentions are to be found and given to entities. */
export type GraphWork = { documents: string[] } | { job: JobRef; from: number; to: number };

export interface GraphDone {
  documents: number;
  mentions: number;
  /** Entities that were not known before. */
  created: number;
  /** Questions for people, whose processes are to be started. */
  reviews: string[];
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface GraphActivities {
  /** Finds mentions and assertions in the passages of documents, not yet given to entities. `more`: to be called again. */
  extractMentions(tenant: string, work: GraphWork): Promise<{ documents: number; mentions: number; more?: boolean }>;
  /** Gives each mention to an entity, known or new, and folds counts, relations and facts. */
  resolveMentions(tenant: string, work: GraphWork): Promise<GraphDone>;
  /**
   * Makes signals of what customers say in documents that are resolved.
   * @param after the document with which the last call ended
   * @returns `next`: to be called again with it
   */
  readSignals(tenant: string, work: GraphWork, after?: string): Promise<{ documents: number; signals: number; next?: string }>;
  /** Starts the processes of reviews that were opened. */
  startReviews(tenant: string, ids: string[]): Promise<void>;
}
