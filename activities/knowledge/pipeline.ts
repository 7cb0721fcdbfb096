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
      return await reindexSlice(kernel.db, kernel.embedder, job.tenant, scope, after, { beat, signal });
    }),

  countForGraph: (job) =>
    longStage(job.tenant, async () => countForGraph(kernel.db, job.tenant, (await specOfPipeline(kernel.db, job)).scope)),

  graphDocuments: (job, after) =>
    longStage(job.tenant, async () => {
      const { scope } = await specOfPipeline(kernel.db, job);
      const options = { beat, signal: Context.current().cancellationSignal };
      const { ids, ...slice } = await graphSlice(kernel, job.tenant, scope, after, { ...options, model: kernel });
      await signals.read(job.tenant, ids, { ...options, again: true });
      return slice;
    }),

  tidyGraph: (job) => longStage(job.tenant, () => tidyEntities(kernel.db, job.tenant)),
});
