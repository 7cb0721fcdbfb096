import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { ConnectorActivities, ConnectorRef } from '../../../contracts/activities/connector.ts';
import type { JobActivities, JobSnapshot } from '../../../contracts/activities/jobs.ts';
import { followJob } from '../../kernel/job.ts';
import { untilKnown } from './attempts.ts';
import { ConnectorState } from './state.ts';

export interface ConnectorCallInput {
  ref: ConnectorRef;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Attempts of previous processes. */
  attempts: number;
}

/** One attempt each: this workflow decides about retries, from the outcome. */
const sending = proxyActivities<Pick<ConnectorActivities, 'attemptConnectorCall'>>({
  startToCloseTimeout: '30s',
  // May wait for a worker, because nothing is sent before one has it.
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<ConnectorActivities, 'endConnectorCall'> & JobActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A call to another system: repeated only if it certainly did not arrive, or if the provider does not have it. */
export async function connectorCall({ ref, rev, attempts }: ConnectorCallInput): Promise<JobSnapshot['result']> {
  const state = new ConnectorState(rev, attempts);
  const job = { tenant: ref.tenant, id: ref.jobId };
  const { end, show } = followJob(state, { unit: 'attempts', write: (snapshot) => records.writeJob(job, snapshot) });
  state.started();
  await untilKnown(state, {
    attempt: (attempt, check) => sending.attemptConnectorCall(ref, attempt, check),
    lost: 'It is not known whether it was done: the worker that sent it stopped responding.',
    show,
  });
  return await CancellationScope.nonCancellable(async () => {
    // Write the answer before the job: a reader who sees the job ended finds the answer.
    await records.endConnectorCall(ref, state.end!);
    await end();
    return state.snapshot().result;
  });
}
