import type { JobRef } from './jobs.ts';

/** What the pipeline over stored documents does to the world. Imports types only, so that workflow code may use it. */

export interface PipelineSlice {
  /** Where to go on; null: all are done. */
  next: string | null;
  documents: number;
  passages: number;
}

export interface GraphSlice {
  next: string | null;
  documents: number;
  mentions: number;
  /** Questions for people, whose processes are to be started. */
  reviews: string[];
}

export interface PipelineActivities {
  /** How many documents the job is about. */
  countDocuments(job: JobRef): Promise<number>;
  /** Counts the words and makes the vectors of some documents anew, those whose ids come after `after`. */
  reindexDocuments(job: JobRef, after: string | null): Promise<PipelineSlice>;
  /** How many documents are to be taken into the graph. */
  countForGraph(job: JobRef): Promise<number>;
  /** Finds the entities of some documents once more. */
  graphDocuments(job: JobRef, after: string | null): Promise<GraphSlice>;
  /** Deletes entities that nothing speaks of any more. */
  tidyGraph(job: JobRef): Promise<number>;
}
