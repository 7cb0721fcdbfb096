import { condition, continueAsNew, defineSignal, setHandler, sleep } from '@temporalio/workflow';
import type { EpisodeActivities } from '../../../contracts/activities/graph/episodes.ts';
import { drain, drainingActivities } from '../../kernel/drain.ts';
import { EpisodesState, type EpisodesCarried } from './state.ts';

/** An episode was queued. */
export const wake = defineSignal('wake');

const { takeEpisodes } = drainingActivities<EpisodeActivities>('10m');

/** Ingests a tenant's episodes into the graph in order, one process at a time; ends when the queue is empty. */
export async function episodes(tenant: string, carried?: EpisodesCarried): Promise<EpisodesCarried> {
  const state = new EpisodesState(carried);
  setHandler(wake, () => state.wake());

  await drain({
    async work() {
      state.looking();
      state.took(await takeEpisodes(tenant));
    },
    describe: () => state.describe(),
    afresh: () => continueAsNew<typeof episodes>(tenant, state.carried),
    async rest() {
      if (state.pause > 0) await sleep(state.pause * 1_000);
      else if (!state.busy) await condition(() => state.busy, state.idle * 1_000);
      return state.busy;
    },
  });
  return state.carried;
}
