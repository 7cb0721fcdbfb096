import { Context } from '@temporalio/activity';
import type { ProjectionActivities } from '../contracts/activities/projection.ts';
import type { ProjectionService } from '../services/projections/index.ts';
import { beat } from './stage.ts';

/** How long one call works before it lets the workflow look up, in ms. */
const budgetMs = 10_000;

/** Errors go to Temporal as they are: what cannot be done now is tried again, however long it takes. */
export const projectionActivities = (projections: ProjectionService): ProjectionActivities => ({
  catchUpVectors: () =>
    withinBudget(async (spent) => (await projections.catchUp({ spent })) ?? { state: 'off', documents: 0, passages: 0, unprojected: null }),

  rebuildVectors: (place) =>
    withinBudget(async (spent) => {
      const step = await projections.rebuildStep(place, { spent });
      if (!step) throw new Error('This worker has no QDRANT_URL or no embedding model, others have.');
      return step;
    }),
});

async function withinBudget<T>(work: (spent: () => boolean) => Promise<T>): Promise<T> {
  const { cancellationSignal } = Context.current();
  const until = Date.now() + budgetMs;
  const beating = setInterval(beat, 3_000);
  try {
    return await work(() => cancellationSignal.aborted || Date.now() >= until);
  } finally {
    clearInterval(beating);
  }
}
