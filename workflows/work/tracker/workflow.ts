import { patched, proxyActivities } from '@temporalio/workflow';
import type { SyncDone, TrackerActivities, TrackerRef } from '../../../contracts/activities/work/tracker.ts';
import { failureOf } from '../../kernel/failure.ts';

const asking = proxyActivities<TrackerActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  // The next sync goes on where this one gives up.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 },
});
const records = proxyActivities<Pick<TrackerActivities, 'beginSync' | 'endSync'>>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** Pages of issues per sync: a first import of many goes on with the next one. */
const mostPages = 200;

/** One sync of an issue tracker. A part that fails does not keep the others from being tried. */
export async function trackerSync(ref: TrackerRef): Promise<SyncDone | null> {
  if (!(await records.beginSync(ref))) return null;
  const done: SyncDone = { imported: 0, changed: 0, comments: 0, written: 0, pulls: 0, left: 0 };
  let error: string | null = null;
  const part = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (failure) {
      error ??= failureOf(failure, 'The sync').message;
    }
  };
  await part(async () => {
    for (let page = 0, more = true; more && page < mostPages; page += 1) {
      const step = await asking.importIssues(ref);
      done.imported += step.imported;
      done.changed += step.changed;
      done.comments += step.comments;
      more = step.more;
    }
  });
  if (patched('issues-that-left')) {
    await part(async () => {
      done.left = (await asking.lookForIssues(ref)).left;
    });
  }
  await part(async () => {
    done.pulls = (await asking.followPulls(ref)).pulls;
  });
  await part(async () => {
    done.written = (await asking.tellIssues(ref)).written;
  });
  await records.endSync(ref, { ...done, error });
  return done;
}
