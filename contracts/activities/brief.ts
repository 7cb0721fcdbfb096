import type { JobRef } from './jobs.ts';

/** What a daily brief does to the world. Imports types only, so that workflow code may use it. Articles stay in their rows. */

/** What came of a run; the brief itself stands in its row. */
export interface BriefMade {
  brief: string;
  version: number;
  /** The input was the same as last time: nothing was written. */
  unchanged: boolean;
  highlights: number;
  articles: number;
  /** Statements of a language model that the articles do not bear. */
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

/** Each step leaves its result in rows; repeated, it writes the same. */
export interface BriefActivities {
  /** Logs the run as running. @returns ids of the feeds to read */
  beginBrief(job: JobRef): Promise<string[]>;
  /** Notes those that have not even failed by themselves, and chooses articles that are worth their page. @returns their keys */
  settleHarvest(job: JobRef, feeds: string[]): Promise<string[]>;
  /** Scores articles by the tenant's topics and groups them into stories. @returns how many are relevant */
  scoreArticles(job: JobRef): Promise<number>;
  storeArticles(job: JobRef): Promise<StoredCounts>;
  writeBrief(job: JobRef): Promise<BriefMade>;
  /** Logs how the run ended. */
  endBrief(job: JobRef, outcome: { ok: boolean; stored: StoredCounts | null; generated: boolean; error: string | null }): Promise<void>;
}

/** What reaches out. */
export interface BriefOutboundActivities {
  /** Reads one source within its time. Its failure is noted and no failure of the activity. */
  harvestSource(job: JobRef, feed: string): Promise<Harvested>;
  /** Reads the page of an article of which the feed gave but a snippet. @returns whether that went well */
  fetchPage(job: JobRef, key: string): Promise<boolean>;
  /** Tells the readers, each once. */
  tellReaders(job: JobRef, made: { brief: string; version: number }): Promise<{ told: number; failed: number }>;
}

/** A brief that is asked for with its articles. */
export interface BriefRequestActivities {
  generateBrief(job: JobRef): Promise<BriefMade>;
}

/** What the clock does. */
export interface BriefClockActivities {
  /** Begins the run of the day that a moment (ISO 8601) falls into, in the tenant's time zone. */
  startDailyBrief(tenant: string, at: string): Promise<void>;
}
