import type { JobRef } from '../kernel/jobs.ts';

/** Activities of a daily brief. Imports types only, so that workflow code may use it. Articles stay in their rows. */

/** Result of a run; the brief itself is in its row. */
export interface BriefMade {
  brief: string;
  version: number;
  /** The input was unchanged: nothing was written. */
  unchanged: boolean;
  highlights: number;
  articles: number;
  /** Statements of a language model that the articles do not support. */
  dropped: number;
}

export interface Harvested {
  ok: boolean;
  articles: number;
}

export interface StoredCounts {
  stored: number;
  duplicates: number;
  failed: number;
}

/** Each step writes its result to rows; a repeat writes the same. */
export interface BriefActivities {
  /**
   * Logs the run as running.
   * @returns ids of the feeds to read
   */
  beginBrief(job: JobRef): Promise<string[]>;
  /**
   * Records sources whose activity never reported, and selects articles whose page should be read.
   * @returns their keys
   */
  settleHarvest(job: JobRef, feeds: string[]): Promise<string[]>;
  /**
   * Scores articles by the tenant's topics and groups them into stories.
   * @returns how many are relevant
   */
  scoreArticles(job: JobRef): Promise<number>;
  storeArticles(job: JobRef): Promise<StoredCounts>;
  writeBrief(job: JobRef): Promise<BriefMade>;
  /** Logs how the run ended. */
  endBrief(job: JobRef, outcome: { ok: boolean; stored: StoredCounts | null; generated: boolean; error: string | null }): Promise<void>;
}

/** Activities that make requests to other hosts. */
export interface BriefOutboundActivities {
  /** Reads one source within its timeout. A failed source is recorded and does not fail the activity. */
  harvestSource(job: JobRef, feed: string): Promise<Harvested>;
  /**
   * Reads the page of an article for which the feed has only a snippet.
   * @returns whether it succeeded
   */
  fetchPage(job: JobRef, key: string): Promise<boolean>;
  /** Notifies the readers, each once. */
  tellReaders(job: JobRef, made: { brief: string; version: number }): Promise<{ told: number; failed: number }>;
}

/** A brief requested with given articles. */
export interface BriefRequestActivities {
  generateBrief(job: JobRef): Promise<BriefMade>;
}

/** Activities of the schedule. */
export interface BriefClockActivities {
  /** Starts the run of the day of a time (ISO 8601) in the tenant's time zone. */
  startDailyBrief(tenant: string, at: string): Promise<void>;
}
