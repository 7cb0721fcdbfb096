import type { ScheduleOptions } from '@temporalio/client';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { eachInTurn } from './isolation.ts';
import { describeSchedule, putSchedule, removeSchedule } from './schedules.ts';

/** `rev` increases with each change, and `synced` is the revision that Temporal has. A row that is `removing` goes last. */
export interface ClockRow extends Row {
  id: string;
  status: string;
  rev: number;
  synced: number;
  updated_at: Date;
}

export interface ClockTable<R extends ClockRow> {
  /** Its primary key is tenant_id and id. */
  table: 'report_schedules' | 'work_recurrences' | 'work_trackers';
  /** Rows per tenant that are looked after. */
  most: number;
  scheduleId(tenant: string, id: string): string;
  options(tenant: string, row: R): ScheduleOptions;
  /** Temporal did not take the schedule; absent: the error is thrown. */
  refused?(tenant: string, row: R, error: unknown): Promise<never>;
}

/** Temporal Schedules of a table's rows. The row is authoritative; its schedule follows it. */
export class RowClocks<R extends ClockRow> {
  private readonly deps: { db: Pick<Database, 'query'>; temporal: Temporal };
  private readonly of: ClockTable<R>;

  constructor(deps: { db: Pick<Database, 'query'>; temporal: Temporal }, of: ClockTable<R>) {
    this.deps = deps;
    this.of = of;
  }

  /** Updates the schedule until it matches the row, and deletes both when the row is to go. @throws AppError as `putSchedule` */
  async follow(tenant: string, id: string): Promise<void> {
    const { db, temporal } = this.deps;
    const { table, scheduleId, options, refused } = this.of;
    for (;;) {
      const [row] = await db.query<R>(`select * from ${table} where tenant_id = $1 and id = $2`, [tenant, id]);
      // It may have been removed while a change was recreating the schedule.
      if (!row || row.status === 'removing') {
        await removeSchedule(temporal, scheduleId(tenant, id));
        await db.query(`delete from ${table} where tenant_id = $1 and id = $2 and status = 'removing'`, [tenant, id]);
        return;
      }
      await putSchedule(temporal, options(tenant, row)).catch((error: unknown) => {
        if (!refused) throw error;
        return refused(tenant, row, error);
      });
      // Changed concurrently: update again from the row.
      const agreed = await db.query(`update ${table} set synced = rev where tenant_id = $1 and id = $2 and rev = $3 returning 1`, [
        tenant,
        id,
        row.rev,
      ]);
      if (agreed.length > 0) return;
    }
  }

  /** Repairs schedules after a crash between row and Temporal, and schedules lost in Temporal. @returns how many */
  async tend(tenant: string, olderThanMs = 60_000): Promise<number> {
    const { db, temporal } = this.deps;
    const { table, most, scheduleId } = this.of;
    // Rows that are being removed do not count towards the limit.
    const rows = await db.query<R>(`select * from ${table} where tenant_id = $1 order by id limit ${most * 2}`, [tenant]);
    let mended = 0;
    await eachInTurn(rows, async (row) => {
      if (row.updated_at.getTime() > Date.now() - olderThanMs) return;
      if (row.synced === row.rev && (await describeSchedule(temporal, scheduleId(tenant, row.id)))) return;
      await this.follow(tenant, row.id);
      mended += 1;
    });
    return mended;
  }

  /** The next times at which it fires, at most three; null: Temporal does not have it. @throws AppError SERVICE_UNAVAILABLE */
  async next(tenant: string, id: string): Promise<Date[] | null> {
    const found = await describeSchedule(this.deps.temporal, this.of.scheduleId(tenant, id));
    return found && found.info.nextActionTimes.slice(0, 3);
  }
}
