import type { FireEnd, FireRef, ReportStage } from '../../contracts/activities/authoring/report-schedule.ts';
import type { Draft } from '../../contracts/authoring/authoring.ts';
import { actingFor, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { NotificationMessage, Recipient } from '../../contracts/outbound/notifications.ts';
import { findSchedule, type ScheduleRow } from './schedule-records.ts';
import type { ReportSchedules, ScheduleDeps, ScheduleNames } from './schedules.ts';
import { Service } from '../kernel/service.ts';

/** Consecutive failures after which a schedule is paused. */
const mostFailures = 3;
/** How long a stage waits for the report per call, in ms. */
const waitsFor = 20_000;
/** Maximum length of a message; the report itself is not cut. */
const bodyLength = 90_000;

/** One run of a schedule, for its process. All stages are idempotent. */
export class ReportFires extends Service<ScheduleNames, ScheduleDeps & { schedules: Pick<ReportSchedules, 'clocks'> }> {
  async begin(fire: FireRef): Promise<ReportStage> {
    const { tenant, id, firedAt } = fire;
    const { query } = this.db;
    const row = await findSchedule(query, tenant, id);
    // Delete a Temporal Schedule that has survived its row.
    if (!row) await this.deps.schedules.clocks.follow(tenant, id);
    if (!row || row.status === 'removing') return over('skipped');
    await query('insert into report_schedule_fires (tenant_id, schedule_id, fired_at) values ($1, $2, $3) on conflict do nothing', [
      tenant,
      id,
      firedAt,
    ]);
    // Fired by Temporal before it knew of the pause.
    if (row.status === 'paused' && !(await this.byHand(fire))) return over('skipped');
    const { report } = row;
    try {
      const { id: draftId, job } = await this.deps.authoring.report(
        owner(tenant, row),
        {
          type: report.report_type,
          format: report.format,
          audience: report.audience,
          windowDays: report.time_window_days,
          area: report.filter_area,
          customer: report.filter_customer,
          forTeam: report.for_team,
        },
        { callKey: `report-schedule/${id}/${firedAt}`, waitMs: 0 },
      );
      return job.status === 'completed' ? { stage: 'ready', draftId } : { stage: 'writing', jobId: job.job_id, draftId };
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      return over(isQuiet(error) ? 'quiet' : 'failed', error.message);
    }
  }

  async wait({ tenant }: FireRef, jobId: string, draftId: string): Promise<ReportStage> {
    const job = await this.deps.jobs.settle(tenant, jobId, waitsFor);
    if (job.status === 'completed') return { stage: 'ready', draftId };
    if (job.status === 'failed' || job.status === 'cancelled') {
      const quiet = job.error?.message.startsWith(notEnough) ?? false;
      return over(quiet ? 'quiet' : 'failed', job.error?.message ?? 'The report was cancelled.');
    }
    return { stage: 'writing', jobId, draftId };
  }

  async tell({ tenant, id, firedAt }: FireRef, draftId: string): Promise<FireEnd> {
    const { db, secrets, notifications, authoring } = this.deps;
    const row = await findSchedule(db.query, tenant, id);
    if (!row || row.status === 'removing') return { outcome: 'skipped', error: null, draftId };
    const message = messageOf(await authoring.queries.get(tenant, draftId));
    const recipients = JSON.parse(secrets.open(row.recipients)) as Recipient[];
    const errors: string[] = [];
    for (const { channel, recipient } of recipients) {
      const key = `report-schedule/${id}/${firedAt}/${hashOf({ channel, recipient }).slice(0, 20)}`;
      try {
        await notifications.send(tenant, { channel, recipient, message, priority: 'normal', createdBy: row.created_by }, key);
      } catch (error) {
        if (!(error instanceof AppError) || error.retryable) throw error;
        errors.push(`${channel}: ${error.message}`);
      }
    }
    if (errors.length === 0) return { outcome: 'sent', error: null, draftId };
    return { outcome: errors.length === recipients.length ? 'failed' : 'partly', error: errors.join(' ').slice(0, 1_000), draftId };
  }

  /** An existing end stays. */
  async end({ tenant, id, firedAt }: FireRef, { outcome, error, draftId }: FireEnd): Promise<void> {
    const { db, schedules } = this.deps;
    const paused = await db.transaction(async (query) => {
      const ended = await query(
        `update report_schedule_fires set outcome = $4, error = $5, draft_id = $6, ended_at = now()
         where tenant_id = $1 and schedule_id = $2 and fired_at = $3 and ended_at is null returning 1`,
        [tenant, id, firedAt, outcome, error, draftId],
      );
      if (ended.length === 0 || outcome === 'skipped') return false;
      const [row] = await query<{ failures: number; status: string }>(
        `update report_schedules set failures = case when $4 = 'failed' then failures + 1 else 0 end, last_fired_at = $3, last_outcome = $4,
           last_error = $5, last_draft_id = $6 where tenant_id = $1 and id = $2 returning failures, status`,
        [tenant, id, firedAt, outcome, error, draftId],
      );
      if (!row || row.status !== 'active' || row.failures < mostFailures) return false;
      await query(
        `update report_schedules set status = 'paused', paused_because = $3, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2`,
        [tenant, id, `failed ${row.failures} times in a row: ${error ?? 'no reason given'}`.slice(0, 1_000)],
      );
      return true;
    });
    // If this crashes, the sweep repairs it; the paused row already prevents further runs.
    if (paused) await schedules.clocks.follow(tenant, id);
  }

  private async byHand({ tenant, id, firedAt }: FireRef): Promise<boolean> {
    const [row] = await this.db.query<{ call_key: string | null }>(
      'select call_key from report_schedule_fires where tenant_id = $1 and schedule_id = $2 and fired_at = $3',
      [tenant, id, firedAt],
    );
    return row?.call_key != null;
  }
}

const over = (outcome: FireEnd['outcome'], error: string | null = null): ReportStage => ({
  stage: 'over',
  end: { outcome, error, draftId: null },
});

/** Prefix of the refusal in evidence.ts: a job stores only code and message. */
const notEnough = 'There is not enough evidence';
const isQuiet = (error: AppError): boolean => error.details?.['reason'] === 'not_enough_evidence' || error.message.startsWith(notEnough);

const messageOf = ({ title, content }: Draft): NotificationMessage => ({
  title: title.slice(0, 300),
  body: content.length <= bodyLength ? content : `${content.slice(0, bodyLength)}\n\n…`,
});

/** The schedule's creator; only tenant and name of a caller matter for a report. */
const owner = (tenant: string, { created_by: principal }: ScheduleRow): Caller =>
  actingFor(tenant, principal, 'report-schedule', 'report-schedule');
