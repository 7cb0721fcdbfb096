import { Context } from '@temporalio/activity';
import type { PipelineActivities } from '../../contracts/activities/knowledge/pipeline.ts';
import type { Services } from '../../services/index.ts';
import { countForGraph, graphSlice, tidyEntities } from '../../services/graph/index.ts';
import { countChosen, reindexSlice, specOfPipeline } from '../../services/knowledge/reindex.ts';
import { beat, longStage } from '../kernel/stage.ts';

export const pipelineActivities = ({ kernel, signals }: Services): PipelineActivities => ({
  countDocuments: (job) =>
    longStage(job.tenant, async () => {
      const { scope, skip_ingestion } = await specOfPipeline(kernel.db, job);
      return skip_ingestion ? 0 : await countChosen(kernel.db, job.tenant, scope, kernel.embedder?.id ?? null);
    }),

  reindexDocuments: (job, after) =>
    longStage(job.tenant, async () => {
      const { scope, skip_ingestion } = await specOfPipeline(kernel.db, job);
      if (skip_ingestion) return { next: null, documents: 0, passages: 0 };
      const signal = Context.current().cancellationSignal;
      const slice = await reindexSlice(kernel.db, kernel.embedder, job.tenant, scope, after, { beat, signal });
      // Statements have vectors of their own; what is done is not done again.
      if (slice.next === null) await signals.embed(job.tenant, { beat, signal });
      return slice;
    }),

  countForGraph: (job) =>
    longStage(job.tenant, async () => {
      const { scope, index_only } = await specOfPipeline(kernel.db, job);
      return index_only ? 0 : await countForGraph(kernel.db, job.tenant, scope);
    }),

  graphDocuments: (job, after) =>
    longStage(job.tenant, async () => {
      const { scope, index_only } = await specOfPipeline(kernel.db, job);
      if (index_only) return { next: null, documents: 0, mentions: 0, reviews: [] };
      const options = { beat, signal: Context.current().cancellationSignal };
      const { ids, ...slice } = await graphSlice(kernel, job.tenant, scope, after, { ...options, model: kernel });
      await signals.read(job.tenant, ids, { ...options, again: true });
      return slice;
    }),

  tidyGraph: (job) => longStage(job.tenant, () => tidyEntities(kernel.db, job.tenant)),
});
