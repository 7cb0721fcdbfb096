import type { Row } from '../../adapters/postgres/database.ts';
import { notFound } from '../../contracts/errors.ts';
import type { ListedRunLog, RunLog, RunLogStats, RunLogStatus } from '../../contracts/feeds/feeds.ts';
import { storable } from '../../contracts/json.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import type { Columns } from '../../prisma/rows.ts';

/** Input of `log_ingestion_run`; times in ISO 8601. */
export interface RunLogEntry {
  run_id: string;
  status: RunLogStatus;
  stats?: RunLogStats | undefined;
  started_at?: string | undefined;
  completed_at?: string | undefined;
}

/** Maximum stored errors of a run: the first ones. */
const mostErrors = 500;
/** Errors shown in lists. */
const shownErrors = 5;

/** Run logs, written by harvesters. */
export class RunLogs extends Service {
  /**
   * Creates or updates the record of a run. Later values replace earlier ones field by field; errors are appended
   * without duplicates. An ended run stays ended: a late "running" only fills missing fields.
   */
  async log(tenant: string, entry: RunLogEntry, by = 'signalbox'): Promise<RunLog> {
    const { errors = [], ...counts } = entry.stats ?? {};
    const [row] = await this.db.query<LogRow>(
      `insert into ingestion_logs as l (tenant_id, run_id, status, stats, errors, started_at, completed_at, created_by)
       values ($1, $2, $3, $4, ${appended("'[]'::jsonb", '$5::jsonb')}, $6, case when $3 = 'running' then $7 else coalesce($7::timestamptz, now()) end, $8)
       on conflict (tenant_id, run_id) do update set
         status = case when ${late} then l.status else excluded.status end,
         stats = case when ${late} then excluded.stats || l.stats else l.stats || excluded.stats end,
         errors = ${appended('l.errors', 'excluded.errors')},
         started_at = case when ${late} then coalesce(l.started_at, excluded.started_at) else coalesce(excluded.started_at, l.started_at) end,
         -- A later end without a time keeps the time of the first.
         completed_at = case when ${late} then l.completed_at else coalesce($7, l.completed_at, excluded.completed_at) end,
         logged_at = clock_timestamp()
       returning *`,
      [
        tenant,
        entry.run_id,
        entry.status,
        JSON.stringify(counts),
        JSON.stringify(storable(errors)),
        entry.started_at ?? null,
        entry.completed_at ?? null,
        by,
      ],
    );
    return viewOf(row!);
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, runId: string): Promise<RunLog> {
    const [row] = await this.db.query<LogRow>('select * from ingestion_logs where tenant_id = $1 and run_id = $2', [tenant, runId]);
    if (!row) throw notFound('logged run', runId, 'ingest.run.list shows those there are.');
    return viewOf(row);
  }

  /** The newest first, each with its first errors. @throws AppError VALIDATION_ERROR for a cursor of another list */
  async list(tenant: string, { status, ...paging }: { status?: RunLogStatus | undefined } & Paging): Promise<Page<ListedRunLog>> {
    const list = {
      select: `run_id, status, stats, jsonb_path_query_array(errors, '$[0 to ${shownErrors - 1}]') as errors,
        jsonb_array_length(errors) as error_count, started_at, completed_at, created_by, created_at, logged_at`,
      from: 'ingestion_logs',
      ...matching({ 'tenant_id = $': tenant, 'status = $': status }),
      order: newest('created_at', 'run_id'),
    };
    return await keysetPage(this.db.query, list, paging, (row: LogRow & { error_count: number }) => ({
      ...viewOf(row),
      error_count: row.error_count,
    }));
  }
}

/** It says "running" for a run that has ended. */
const late = "(l.status <> 'running' and excluded.status = 'running')";

/** Members of both lists, without duplicates, in order. */
const appended = (first: string, second: string): string => `coalesce((select jsonb_agg(e order by n) from (
  select e, min(n) as n from jsonb_array_elements(${first} || ${second}) with ordinality x(e, n) group by e order by min(n) limit ${mostErrors}) u), '[]'::jsonb)`;

interface LogRow
  extends Row, Columns<'ingestion_logs', 'run_id' | 'started_at' | 'completed_at' | 'created_by' | 'created_at' | 'logged_at'> {
  status: RunLogStatus;
  stats: Omit<RunLogStats, 'errors'>;
  errors: NonNullable<RunLogStats['errors']>;
}

const viewOf = (row: LogRow): RunLog => ({
  run_id: row.run_id,
  status: row.status,
  stats: { ...row.stats, errors: row.errors },
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  logged_at: row.logged_at.toISOString(),
});
