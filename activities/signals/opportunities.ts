import { Context } from '@temporalio/activity';
import type { OpportunityActivities } from '../../contracts/activities/opportunities.ts';
import type { Services } from '../../services/index.ts';
import { workSome } from '../../services/signals/opportunities/work.ts';
import { beat, longStage } from '../kernel/stage.ts';

/** How long one call works before it lets the workflow look up, in ms. */
const budgetMs = 10_000;

export const opportunityActivities = ({ kernel }: Services): OpportunityActivities => ({
  async workOnOpportunities(tenant) {
    const { cancellationSignal } = Context.current();
    const until = Date.now() + budgetMs;
    return await longStage(tenant, () =>
      workSome(kernel, tenant, { beat, spent: () => cancellationSignal.aborted || Date.now() >= until }),
    );
  },
});
