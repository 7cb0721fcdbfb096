import { CancellationScope, continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { ClearActivities } from '../../../contracts/activities/graph/episodes.ts';
import type { JobActivities, JobRef, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { followJob } from '../../kernel/job.ts';
import { ClearState, type ClearCarried } from './state.ts';

export interface ClearInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
  carried?: ClearCarried;
}

// Retries without limit: a half-deleted graph is worse than none, so it waits for the database.
const activities = proxyActivities<ClearActivities & JobActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** Clears a tenant's graph, stage by stage. It cannot be cancelled. */
export async function clearGraph({ job, rev, carried }: ClearInput): Promise<JobSnapshot['result']> {
  const state = new ClearState(rev, carried);
  const { show, end, settle } = followJob(state, {
    job,
    unit: 'rows',
    write: (snapshot) => activities.writeJob(job, snapshot),
    continued: carried !== undefined,
  });
  return await CancellationScope.nonCancellable(async () => {
    if (!carried) {
      state.started();
      show();
    }
    for (let place = state.next; place; place = state.next) {
      state.cleared(await activities.clearSome({ tenant: job.tenant, jobId: job.id }, place));
      show();
      if (state.full && state.next) {
        await settle();
        return await continueAsNew<typeof clearGraph>({ job, rev: state.revision, carried: state.carried });
      }
    }
    state.completed();
    await end();
    return state.snapshot().result;
  });
}
