import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { OpportunityActivities } from '../../contracts/activities/opportunities.ts';
import { OpportunitiesState, type OpportunitiesCarried } from './state.ts';

/** Signals changed. */
export const wake = defineSignal('wake');

/** Events after which the history starts afresh. */
const eventsPerRun = 1_000;

// What fails here is the platform's own trouble, and passes.
const { workOnOpportunities } = proxyActivities<OpportunityActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Gathers a tenant's signals into opportunities, one process at a time; ends when nothing is left to do. */
export async function opportunities(tenant: string, carried?: OpportunitiesCarried): Promise<OpportunitiesCarried> {
  const state = new OpportunitiesState(carried);
  setHandler(wake, () => state.wake());

  do {
    if (state.gathering > 0) await sleep(state.gathering * 1_000);
    state.looking();
    state.worked(await workOnOpportunities(tenant));
    setCurrentDetails(state.describe());
    if (workflowInfo().historyLength > eventsPerRun) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof opportunities>(tenant, state.carried);
    }
    if (!state.busy) await condition(() => state.busy, state.idle * 1_000);
  } while (state.busy);
  return state.carried;
}
