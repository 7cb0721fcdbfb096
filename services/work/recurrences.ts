import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Row } from '../../adapters/postgres/database.ts';
import type { RecurrenceRef } from '../../contracts/activities/work/recurrence.ts';
import type { Timing } from '../../contracts/authoring/report-schedules.ts';
import { actingFor, lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Recurrence } from '../../contracts/work/templates.ts';
import type { Columns } from '../../prisma/rows.ts';
import { assertRoom } from '../kernel/room.ts';
import { RowClocks } from '../kernel/row-clocks.ts';
import { Service } from '../kernel/service.ts';
import { checkTiming, checkZone } from '../kernel/timing.ts';
import { clockOf } from './recurrence-clock.ts';
import type { Templates } from './templates.ts';
import { filled } from './variables.ts';

export interface RecurrenceRow
  extends
    Row,
    Columns<
      'work_recurrences',
      | 'id'
      | 'name'
      | 'template'
      | 'timezone'
      | 'last_fired_at'
      | 'last_ran_at'
      | 'last_task_id'
      | 'last_error'
      | 'rev'
      | 'synced'
      | 'created_by'
      | 'created_line'
      | 'updated_at'
    > {
  variables: Record<string, string>;
  timing: Timing;
  status: 'active' | 'paused' | 'removing';
}

export interface WantedRecurrence {
  name: string;
  template: string;
  variables: Record<string, string>;
  timing: Timing;
  timezone: string;
  paused: boolean;
}

/** Maximum per tenant, because each is a schedule of Temporal. */
const mostRecurrences = 200;

/** Recurring tasks. The row is authoritative; Temporal's schedule follows it. */
export class Recurrences extends Service<'temporal', { templates: Templates }> {
  readonly clocks = new RowClocks<RecurrenceRow>(this.deps, {
    table: 'work_recurrences',
    most: mostRecurrences,
    scheduleId: workflowIds.recurrence,
    options: clockOf,
  });

  /**
   * Creates one, or changes the one with this id.
   * @throws AppError NOT_FOUND (id, template), VALIDATION_ERROR (times, variables), CONFLICT (name), SERVICE_UNAVAILABLE:
   * then it takes effect later
   */
  async save(
    caller: Caller,
    id: string | undefined,
    wanted: WantedRecurrence,
    callKey: string,
  ): Promise<{ recurrence: Recurrence; next: string[] }> {
    const { tenant, principal } = caller;
    const timezone = checkZone(wanted.timezone);
    checkTiming(wanted.timing);
    filled((await this.deps.templates.get(tenant, wanted.template)).task, wanted.variables);
    const own = id ?? derivedId('recurrence', tenant, callKey);
    if (id !== undefined) await this.row(tenant, id);
    try {
      await this.db.transaction(async (query) => {
        await assertRoom(query, {
          of: `work_recurrences/${tenant}`,
          most: mostRecurrences,
          count: 'select count(*)::int as n from work_recurrences where tenant_id = $1 and id <> $2',
          values: [tenant, own],
          refusal: () =>
            new AppError('CONFLICT', `A tenant has ${mostRecurrences} recurring tasks at most.`, { hint: 'Remove one first.' }),
        });
        await query(
          `insert into work_recurrences as r (tenant_id, id, name, template, variables, timing, timezone, status, created_by, created_line)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
           on conflict (tenant_id, id) do update set name = excluded.name, template = excluded.template, variables = excluded.variables,
             timing = excluded.timing, timezone = excluded.timezone, status = excluded.status, last_error = null, rev = r.rev + 1,
             updated_at = now() where r.status <> 'removing'`,
          [
            tenant,
            own,
            wanted.name,
            wanted.template,
            JSON.stringify(wanted.variables),
            JSON.stringify(wanted.timing),
            timezone,
            wanted.paused ? 'paused' : 'active',
            principal,
            lineOf(caller),
          ],
        );
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('CONFLICT', 'There is a recurring task of this name.', {
        hint: 'Take another name, or give its recurrence_id to change it.',
      });
    }
    await this.clocks.follow(tenant, own);
    const next = wanted.paused ? [] : ((await this.clocks.next(tenant, own)) ?? []);
    return { recurrence: view(await this.row(tenant, own)), next: next.map((at) => at.toISOString()) };
  }

  async list(tenant: string): Promise<Recurrence[]> {
    const rows = await this.db.query<RecurrenceRow>(
      `select * from work_recurrences where tenant_id = $1 and status <> 'removing' order by lower(name), id limit ${mostRecurrences}`,
      [tenant],
    );
    return rows.map(view);
  }

  /** Its tasks stay. @returns whether it existed. @throws AppError SERVICE_UNAVAILABLE: then it is removed later */
  async remove(tenant: string, id: string): Promise<boolean> {
    const marked = await this.db.query(
      `update work_recurrences set status = 'removing', rev = rev + 1, updated_at = now()
       where tenant_id = $1 and id = $2 and status <> 'removing' returning 1`,
      [tenant, id],
    );
    await this.clocks.follow(tenant, id);
    return marked.length > 0;
  }

  /**
   * Makes the task of one run, once. Of runs that were missed and are caught up together, the first makes a task: each
   * later one was due before that.
   */
  async fire({ tenant, id, firedAt }: RecurrenceRef): Promise<string | null> {
    const [row] = await this.db.query<RecurrenceRow>(
      `update work_recurrences set last_fired_at = $3, last_ran_at = case when last_fired_at = $3 then last_ran_at else now() end
       where tenant_id = $1 and id = $2 and status = 'active' and (last_ran_at is null or last_ran_at < $3 or last_fired_at = $3) returning *`,
      [tenant, id, firedAt],
    );
    if (!row) {
      // Deletes a schedule of Temporal that has survived its row.
      const [kept] = await this.db.query('select 1 from work_recurrences where tenant_id = $1 and id = $2', [tenant, id]);
      if (!kept) await this.clocks.follow(tenant, id);
      return null;
    }
    let task: string | null = null;
    let error: string | null = null;
    try {
      const wanted = { variables: row.variables, blockedBy: [] };
      task = (await this.deps.templates.create(owner(tenant, row), row.template, wanted, `recurrence/${id}/${firedAt}`)).id;
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.retryable) throw failure;
      error = failure.message.slice(0, 1_000);
    }
    await this.db.query(
      `update work_recurrences set last_task_id = coalesce($4, last_task_id), last_error = $5
       where tenant_id = $1 and id = $2 and last_fired_at = $3`,
      [tenant, id, firedAt, task, error],
    );
    return task;
  }

  private async row(tenant: string, id: string): Promise<RecurrenceRow> {
    const [row] = await this.db.query<RecurrenceRow>(
      `select * from work_recurrences where tenant_id = $1 and id = $2 and status <> 'removing'`,
      [tenant, id],
    );
    if (!row) throw notFound('recurring task', id, 'work.recurrence.list shows them.');
    return row;
  }
}

const view = (row: RecurrenceRow): Recurrence => ({
  recurrence_id: row.id,
  name: row.name,
  template: row.template,
  variables: row.variables,
  timing: row.timing,
  timezone: row.timezone,
  status: row.status === 'paused' ? 'paused' : 'active',
  last: row.last_fired_at === null ? null : { fired_at: row.last_fired_at.toISOString(), task_id: row.last_task_id, error: row.last_error },
  created_by: row.created_by,
  updated_at: row.updated_at.toISOString(),
});

/** Who saved it is the creator of its tasks. */
const owner = (tenant: string, { created_by: principal, created_line: line }: RecurrenceRow): Caller => actingFor(tenant, principal, line);
