import { Context } from '@temporalio/activity';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { PipelineActivities } from '../../contracts/activities/pipeline.ts';
import type { MatchSettings } from '../../services/graph/index.ts';
import type { SignalsService } from '../../services/signals/index.ts';
import { countForGraph, graphSlice, tidyEntities } from '../../services/graph/index.ts';
import { countChosen, reindexSlice, specOfPipeline } from '../../services/knowledge/reindex.ts';
import { beat, longStage } from '../kernel/stage.ts';

interface Deps {
  db: Database;
  embedder: Embedder | null;
  matching: MatchSettings;
}

export const pipelineActivities = ({ db, embedder, matching }: Deps, signals: SignalsService): PipelineActivities => ({
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

  countForGraph: (job) => longStage(job.tenant, async () => countForGraph(db, job.tenant, (await specOfPipeline(db, job)).scope)),

  graphDocuments: (job, after) =>
    longStage(job.tenant, async () => {
      const { scope } = await specOfPipeline(db, job);
      const options = { beat, signal: Context.current().cancellationSignal };
      const { ids, ...slice } = await graphSlice({ db, matching }, job.tenant, scope, after, options);
      await signals.read(job.tenant, ids, { ...options, again: true });
      return slice;
    }),

  tidyGraph: (job) => longStage(job.tenant, () => tidyEntities(db, job.tenant)),
});
