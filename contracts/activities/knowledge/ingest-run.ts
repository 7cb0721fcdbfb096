import type { JobRef } from '../kernel/jobs.ts';

/** Activities of the workflow over many contents. Imports types only, so that workflow code may use it. */

/** Items by their ordinals, `to` exclusive. */
export interface ItemRange {
  from: number;
  to: number;
}

export interface ItemCounts {
  total: number;
  /** Indexed by this run. */
  done: number;
  /** Already ingested with the same content. */
  unchanged: number;
  /** Could not be read; each item has its reason. */
  refused: number;
  /** Abandoned by a person. */
  failed: number;
  left: number;
  /** Passages of done and unchanged items. */
  chunks: number;
}

export interface Collected {
  total: number;
  /** Some of the skipped items, with the reason. */
  skipped: { what: string; reason: string }[];
  skippedCount: number;
  /** Details from the source, e.g. a video's id, language and duration. */
  details: Record<string, unknown>;
}

/** Each activity is idempotent: it may run twice, late, or be killed half-way. */
export interface IngestRunActivities {
  /** Lists the contents to ingest: walks the folder, unpacks the archive, crawls, fetches. */
  collectItems(job: JobRef): Promise<Collected>;
  /**
   * Parses, embeds and publishes the pending items of a range, for some seconds. Unreadable items are refused one by
   * one. `more`: call again with the same range.
   */
  indexItems(job: JobRef, range: ItemRange): Promise<{ finished: number; more?: boolean }>;
  /** The range that still has pending items. */
  pendingItems(job: JobRef): Promise<ItemRange | null>;
  failItems(job: JobRef, range: ItemRange, error: { code: string; message: string }): Promise<void>;
  /**
   * Deletes replaced documents.
   * @returns the final figures, and some items for the answer, failures first
   */
  finishRun(job: JobRef): Promise<{ counts: ItemCounts; items: Record<string, unknown>[] }>;
}
