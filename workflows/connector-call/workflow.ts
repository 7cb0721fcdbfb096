import { CancellationScope, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { ConnectorActivities, ConnectorAttempt, ConnectorRef } from '../../contracts/activities/connector.ts';
import type { JobActivities, JobSnapshot } from '../../contracts/activities/jobs.ts';
import { followJob } from '../job.ts';
import { ConnectorState } from './state.ts';

export interface ConnectorCallInput {
  ref: ConnectorRef;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Made by a process before this one. */
  attempts: number;
}

/** Once: whether it is sent again is decided here, by what is known of it. */
const sending = proxyActivities<Pick<ConnectorActivities, 'attemptConnectorCall'>>({
  startToCloseTimeout: '30s',
  // Nothing is sent before a worker has it, so it may wait for one.
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<ConnectorActivities, 'endConnectorCall'> & JobActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A call to another system: sent again only when it certainly did not arrive, or was looked for and not found. */
export async function connectorCall({ ref, rev, attempts }: ConnectorCallInput): Promise<JobSnapshot['result']> {
  const state = new ConnectorState(rev, attempts);
  const job = { tenant: ref.tenant, id: ref.jobId };
  const { end, show } = followJob(state, { unit: 'attempts', write: (snapshot) => records.writeJob(job, snapshot) });
  state.started();
  for (;;) {
    const { attempt, check } = state.next();
    const pause = state.attempted(await CancellationScope.nonCancellable(() => attempted(ref, attempt, check)));
    if (pause === null) break;
    show();
    try {
      await sleep(pause);
    } catch (error) {
      if (!isCancellation(error)) throw error;
      state.calledBack();
      break;
    }
  }
  return await CancellationScope.nonCancellable(async () => {
    // First what it says, then that it says so: whoever sees the job ended finds the answer.
    await records.endConnectorCall(ref, state.end!);
    await end();
    return state.snapshot().result;
  });
}

/** A worker that died, or an activity that never told: it may have been done. */
async function attempted(ref: ConnectorRef, attempt: number, check: boolean): Promise<ConnectorAttempt> {
  try {
    return await sending.attemptConnectorCall(ref, attempt, check);
  } catch {
    return {
      kind: 'unknown',
      error: { code: 'CONFLICT', message: 'It is not known whether it was done: the worker that sent it did not come back.' },
    };
  }
}
