import { condition, continueAsNew, defineSignal, setHandler, sleep } from '@temporalio/workflow';
import type { OpportunityActivities } from '../../../contracts/activities/signals/opportunities.ts';
import { drain, drainingActivities } from '../../kernel/drain.ts';
import { OpportunitiesState, type OpportunitiesCarried } from './state.ts';

/** Signals changed. */
export const wake = defineSignal('wake');

const { workOnOpportunities } = drainingActivities<OpportunityActivities>('10m');

/** Clusters a tenant's signals into opportunities, one process at a time; ends when nothing is left to do. */
export async function opportunities(tenant: string, carried?: OpportunitiesCarried): Promise<OpportunitiesCarried> {
  const state = new OpportunitiesState(carried);
  setHandler(wake, () => state.wake());

  await drain({
    async work() {
      if (state.gathering > 0) await sleep(state.gathering * 1_000);
      state.looking();
      state.worked(await workOnOpportunities(tenant));
    },
    describe: () => state.describe(),
    afresh: () => continueAsNew<typeof opportunities>(tenant, state.carried),
    async rest() {
      if (!state.busy) await condition(() => state.busy, state.idle * 1_000);
      return state.busy;
    },
  });
  return state.carried;
}
