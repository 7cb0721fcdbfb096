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
  /** Made by a process before this one. */
  attempts: number;
}

export interface DigestInput {
  ref: DigestRef;
  /** How long is gathered, in ms. */
  everyMs: number;
}

/** Once: whether it is sent again is decided here, by what is known of it. */
const sending = proxyActivities<Pick<NotifyActivities, 'attemptNotification'>>({
  startToCloseTimeout: '40s',
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<NotifyActivities, 'endNotification' | 'sendDigest'> & JobActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A notification: sent again only when it did not arrive, or a repeat is known as one. */
export async function notify({ ref, rev, attempts }: NotifyInput): Promise<void> {
  const state = new ConnectorState(rev, attempts);
  const job = { tenant: ref.tenant, id: ref.jobId };
  const { end, show } = followJob(state, { unit: 'attempts', write: (snapshot) => records.writeJob(job, snapshot) });
  state.started();
  await untilKnown(state, {
    attempt: (attempt, check) => sending.attemptNotification(ref, attempt, check),
    lost: 'It is not known whether it was sent: the worker that sent it did not come back.',
    show,
  });
  await CancellationScope.nonCancellable(async () => {
    // First the notification, then its job: whoever sees the job ended finds how it ended.
    await records.endNotification(ref, state.end!, state.snapshot().status === 'cancelled');
    await end();
  });
}

/** Told for each notification that waits. */
export const more = defineSignal('more');
/** Then goes on from a short history. */
const mostRounds = 100;

/** Gathers what is not urgent for a recipient: one notification each time, as long as there is something. */
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
