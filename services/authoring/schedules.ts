import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Recipient } from '../../contracts/outbound/notifications.ts';
import type { ReportSchedule, ScheduledReport, Timing } from '../../contracts/authoring/report-schedules.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { reportSchedule } from '../../workflows/authoring/report-schedule/workflow.ts';
import type { Notifications } from '../outbound/index.ts';
import { assertRoom } from '../kernel/room.ts';
import { RowClocks } from '../kernel/row-clocks.ts';
import { Service } from '../kernel/service.ts';
import type { AuthoringService } from './index.ts';
import { clockOf } from './schedule-clock.ts';
import { ReportFires } from './schedule-fires.ts';
import { scheduleOf, scheduleView, type ScheduleRow } from './schedule-records.ts';
import { checkTiming, checkZone } from '../kernel/timing.ts';

export type ScheduleNames = 'temporal' | 'processes' | 'secrets' | 'jobs';

export interface ScheduleDeps {
  authoring: Pick<AuthoringService, 'report' | 'queries'>;
  notifications: Pick<Notifications, 'send' | 'check' | 'shown'>;
}

export interface WantedSchedule {
  name: string;
  report: ScheduledReport;
  timing: Timing;
  timezone: string;
  /** Undefined: as they are. */
  recipients?: Recipient[] | undefined;
  paused: boolean;
}

/** Maximum schedules per tenant, because each is a process. */
const mostSchedules = 200;
const keepFiresDays = 90;

/** Scheduled reports. The row is authoritative; Temporal's schedule follows it. */
export class ReportSchedules extends Service<ScheduleNames, ScheduleDeps> {
  readonly clocks = new RowClocks<ScheduleRow>(this.deps, {
    table: 'report_schedules',
    most: mostSchedules,
    scheduleId: workflowIds.reportSchedule,
    options: clockOf,
    refused: (tenant, row, error) => this.refused(tenant, row, error),
  });
  /** For the workflow. */
  readonly fires = new ReportFires({ ...this.deps, schedules: this });

  /**
   * Creates a schedule, or changes the one with this id. Resets its failure count.
   * @throws AppError VALIDATION_ERROR for invalid times or recipients, with `details.schedule_id` if only Temporal
   * refused: then it is stored, paused; NOT_FOUND for an unknown id; CONFLICT for a name that is taken;
   * SERVICE_UNAVAILABLE: then it takes effect later
   */
  async save(
    caller: Caller,
    id: string | undefined,
    wanted: WantedSchedule,
    callKey: string,
  ): Promise<{ schedule: ReportSchedule; next: string[] }> {
    const { tenant, principal } = caller;
    const { db, secrets, notifications } = this.deps;
    const timezone = checkZone(wanted.timezone);
    checkTiming(wanted.timing);
    const given = wanted.recipients?.map(({ channel, recipient }) => ({ channel, recipient: notifications.check(channel, recipient) }));
    const before = id === undefined ? null : await scheduleOf(db.query, tenant, id);
    const recipients = given ? secrets.seal(JSON.stringify(given)) : before?.recipients;
    if (recipients === undefined)
      throw new AppError('VALIDATION_ERROR', 'A new schedule needs recipients.', { hint: 'Give at least one.' });
    const own = id ?? derivedId('schedule', tenant, callKey);
    try {
      await db.transaction(async (query) => {
        if (id === undefined) await assertRoom(query, roomOf(tenant, own));
        await query(
          `insert into report_schedules as s (tenant_id, id, name, report, timing, timezone, recipients, status, paused_because, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
         on conflict (tenant_id, id) do update set name = excluded.name, report = excluded.report, timing = excluded.timing,
           timezone = excluded.timezone, recipients = case when $11 then excluded.recipients else s.recipients end, status = excluded.status, paused_because = excluded.paused_because,
           failures = 0, rev = s.rev + 1, updated_at = now() where s.status <> 'removing'`,
          [
            tenant,
            own,
            wanted.name,
            JSON.stringify(wanted.report),
            JSON.stringify(wanted.timing),
            timezone,
            recipients,
            wanted.paused ? 'paused' : 'active',
            wanted.paused ? `by ${principal}` : null,
            principal,
            given !== undefined,
          ],
        );
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('CONFLICT', 'There is a schedule of this name.', {
        hint: 'Take another name, or give its schedule_id to change it.',
      });
    }
    await this.clocks.follow(tenant, own);
    const next = (await this.clocks.next(tenant, own)) ?? [];
    return { schedule: this.view(await scheduleOf(db.query, tenant, own)), next: wanted.paused ? [] : next.map((at) => at.toISOString()) };
  }

  /** By name. */
  async list(tenant: string): Promise<ReportSchedule[]> {
    const rows = await this.db.query<ScheduleRow>(
      `select * from report_schedules where tenant_id = $1 and status <> 'removing' order by lower(name), id limit $2`,
      [tenant, mostSchedules],
    );
    return rows.map((row) => this.view(row));
  }

  /**
   * @returns whether it existed.
   * @throws AppError SERVICE_UNAVAILABLE: then it is removed later
   */
  async remove(tenant: string, id: string): Promise<boolean> {
    const marked = await this.db.query(
      `update report_schedules set status = 'removing', rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2 and status <> 'removing' returning 1`,
      [tenant, id],
    );
    await this.clocks.follow(tenant, id);
    return marked.length > 0;
  }

  /**
   * Runs a schedule now, once per call, even if it is paused.
   * @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE
   */
  async run(caller: Caller, id: string, callKey: string): Promise<{ fired_at: string; refs: Ref[] }> {
    const { tenant, principal } = caller;
    const { query } = this.db;
    const row = await scheduleOf(query, tenant, id);
    await query(
      `insert into report_schedule_fires (tenant_id, schedule_id, fired_at, call_key) values ($1, $2, date_trunc('milliseconds', clock_timestamp()), $3)
       on conflict do nothing`,
      [tenant, id, callKey],
    );
    const [fire] = await query<{ fired_at: Date; outcome: string }>(
      'select fired_at, outcome from report_schedule_fires where tenant_id = $1 and schedule_id = $2 and call_key = $3',
      [tenant, id, callKey],
    );
    if (!fire) throw new AppError('CONFLICT', 'It was fired at this very moment.', { hint: 'Try again.' });
    const firedAt = fire.fired_at.toISOString();
    const workflowId = `${workflowIds.reportSchedule(tenant, id)}-${firedAt}`;
    if (fire.outcome === 'started') {
      await this.deps.processes.start<typeof reportSchedule>({
        workflow: 'reportSchedule',
        id: workflowId,
        queue: 'outbound',
        args: [{ tenant, id, firedAt }],
        tenant,
        kind: 'report_schedule',
        status: 'running',
        owner: principal,
        summary: `Scheduled report: ${row.name}`,
      });
    }
    return { fired_at: firedAt, refs: [{ type: 'schedule', id }, ...this.deps.processes.refs(workflowId)] };
  }

  /** Repairs schedules, and forgets old fires. @returns how many schedules were repaired */
  async tend(tenant: string, olderThanMs?: number): Promise<number> {
    await this.db.query('delete from report_schedule_fires where tenant_id = $1 and created_at < now() - make_interval(days => $2)', [
      tenant,
      keepFiresDays,
    ]);
    return await this.clocks.tend(tenant, olderThanMs);
  }

  /** An active row without a working schedule would be misleading. */
  private async refused(tenant: string, { id, rev }: ScheduleRow, error: unknown): Promise<never> {
    if (!(error instanceof AppError) || error.retryable) throw error;
    await this.db.query(
      `update report_schedules set status = 'paused', paused_because = $4, updated_at = now()
       where tenant_id = $1 and id = $2 and rev = $3 and status = 'active'`,
      [tenant, id, rev, error.message],
    );
    throw new AppError(error.code, error.message, {
      hint: `It is kept, but paused. ${error.hint ?? ''} authoring.schedule.save with its schedule_id changes it.`,
      details: { ...error.details, schedule_id: id },
      cause: error,
    });
  }

  private view(row: ScheduleRow): ReportSchedule {
    const recipients = JSON.parse(this.deps.secrets.open(row.recipients)) as Recipient[];
    return scheduleView(
      row,
      recipients.map(({ channel, recipient }) => ({ channel, recipient: this.deps.notifications.shown(channel, recipient) })),
    );
  }
}

const roomOf = (tenant: string, id: string) => ({
  of: `report_schedules/${tenant}`,
  most: mostSchedules,
  count: 'select count(*)::int as n from report_schedules where tenant_id = $1 and id <> $2',
  values: [tenant, id],
  refusal: () => new AppError('VALIDATION_ERROR', `A tenant has ${mostSchedules} report schedules at most.`, { hint: 'Remove one first.' }),
});
