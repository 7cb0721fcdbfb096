import { continueAsNew, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type { JobActivities } from '../../../contracts/activities/kernel/jobs.ts';
import type { DigestRef, NotifyActivities, NotifyRef } from '../../../contracts/activities/outbound/notify.ts';
import { sendOnce, type OnceInput } from '../connector-call/once.ts';

export interface DigestInput {
  ref: DigestRef;
  /** Interval of the digest, in ms. */
  everyMs: number;
}

const sending = proxyActivities<Pick<NotifyActivities, 'attemptNotification'>>({
  startToCloseTimeout: '40s',
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 1 },
});
const records = proxyActivities<Pick<NotifyActivities, 'endNotification' | 'sendDigest'> & JobActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '300ms', maximumInterval: '30s' },
});

/** A notification. */
export async function notify(input: OnceInput<NotifyRef>): Promise<void> {
  await sendOnce(input, {
    attempt: sending.attemptNotification,
    lost: 'It is not known whether it was sent: the worker that sent it did not come back.',
    write: records.endNotification,
    writeJob: records.writeJob,
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
