import { Context } from '@temporalio/activity';
import type { OpportunityActivities } from '../../contracts/activities/signals/opportunities.ts';
import type { Services } from '../../services/index.ts';
import { workSome } from '../../services/signals/opportunities/work.ts';
import { beat, longStage } from '../kernel/stage.ts';

/** Duration of one call before it returns to the workflow, in ms. */
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
