import { defineSearchAttributeKey } from '@temporalio/common';
import { ActivityFailure, ApplicationFailure, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type {
  BriefActivities,
  BriefClockActivities,
  BriefOutboundActivities,
  BriefRequestActivities,
  StoredCounts,
} from '../../../contracts/activities/feeds/brief.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import { queues } from '../../../contracts/temporal.ts';
import { runJob } from '../../kernel/job.ts';
import { RequestState } from './request-state.ts';
import { DailyBriefState } from './state.ts';

export interface BriefInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

/** Sources read at once: so many that hanging ones do not delay the others, but fewer than the queue's slots. */
const atOnce = 150;
/** Sources between two progress updates. */
const toldEach = 10;
// Retries for an hour, longer than other jobs, because nobody restarts it: an outage does not end a day's brief, and
// a defect of ours does not retry forever.
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 60 };
const { beginBrief, settleHarvest, scoreArticles, storeArticles, writeBrief, endBrief } = proxyActivities<BriefActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry,
});
const { generateBrief } = proxyActivities<BriefRequestActivities>({ startToCloseTimeout: '10m', heartbeatTimeout: '15s', retry });
// Each source has its own timeout and retries; these retries are for dead workers and stores that are unavailable for
// some minutes.
const { harvestSource, fetchPage } = proxyActivities<BriefOutboundActivities>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '45s',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 10 },
});
const { tellReaders } = proxyActivities<BriefOutboundActivities>({
  taskQueue: queues.outbound,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '15s',
  retry,
});

/**
 * The brief of a day: sources are read in parallel, articles scored and stored, readers notified. Articles stay in
 * their rows.
 */
export async function dailyBrief({ job, rev }: BriefInput): Promise<void> {
  const state = new DailyBriefState(rev);
  let stored: StoredCounts | null = null;
  let generated = false;
  const undo = async (failure: { message: string } | null): Promise<void> => {
    await endBrief(job, { ok: false, stored, generated, error: failure?.message ?? 'It was cancelled.' }).catch(() => {});
  };
  await runJob(state, job, { kind: 'daily_brief', unit: 'sources', undo }, async ({ show }) => {
    const feeds = await beginBrief(job);
    state.begin('harvest', feeds.length);
    show();
    const left = [...feeds];
    let failed = 0;
    const readOn = async (): Promise<void> => {
      for (let feed = left.shift(); feed !== undefined; feed = left.shift()) {
        if (!(await orFalse(harvestSource(job, feed).then(({ ok }) => ok)))) failed += 1;
        // A progress update costs as much as reading a source, so not every source has one.
        if (state.advanced() % toldEach === 0) show();
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, feeds.length) }, readOn));
    state.harvested(feeds.length, failed);
    state.begin('pages');
    show();
    const pages = await settleHarvest(job, feeds);
    await Promise.all(pages.map((key) => orFalse(fetchPage(job, key))));
    state.begin('score');
    show();
    state.note({ relevant: await scoreArticles(job) });
    state.begin('store');
    stored = await storeArticles(job);
    state.note({ articles: stored });
    state.begin('write');
    show();
    const brief = await writeBrief(job);
    generated = true;
    state.note({ brief });
    await endBrief(job, { ok: true, stored, generated, error: null });
    state.begin('tell');
    state.note({ readers: await tellReaders(job, { brief: brief.brief, version: brief.version }) });
    state.completed();
  });
}

/** An unreadable source is reported with the other failed ones; a cancellation ends the whole brief. */
async function orFalse(work: Promise<boolean>): Promise<boolean> {
  try {
    return await work;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return false;
  }
}

/** A brief of given articles. */
export async function brief({ job, rev }: BriefInput): Promise<void> {
  const state = new RequestState(rev);
  const undo = async (failure: unknown, error: unknown): Promise<void> => {
    if (failure !== null) state.explain(detailsOf(error));
  };
  await runJob(state, job, { kind: 'brief', unit: 'steps', undo }, async () => state.completed(await generateBrief(job)));
}

/** Details of an expected failure, e.g. how long to wait. */
function detailsOf(error: unknown): Record<string, unknown> | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? ((cause.details?.[0] as Record<string, unknown> | undefined) ?? null) : null;
}

const scheduledStart = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');
const { startDailyBrief } = proxyActivities<BriefClockActivities>({
  startToCloseTimeout: '1m',
  // As long as a missed run of the schedule is caught up.
  scheduleToCloseTimeout: '12h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
});

/** Starts the run of the day for which the schedule fired, even if it fired late. */
export async function briefClock(tenant: string): Promise<void> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  await startDailyBrief(tenant, (typedSearchAttributes.get(scheduledStart) ?? startTime).toISOString());
}
