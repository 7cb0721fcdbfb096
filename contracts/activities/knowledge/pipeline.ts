import type { JobRef } from '../kernel/jobs.ts';

/** Activities of the pipeline over stored documents. Imports types only, so that workflow code may use it. */

export interface PipelineSlice {
  /** Where to continue; null: finished. */
  next: string | null;
  documents: number;
  passages: number;
}

export interface GraphSlice {
  next: string | null;
  documents: number;
  mentions: number;
  /** Questions for people, whose processes must be started. */
  reviews: string[];
}

export interface PipelineActivities {
  /** Number of documents of the job. */
  countDocuments(job: JobRef): Promise<number>;
  /** Recomputes postings and vectors of some documents, those with ids after `after`. */
  reindexDocuments(job: JobRef, after: string | null): Promise<PipelineSlice>;
  /** Number of documents to add to the graph. */
  countForGraph(job: JobRef): Promise<number>;
  /** Extracts the entities of some documents again. */
  graphDocuments(job: JobRef, after: string | null): Promise<GraphSlice>;
  /** Deletes entities without mentions. */
  tidyGraph(job: JobRef): Promise<number>;
}
