import { isUniqueViolation } from '../../../adapters/postgres/errors.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import type { BriefMade } from '../../../contracts/activities/feeds/brief.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { Brief, BriefSettings, BriefSource, GivenSettings, TopArticle } from '../../../contracts/feeds/briefs.ts';
import { AppError, errorCodes } from '../../../contracts/errors.ts';
import { derivedId, hashOf } from '../../../contracts/ids.ts';
import type { Job } from '../../../contracts/jobs.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { Jobs } from '../../kernel/jobs.ts';
import { waitDefault } from '../../kernel/waiting.ts';
import { Service } from '../../kernel/service.ts';
import { RunArticles } from './articles.ts';
import { readToken } from './links.ts';
import type { BriefFeeds, BriefNotifications } from './ports.ts';
import { BriefRecords } from './records.ts';
import { briefMarkdown, briefPage } from './render.ts';
import { checkArticles, writeRequested } from './request.ts';
import { clockIsRight, followClock } from './schedule.ts';
import { dayIn, endOfDay, saveSettings, settingsOf } from './settings.ts';
import { dailyOf, runIdOf, type DailySpec, type RequestSpec } from './spec.ts';
import { linkOf, type TellingDeps } from './tell.ts';

/** The caller. */
export interface BriefCaller {
  tenant: string;
  principal: string;
}

export interface Waiting {
  callKey: string;
  waitMs?: number;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

/** How long a call waits for its brief, in ms: perception's contract is synchronous, others may get a job. */
const waitSynchronous = 30_000;
/** Retention of ended runs' rows, in days. */
const articlesKept = 30;

/** The daily brief: articles of the sources, scored by a tenant's topics, one entry per story with its evidence. */
export class BriefService extends Service<
  'temporal' | 'processes' | 'secrets' | 'jobs' | 'embedder' | 'language' | 'a2a',
  { feeds: BriefFeeds; notifications: BriefNotifications }
> {
  readonly records = new BriefRecords(this.deps);
  /** Dependencies of the workflow's steps. */
  readonly stages: TellingDeps = { ...this.deps, briefs: this.records, articles: new RunArticles(this.deps) };

  /**
   * Makes a brief of given articles, and waits for it. The same run, day and articles give the same version.
   * @throws AppError VALIDATION_ERROR without articles or for an invalid address; RATE_LIMIT_EXCEEDED with
   * `details.provider_error` from the language model; as the job failed
   */
  async generate(
    { tenant, principal }: BriefCaller,
    wanted: { runId: string; date: string; articles: TopArticle[]; maxHighlights: number },
    { callKey, waitMs = waitSynchronous, onProgress }: Waiting,
  ): Promise<{ job: Job; brief: Brief | null }> {
    const { runId, date, articles, maxHighlights } = wanted;
    checkArticles(articles);
    const spec: RequestSpec = { run_id: runId, date, articles, max_highlights: maxHighlights };
    const job = await this.begin(tenant, {
      id: derivedId('job', tenant, 'brief', callKey),
      kind: 'brief',
      title: `Brief of ${date}`,
      workflowId: workflowIds.brief(tenant, hashOf(spec).slice(0, 40)),
      spec,
      createdBy: principal,
    });
    return await this.settled(tenant, job, waitMs, onProgress);
  }

  /**
   * Runs the daily brief of a day, or joins a running one. A repeat updates the brief.
   * @param wanted.date default: today, in the settings' time zone
   * @param wanted.notify true: notify readers again, false: do not; default: once a day
   * @throws AppError VALIDATION_ERROR for a future day; SERVICE_UNAVAILABLE while a run of this day with other notify
   * settings is running; as the job failed
   */
  async run(
    { tenant, principal }: BriefCaller,
    wanted: { date?: string | undefined; notify?: boolean | undefined },
    { callKey, waitMs = waitDefault, onProgress }: Waiting,
  ): Promise<{ job: Job; brief: Brief | null }> {
    const { settings } = await settingsOf(this.deps, tenant);
    const today = dayIn(settings.time_zone, new Date());
    const date = wanted.date ?? today;
    if (date > today) {
      throw new AppError('VALIDATION_ERROR', `${date} has not come yet (${settings.time_zone}).`, { details: { today } });
    }
    const until = Math.min(Date.now(), endOfDay(settings.time_zone, date).getTime());
    const spec: DailySpec = {
      date,
      run_id: runIdOf(date),
      notify: wanted.notify ?? null,
      from: new Date(until - settings.lookback_hours * 3_600_000).toISOString(),
      until: new Date(until).toISOString(),
    };
    const job = await this.begin(tenant, {
      id: derivedId('job', tenant, 'daily-brief', callKey),
      kind: 'daily_brief',
      title: `Daily brief of ${date}`,
      workflowId: workflowIds.dailyBrief(tenant, date),
      spec,
      createdBy: principal,
    });
    const { notify } = (await dailyOf(this.db, { tenant, id: job.job_id })).spec;
    // A running job that notifies readers again also covers a request for the default.
    if (notify !== spec.notify && !(notify === true && spec.notify === null)) throw otherReaders(date, job);
    return await this.settled(tenant, job, waitMs, onProgress);
  }

  /** Called by the schedule: runs the brief of `at`'s day, unless it was disabled. */
  async runScheduled(tenant: string, at: Date): Promise<void> {
    const { settings } = await settingsOf(this.deps, tenant);
    if (!settings.enabled) return;
    const date = dayIn(settings.time_zone, at);
    await this.run({ tenant, principal: 'signalbox' }, { date }, { callKey: `clock:${at.toISOString()}`, waitMs: 0 });
  }

  /**
   * @returns the brief with a link for readers, valid for 30 days.
   * @throws AppError NOT_FOUND
   */
  async get(
    tenant: string,
    wanted: { briefId?: string | undefined; date?: string | undefined; version?: number | undefined },
  ): Promise<{ brief: Brief; markdown: string; link: string; sources: BriefSource[] }> {
    const found =
      wanted.briefId === undefined
        ? await this.records.latest(tenant, wanted.date)
        : await this.records.get(tenant, wanted.briefId, wanted.version);
    const brief =
      wanted.version === undefined || wanted.briefId !== undefined ? found : await this.records.get(tenant, found.brief_id, wanted.version);
    const sources = await this.stages.articles.sources({ tenant, runId: brief.run_id });
    return { brief, markdown: briefMarkdown(brief), link: linkOf(this.stages, tenant, brief), sources };
  }

  /**
   * The page of a link: the newest brief of its day.
   * @throws AppError UNAUTHORIZED, GONE, NOT_FOUND
   */
  async page(date: string, token: string): Promise<string> {
    const tenant = readToken(this.deps.secrets, date, token);
    return await asTenant(tenant, async () => briefPage(await this.records.latest(tenant, date)));
  }

  /** `saved` false: these are the defaults. */
  settings(tenant: string): Promise<{ settings: BriefSettings; saved: boolean }> {
    return settingsOf(this.deps, tenant);
  }

  /**
   * Changes the given settings, and updates the schedule.
   * @throws AppError VALIDATION_ERROR for an invalid time zone or recipient; SERVICE_UNAVAILABLE
   */
  async configure({ tenant, principal }: BriefCaller, given: GivenSettings): Promise<BriefSettings> {
    const { notifications } = this.deps;
    const recipients = given.recipients?.map(({ channel, recipient }) => ({ channel, recipient: notifications.check(channel, recipient) }));
    const settings = await saveSettings(this.deps, tenant, { ...given, recipients }, principal);
    await followClock(this.deps.temporal, tenant, settings);
    return settings;
  }

  /**
   * Repairs a schedule that does not match the settings: it could not be set, or was lost with its namespace.
   * @returns whether it did
   */
  async tend(tenant: string): Promise<boolean> {
    const { settings, saved } = await settingsOf(this.deps, tenant);
    if (!saved) return false;
    try {
      if (await clockIsRight(this.deps.temporal, tenant, settings)) return false;
      await followClock(this.deps.temporal, tenant, settings);
      return true;
    } catch (error) {
      // A schedule that Temporal refuses must not stop the sweep for others.
      if (!(error instanceof AppError)) throw error;
      return false;
    }
  }

  /**
   * Starts the process of an unfinished job; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob(job.kind === 'brief' ? 'brief' : 'daily_brief', tenant, job);
  }

  /** Writes the brief of a job; called by its process. */
  write(job: JobRef, signal?: AbortSignal): Promise<BriefMade> {
    return writeRequested(this.stages, job, signal);
  }

  /**
   * Deletes articles of old runs; briefs stay.
   * @returns how many rows
   */
  async sweep(tenant: string): Promise<number> {
    const [row] = await this.db.query<{ gone: number }>(
      `with articles as (delete from brief_articles where tenant_id = $1 and harvested_at < now() - make_interval(days => $2) returning 1),
         sources as (delete from brief_sources where tenant_id = $1 and at < now() - make_interval(days => $2) returning 1)
       select (select count(*) from articles)::int + (select count(*) from sources)::int as gone`,
      [tenant, articlesKept],
    );
    return row!.gone;
  }

  /** The job of a process, started unless it is running. */
  private async begin(tenant: string, wanted: Parameters<Jobs['open']>[1]): Promise<Job> {
    const { jobs } = this.deps;
    let job = await jobs.underWay(tenant, wanted.workflowId);
    if (!job) {
      try {
        job = await jobs.open(tenant, wanted);
      } catch (error) {
        // A concurrent identical request.
        if (!isUniqueViolation(error)) throw error;
        job = await jobs.underWay(tenant, wanted.workflowId);
        if (!job) throw error;
      }
    }
    if (job.status === 'queued' || job.status === 'running') await this.restart(tenant, job);
    return job;
  }

  private async settled(
    tenant: string,
    { job_id }: Job,
    waitMs: number,
    onProgress: Waiting['onProgress'],
  ): Promise<{ job: Job; brief: Brief | null }> {
    const job = await this.deps.jobs.settle(tenant, job_id, waitMs, ({ progress }) => {
      const { done, total, stage } = progress as { done?: number; total?: number; stage?: string };
      onProgress?.(done ?? 0, total, stage);
    });
    if (job.status === 'failed' || job.status === 'cancelled') throw failed(job);
    if (job.status !== 'completed') return { job, brief: null };
    const made = (job.kind === 'brief' ? job.result : job.result?.['brief']) as BriefMade;
    return { job, brief: await this.records.get(tenant, made.brief, made.version) };
  }
}

/** Retry after it has ended to notify with these settings. */
const otherReaders = (date: string, { job_id }: Job): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `A run of ${date} with other notify settings is running.`, {
    hint: 'Try again when it has ended; system.job.get shows its state.',
    details: { reason: 'under_way', job_id },
    retryAfterSeconds: 30,
  });

function failed(job: Job): AppError {
  const code = errorCodes.find((known) => known === job.error?.code) ?? 'CONFLICT';
  const details = job.kind === 'brief' ? (job.result ?? {}) : {};
  const seconds = details['retry_after_seconds'];
  return new AppError(code, job.error?.message ?? 'It was cancelled.', {
    details: { ...details, job_id: job.job_id },
    ...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),
  });
}
