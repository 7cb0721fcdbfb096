import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { ConnectorAttempt, ConnectorEnd } from '../../../contracts/activities/outbound/connector.ts';
import type { JobActivities, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import { followJob } from '../../kernel/job.ts';
import { ConnectorState } from './state.ts';

export interface OnceInput<R> {
  ref: R;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Made by a process before this one. */
  attempts: number;
}

interface Once<R> extends JobActivities {
  /** Never repeated by Temporal: whether it is sent again is decided here. @param check look first whether an earlier one has arrived */
  attempt(ref: R, attempt: number, check: boolean): Promise<ConnectorAttempt>;
  /** What is said of an attempt that never told how it ended. */
  lost: string;
  write(ref: R, end: ConnectorEnd, cancelled: boolean): Promise<void>;
}

/** Sends something as its job: again only when it certainly did not arrive, or was looked for and not found. */
export async function sendOnce<R extends { tenant: string; jobId: string }>(
  { ref, rev, attempts }: OnceInput<R>,
  { attempt, lost, write, writeJob }: Once<R>,
): Promise<JobSnapshot['result']> {
  const state = new ConnectorState(rev, attempts);
  const job = { tenant: ref.tenant, id: ref.jobId };
  const { end, show } = followJob(state, { job, unit: 'attempts', write: (snapshot) => writeJob(job, snapshot) });
  state.started();
  for (;;) {
    const { attempt: number, check } = state.next();
    // A worker that died, or an activity that never told: it may have been done.
    const unknown = (): ConnectorAttempt => ({ kind: 'unknown', error: { code: 'CONFLICT', message: lost } });
    const pause = state.attempted(await CancellationScope.nonCancellable(() => attempt(ref, number, check).catch(unknown)));
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
    // First what it says, then that it says so: whoever sees the job ended finds how it ended.
    await write(ref, state.end!, state.snapshot().status === 'cancelled');
    await end();
    return state.snapshot().result;
  });
}
