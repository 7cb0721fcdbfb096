import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../../contracts/errors.ts';
import type { Run, RunDetail, RunStatus } from '../../../contracts/substrate/runs.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { noteEvent } from '../../kernel/outbox.ts';

type Query = Database['query'];

export interface RunRow
  extends
    Row,
    Columns<'runs', 'id' | 'name' | 'kind' | 'parent_run_id' | 'error' | 'created_by' | 'created_at' | 'started_at' | 'finished_at'> {
  status: RunStatus;
  input: unknown;
  outputs: unknown;
}

/** @throws AppError NOT_FOUND, also for another tenant's */
export async function runRow(query: Query, tenant: string, id: string, lock: '' | 'for update' = ''): Promise<RunRow> {
  const [row] = await query<RunRow>(`select * from runs where tenant_id = $1 and id = $2 ${lock}`, [tenant, id]);
  if (!row) throw notFound('run', id, 'run.record.list shows the runs of your tenant.');
  return row;
}

/** @throws AppError CONFLICT: it is not running */
export function mustRun({ id, status }: RunRow): void {
  if (status === 'running') return;
  throw new AppError('CONFLICT', `The run is ${status}: only a running one accepts steps and checkpoints.`, {
    hint: status === 'created' ? 'Start it with run.record.start.' : 'Open a new run; parent_run_id can name this one.',
    details: { run_id: id, status },
  });
}

/** Writes an outbox entry; call it at the end of the change's transaction. */
export async function noteRun(query: Query, tenant: string, row: RunRow): Promise<void> {
  await noteEvent(query, tenant, `run.${row.status === 'running' ? 'started' : row.status}`, row.id, {
    name: row.name,
    kind: row.kind,
    parent_run_id: row.parent_run_id,
    status: row.status,
  });
}

export const runView = (row: RunRow): Run => ({
  run_id: row.id,
  name: row.name,
  kind: row.kind,
  parent_run_id: row.parent_run_id,
  status: row.status,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
});

export const runDetailView = (row: RunRow): RunDetail => ({ ...runView(row), input: row.input, outputs: row.outputs, error: row.error });

export const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
