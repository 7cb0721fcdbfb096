import type { JobRef } from './jobs.ts';

/** What the workflow over many contents does to the world. Imports types only, so that workflow code may use it. */

/** Items by their ordinals, `to` exclusive. */
export interface ItemRange {
  from: number;
  to: number;
}

export interface ItemCounts {
  total: number;
  /** Indexed by this run. */
  done: number;
  /** Stood there already, just so. */
  unchanged: number;
  /** Could not be read; the reason stands with each. */
  refused: number;
  /** Given up by a person. */
  failed: number;
  left: number;
  /** Passages of what is done or unchanged. */
  chunks: number;
}

export interface Collected {
  total: number;
  /** What was seen and not taken, and why; some of it. */
  skipped: { what: string; reason: string }[];
  skippedCount: number;
  /** What the source told about itself, e.g. a video's id, language and duration. */
  details: Record<string, unknown>;
}

/** Each may run twice, late, or be killed half-way, and leaves the same behind. */
export interface IngestRunActivities {
  /** Lists what is to be ingested: walks the folder, unpacks the archive, crawls, fetches. */
  collectItems(job: JobRef): Promise<Collected>;
  /**
   * Parses, embeds and publishes what is pending in a range, for some seconds. Content that cannot be read is refused item
   * by item. `more`: the same range is to be given once more.
   */
  indexItems(job: JobRef, range: ItemRange): Promise<{ finished: number; more?: boolean }>;
  /** Where something is pending still. */
  pendingItems(job: JobRef): Promise<ItemRange | null>;
  failItems(job: JobRef, range: ItemRange, error: { code: string; message: string }): Promise<void>;
  /** Deletes what was replaced. @returns the final figures, and some items for the answer, failures first. */
  finishRun(job: JobRef): Promise<{ counts: ItemCounts; items: Record<string, unknown>[] }>;
}
