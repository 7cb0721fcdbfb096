import { Context } from '@temporalio/activity';
import type { RereadingActivities } from '../../contracts/activities/signals/rereading.ts';
import type { Services } from '../../services/index.ts';
import { beat, longStage } from '../kernel/stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
const budgetMs = 10_000;

export const rereadingActivities = ({ rereading, reviews }: Services): RereadingActivities => ({
  rereadSome: (tenant) =>
    longStage(tenant, async () => {
      const signal = Context.current().cancellationSignal;
      const until = Date.now() + budgetMs;
      const { reviews: asked, ...done } = await rereading.some(tenant, {
        beat,
        signal,
        spent: () => signal.aborted || Date.now() >= until,
      });
      if (asked.length > 0) await reviews.startAll(tenant, asked);
      return done;
    }),
});
