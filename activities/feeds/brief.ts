import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type {
  BriefActivities,
  BriefClockActivities,
  BriefOutboundActivities,
  BriefRequestActivities,
} from '../../contracts/activities/feeds/brief.ts';
import { AppError } from '../../contracts/errors.ts';
import { failureType } from '../../contracts/temporal.ts';
import { fetchPage, harvestSource } from '../../services/feeds/briefs/harvest.ts';
import type { BriefService } from '../../services/feeds/briefs/index.ts';
import { beginBrief, endBrief, scoreArticles, settleHarvest, storeArticles, writeBrief } from '../../services/feeds/briefs/stages.ts';
import { tellReaders } from '../../services/feeds/briefs/tell.ts';
import { patientStage, stage } from '../kernel/stage.ts';

/** How often to wait for a rate-limited provider before the brief is made without it. */
const patience = 3;

const signal = (): AbortSignal => Context.current().cancellationSignal;
const attempt = (): number => Context.current().info.attempt;
const isLast = (): boolean => attempt() >= (Context.current().info.retryPolicy?.maximumAttempts ?? 5);

export const briefActivities = (briefs: BriefService): BriefActivities & BriefRequestActivities & BriefClockActivities => {
  const deps = briefs.stages;
  return {
    beginBrief: (job) => patientStage(job.tenant, () => beginBrief(deps, job)),
    settleHarvest: (job, feeds) => patientStage(job.tenant, () => settleHarvest(deps, job, feeds)),
    scoreArticles: (job) => patientStage(job.tenant, () => scoreArticles(deps, job, signal())),
    storeArticles: (job) => patientStage(job.tenant, () => storeArticles(deps, job)),
    writeBrief: (job) => patientStage(job.tenant, () => writeBrief(deps, job, { last: attempt() >= patience, signal: signal() })),
    endBrief: (job, outcome) => patientStage(job.tenant, () => endBrief(deps, job, outcome)),
    generateBrief: (job) => patientStage(job.tenant, () => told(() => briefs.write(job, signal()))),
    startDailyBrief: (tenant, at) => stage(tenant, () => briefs.runScheduled(tenant, new Date(at))),
  };
};

export const briefOutboundActivities = (briefs: BriefService): BriefOutboundActivities => {
  const deps = briefs.stages;
  return {
    harvestSource: (job, feed) => patientStage(job.tenant, () => harvestSource(deps, job, feed, signal())),
    fetchPage: (job, key) => patientStage(job.tenant, () => fetchPage(deps, job, key, signal())),
    tellReaders: (job, made) => patientStage(job.tenant, () => tellReaders(deps, job, made, { last: isLast() })),
  };
};

/** The caller of a brief decides whether to wait for its provider. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RATE_LIMIT_EXCEEDED') throw error;
    const { code, message, details } = error;
    throw ApplicationFailure.create({ type: failureType(code), message, nonRetryable: true, details: [details ?? {}], cause: error });
  }
}
