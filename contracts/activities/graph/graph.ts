import type { JobRef } from '../kernel/jobs.ts';

/** Activities on the graph. Imports types only, so that workflow code may use it. */

/** Active documents whose mentions are extracted and assigned to entities. */
export type GraphWork = { documents: string[] } | { job: JobRef; from: number; to: number };

export interface GraphDone {
  documents: number;
  mentions: number;
  /** New entities. */
  created: number;
  /** Questions for people, whose processes must be started. */
  reviews: string[];
  /** Customer statements found, and what was left out: numbers by reason. Absent in older histories. */
  statements?: number;
  left?: Record<string, number>;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface GraphActivities {
  /** Extracts mentions and assertions from the passages of documents, without assigning entities. `more`: call again. */
  extractMentions(tenant: string, work: GraphWork): Promise<{ documents: number; mentions: number; more?: boolean }>;
  /** Assigns each mention to a known or new entity, and folds counts, relations and facts. */
  resolveMentions(tenant: string, work: GraphWork): Promise<GraphDone>;
  /**
   * Extracts signals from documents whose mentions are resolved.
   * @param after the last document of the previous call
   * @returns `next`: call again with it
   */
  readSignals(
    tenant: string,
    work: GraphWork,
    after?: string,
  ): Promise<{ documents: number; signals: number; left?: Record<string, number>; next?: string }>;
  /** Starts the processes of new reviews. */
  startReviews(tenant: string, ids: string[]): Promise<void>;
}
