import { CancellationScope, continueAsNew, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { JobActivities } from '../../../contracts/activities/jobs.ts';
import type { DigestRef, NotifyActivities, NotifyRef } from '../../../contracts/activities/notify.ts';
import { untilKnown } from '../connector-call/attempts.ts';
import { ConnectorState } from '../connector-call/state.ts';
import { followJob } from '../../kernel/job.ts';

export interface NotifyInput {
  ref: NotifyRef;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Attempts of previous processes. */
  attempts: number;
}

export interface DigestInput {
  ref: DigestRef;
  /** Interval of the digest, in ms. */
  everyMs: number;
}

/** One attempt each: this workflow decides about retries, from the outcome. */
const sending = proxyActivities<Pick<NotifyActivities, 'attemptNotification'>>({
  startToCloseTimeout: '40s',
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<NotifyActivities, 'endNotification' | 'sendDigest'> & JobActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A notification: retried only if it did not arrive, or if the channel recognizes repeats. */
export async function notify({ ref, rev, attempts }: NotifyInput): Promise<void> {
  const state = new ConnectorState(rev, attempts);
  const job = { tenant: ref.tenant, id: ref.jobId };
  const { end, show } = followJob(state, { unit: 'attempts', write: (snapshot) => records.writeJob(job, snapshot) });
  state.started();
  await untilKnown(state, {
    attempt: (attempt, check) => sending.attemptNotification(ref, attempt, check),
    lost: 'It is not known whether it was sent: the worker that sent it stopped responding.',
    show,
  });
  await CancellationScope.nonCancellable(async () => {
    // Write the notification before its job: a reader who sees the job ended finds the outcome.
    await records.endNotification(ref, state.end!, state.snapshot().status === 'cancelled');
    await end();
  });
}

/** Signalled for each waiting notification. */
export const more = defineSignal('more');
/** Continues as new after this many rounds. */
const mostRounds = 100;

/** Sends a recipient's non-urgent notifications as digests, until none are left. */
export async function notifyDigest({ ref, everyMs }: DigestInput): Promise<void> {
  let told = true;
  setHandler(more, () => {
    told = true;
  });
  for (let round = 0; told; round += 1) {
    if (round === mostRounds) await continueAsNew<typeof notifyDigest>({ ref, everyMs });
    await sleep(everyMs);
    told = false;
    await records.sendDigest(ref);
  }
}
