import { Context } from '@temporalio/activity';
import type { CaughtUp, ProjectionActivities, RebuildPlace, RebuildStep } from '../../contracts/activities/kernel/projection.ts';
import type { ProjectionService } from '../../services/kernel/projections/index.ts';
import { beating } from './stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
const budgetMs = 10_000;

/** Errors are passed to Temporal unchanged and retried without limit. */
export const projectionActivities = (projections: ProjectionService): ProjectionActivities => ({
  catchUpVectors: () => catchUp(projections, 'vectors'),
  rebuildVectors: (place) => rebuild(projections, 'vectors', place, 'QDRANT_URL or no embedding model'),
  catchUpGraph: () => catchUp(projections, 'graph'),
  rebuildGraph: (place) => rebuild(projections, 'graph', place, 'NEO4J_URI'),
});

type CopyName = Parameters<ProjectionService['progress']>[0];

const catchUp = (projections: ProjectionService, copy: CopyName): Promise<CaughtUp> =>
  withinBudget(
    async (spent) => (await projections.catchUp({ spent }, copy)) ?? { state: 'off', documents: 0, passages: 0, unprojected: null },
  );

const rebuild = (projections: ProjectionService, copy: CopyName, place: RebuildPlace, lacking: string): Promise<RebuildStep> =>
  withinBudget(async (spent) => {
    const step = await projections.rebuildStep(place, { spent }, copy);
    if (!step) throw new Error(`This worker has no ${lacking}, others have.`);
    return step;
  });

async function withinBudget<T>(work: (spent: () => boolean) => Promise<T>): Promise<T> {
  const { cancellationSignal } = Context.current();
  const until = Date.now() + budgetMs;
  return await beating(() => work(() => cancellationSignal.aborted || Date.now() >= until));
}
