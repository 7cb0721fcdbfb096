import { Context } from '@temporalio/activity';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { PipelineActivities } from '../contracts/activities/pipeline.ts';
import { countChosen, reindexSlice, specOfPipeline } from '../services/knowledge/reindex.ts';
import { beat, longStage } from './stage.ts';

export const pipelineActivities = ({ db, embedder }: { db: Database; embedder: Embedder | null }): PipelineActivities => ({
  countDocuments: (job) =>
    longStage(job.tenant, async () => {
      const { scope, skip_ingestion } = await specOfPipeline(db, job);
      return skip_ingestion ? 0 : await countChosen(db, job.tenant, scope, embedder?.id ?? null);
    }),

  reindexDocuments: (job, after) =>
    longStage(job.tenant, async () => {
      const { scope, skip_ingestion } = await specOfPipeline(db, job);
      if (skip_ingestion) return { next: null, documents: 0, passages: 0 };
      const signal = Context.current().cancellationSignal;
      return await reindexSlice(db, embedder, job.tenant, scope, after, { beat, signal });
    }),
});
