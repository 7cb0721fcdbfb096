import type { Database, Row } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import type { Recipient } from '../../contracts/outbound/notifications.ts';
import type { FireOutcome, ReportSchedule, ScheduledReport, Timing } from '../../contracts/authoring/report-schedules.ts';
import type { Columns, Tables } from '../../prisma/rows.ts';

export interface ScheduleRow
  extends
    Row,
    Columns<
      'report_schedules',
      | 'id'
      | 'name'
      | 'timezone'
      | 'paused_because'
      | 'failures'
      | 'last_fired_at'
      | 'last_error'
      | 'last_draft_id'
      | 'rev'
      | 'synced'
      | 'created_by'
      | 'created_at'
      | 'updated_at'
    > {
  report: ScheduledReport;
  timing: Timing;
  /** Sealed. */
  recipients: Tables['report_schedules']['recipients'];
  status: 'active' | 'paused' | 'removing';
  last_outcome: FireOutcome | null;
}

export async function findSchedule(query: Database['query'], tenant: string, id: string): Promise<ScheduleRow | null> {
  const [row] = await query<ScheduleRow>('select * from report_schedules where tenant_id = $1 and id = $2', [tenant, id]);
  return row ?? null;
}

/** @throws AppError NOT_FOUND, also for one that is being removed */
export async function scheduleOf(query: Database['query'], tenant: string, id: string): Promise<ScheduleRow> {
  const row = await findSchedule(query, tenant, id);
  if (!row || row.status === 'removing') throw notFound('report schedule', id, 'authoring.schedule.list shows them.');
  return row;
}

/** @param recipients in displayable form */
export const scheduleView = (row: ScheduleRow, recipients: Recipient[]): ReportSchedule => ({
  schedule_id: row.id,
  name: row.name,
  report: row.report,
  timing: row.timing,
  timezone: row.timezone,
  recipients,
  status: row.status === 'paused' ? 'paused' : 'active',
  paused_because: row.paused_because,
  failures: row.failures,
  last:
    row.last_fired_at === null
      ? null
      : {
          fired_at: row.last_fired_at.toISOString(),
          outcome: row.last_outcome!,
          error: row.last_error,
          draft_id: row.last_draft_id,
        },
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
