import { condition, continueAsNew, defineSignal, setHandler, sleep } from '@temporalio/workflow';
import type { RereadingActivities } from '../../../contracts/activities/signals/rereading.ts';
import { drain, drainingActivities } from '../../kernel/drain.ts';
import { RereadingState, type RereadingCarried } from './state.ts';

/** The directory of names may have changed. */
export const wake = defineSignal('wake');

const { rereadSome } = drainingActivities<RereadingActivities>('10m');

/** Reads a tenant's documents again when names in them are known better, one process at a time; ends when none is left. */
export async function rereading(tenant: string, carried?: RereadingCarried): Promise<RereadingCarried> {
  const state = new RereadingState(carried);
  setHandler(wake, () => state.wake());

  await drain({
    async work() {
      if (state.gathering > 0) await sleep(state.gathering * 1_000);
      state.looking();
      state.did(await rereadSome(tenant));
    },
    describe: () => state.describe(),
    afresh: () => continueAsNew<typeof rereading>(tenant, state.carried),
    async rest() {
      if (!state.busy) await condition(() => state.busy, state.idle * 1_000);
      return state.busy;
    },
  });
  return state.carried;
}
