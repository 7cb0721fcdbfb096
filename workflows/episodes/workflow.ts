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
import type { EpisodeActivities } from '../../contracts/activities/episodes.ts';
import { EpisodesState, type EpisodesCarried } from './state.ts';

/** An episode was queued. */
export const wake = defineSignal('wake');

/** Events after which the history starts afresh. */
const eventsPerRun = 1_000;

// An episode that cannot be taken in is told in the answer. What fails here is the platform's own trouble, and passes.
const { takeEpisodes } = proxyActivities<EpisodeActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
});

/** Takes a tenant's episodes into the graph in their order, one process at a time; ends when nothing is queued. */
export async function episodes(tenant: string, carried?: EpisodesCarried): Promise<EpisodesCarried> {
  const state = new EpisodesState(carried);
  setHandler(wake, () => state.wake());

  do {
    state.looking();
    state.took(await takeEpisodes(tenant));
    setCurrentDetails(state.describe());
    if (workflowInfo().historyLength > eventsPerRun) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof episodes>(tenant, state.carried);
    }
    if (state.pause > 0) await sleep(state.pause * 1_000);
    else if (!state.busy) await condition(() => state.busy, state.idle * 1_000);
  } while (state.busy);
  return state.carried;
}
