import { CancellationScope, proxyActivities, sleep } from '@temporalio/workflow';
import type { JobActivities, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { RemovalActivities, RemovalRef } from '../../../contracts/activities/knowledge/removal.ts';
import { followJob } from '../../kernel/job.ts';
import { RemovalState } from './state.ts';

export interface RemovalInput {
  ref: RemovalRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

// Retries without limit: hidden records must be deleted in the end.
const removing = proxyActivities<RemovalActivities & JobActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** How often to wait for a cancelled ingestion; the waits grow from 250 ms to 5 s. */
const waits = 12;

/** Deletes records that a command has hidden. It cannot be cancelled, only overtaken by a later submission. */
export async function removal({ ref, rev }: RemovalInput): Promise<JobSnapshot['result']> {
  const job = { tenant: ref.tenant, id: ref.jobId };
  const state = new RemovalState(rev);
  const { show, end } = followJob(state, {
    job,
    unit: 'passages',
    write: (snapshot) => removing.writeJob(job, snapshot),
    paced: true,
  });

  await CancellationScope.nonCancellable(async () => {
    do {
      state.started();
      show();
      for (let waited = 0; ;) {
        const ingesting = await removing.callOff(ref);
        const left = await removing.removeSome(ref);
        state.removed(left);
        if (!left.more && ingesting && waited < waits) {
          state.waiting();
          show();
          await sleep(Math.min(5_000, 250 * 2 ** waited));
          waited += 1;
        } else if (left.more) show();
        else break;
      }
      state.completed();
      await end();
      // More may have been removed just as this removal finished.
    } while (await removing.reopened(ref));
  });
  return state.snapshot().result;
}
