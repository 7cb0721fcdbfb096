import type { Database, Row } from '../../adapters/postgres/database.ts';
import { isOver, type DelegatedStatus } from '../../contracts/agents/agents.ts';
import type { DelegatedRef, DelegatedSnapshot, DelegatedWritten } from '../../contracts/activities/agents/delegation.ts';
import type { DelegatedTask, TaskResult } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { topics } from '../../contracts/notices.ts';
import type { Columns, Tables } from '../../prisma/rows.ts';

type Query = Database['query'];

export interface Progress {
  done?: number | undefined;
  total?: number | undefined;
  message?: string | undefined;
}

export interface DelegatedRow
  extends
    Row,
    Columns<
      'delegated_tasks',
      | 'tenant_id'
      | 'id'
      | 'source_agent'
      | 'target_agent'
      | 'capability'
      | 'priority'
      | 'timeout_seconds'
      | 'correlation_id'
      | 'execution_time_ms'
      | 'session_id'
      | 'callback_url'
      | 'callback_token'
      | 'remote_id'
      | 'remote_context'
      | 'work_task_id'
      | 'created_by'
      | 'key_id'
      | 'deadline'
      | 'sent_at'
      | 'completed_at'
      | 'rev'
      | 'created_at'
    > {
  direction: 'sent' | 'received';
  parameters: Record<string, unknown>;
  status: DelegatedStatus;
  progress: Progress | null;
  result: unknown;
  error: { code: string; message: string } | null;
  /** Whether a result or an error was reported, because a result may be null. */
  reported: boolean;
  /** SHA-256 of every token that was sent, 32 bytes each: the target may hold the token of any attempt. */
  report_token: Tables['delegated_tasks']['report_token'];
}

/** Replaces the callback URL when the same tenant sent the task to this platform itself. */
export const localCallback = 'local:';

const columns = 't.*, (t.result is not null or t.error is not null) as reported';

export async function findDelegated(query: Query, { tenant, direction, id }: DelegatedRef): Promise<DelegatedRow | null> {
  const [row] = await query<DelegatedRow>(`select ${columns} from delegated_tasks t where tenant_id = $1 and direction = $2 and id = $3`, [
    tenant,
    direction,
    id,
  ]);
  return row ?? null;
}

/** The tasks with this id, sent ones first. */
export async function delegatedUnder(query: Query, tenant: string, id: string): Promise<DelegatedRow[]> {
  return await query<DelegatedRow>(
    `select ${columns} from delegated_tasks t where tenant_id = $1 and id = $2 order by direction = 'sent' desc`,
    [tenant, id],
  );
}

export interface NewDelegated {
  sourceAgent: string;
  targetAgent: string;
  capability: string;
  parameters: Record<string, unknown>;
  priority: number;
  timeoutSeconds: number;
  correlationId: string;
  sessionId: string | null;
  callbackUrl: string | null;
  /** Sealed. */
  callbackToken: string | null;
  createdBy: string;
  keyId: string;
}

/** @returns the row; `created` false: a task with this id already existed */
export async function insertDelegated(
  query: Query,
  ref: DelegatedRef,
  status: 'pending' | 'accepted',
  task: NewDelegated,
): Promise<{ row: DelegatedRow; created: boolean }> {
  const [created] = await query<DelegatedRow>(
    `insert into delegated_tasks as t (tenant_id, direction, id, source_agent, target_agent, capability, parameters, priority, timeout_seconds,
       correlation_id, status, session_id, callback_url, callback_token, created_by, key_id, deadline)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::int, $10, $11, $12, $13, $14, $15, $16, now() + make_interval(secs => $9::int))
     on conflict do nothing returning ${columns}`,
    [
      ref.tenant,
      ref.direction,
      ref.id,
      task.sourceAgent,
      task.targetAgent,
      task.capability,
      JSON.stringify(task.parameters),
      task.priority,
      task.timeoutSeconds,
      task.correlationId,
      status,
      task.sessionId,
      task.callbackUrl,
      task.callbackToken,
      task.createdBy,
      task.keyId,
    ],
  );
  return created ? { row: created, created: true } : { row: (await findDelegated(query, ref))!, created: false };
}

/**
 * Writes the workflow's projection, unless the row has a higher revision or has already ended: the first end stays.
 * @throws Error when the row does not exist
 */
export async function writeDelegated(query: Query, ref: DelegatedRef, wanted: DelegatedSnapshot): Promise<DelegatedWritten> {
  const over = isOver(wanted.status);
  const [written] = await query<{ rev: number; status: DelegatedStatus }>(
    `with written as (
       update delegated_tasks set rev = $4, updated_at = now(),
         status = case when $8 and (result is not null or error is not null)
           then case when error is null then 'completed' when error->>'code' = 'CANCELLED' then 'cancelled' else 'failed' end else $5 end,
         result = case when not $6 or $7 or ($8 and error is null) then result end,
         error = case when not $6 or $7 or ($8 and (result is not null or error is not null)) then error else $9::jsonb end,
         execution_time_ms = case when $6 then coalesce(execution_time_ms, (extract(epoch from now() - created_at) * 1000)::int) end,
         completed_at = case when $6 then now() end
       where tenant_id = $1 and direction = $2 and id = $3 and rev <= $4 and completed_at is null
       returning rev, status)
     select rev, status, pg_notify('signalbox', $10) as told from written`,
    [
      ref.tenant,
      ref.direction,
      ref.id,
      wanted.rev,
      wanted.status,
      over,
      wanted.reported,
      wanted.timedOut,
      wanted.error ? JSON.stringify(wanted.error) : null,
      topics.delegation(ref.tenant, ref.id),
    ],
  );
  if (written) return { rev: written.rev, status: written.status };
  const row = await findDelegated(query, ref);
  if (!row) throw new Error(`delegated task ${ref.id} has no row`);
  return { rev: row.rev, status: row.status };
}

export interface Outcome {
  status: 'completed' | 'failed' | 'cancelled';
  result?: unknown;
  error?: { code: string; message: string } | undefined;
  executionTimeMs?: number | undefined;
}

/**
 * Stores a reported outcome in the row until the workflow accepts or refuses it. The first report stays. @returns the row
 * if this report was stored, else null
 */
export async function stageOutcome(query: Query, ref: DelegatedRef, outcome: Outcome): Promise<DelegatedRow | null> {
  const { result, error } = outcomeColumns(outcome);
  const [written] = await query<DelegatedRow>(
    `update delegated_tasks t set result = $4, error = $5, execution_time_ms = $6
     where tenant_id = $1 and direction = $2 and id = $3 and completed_at is null
       and (result is null and error is null or (result is not distinct from $4::jsonb and error is not distinct from $5::jsonb))
     returning ${columns}`,
    [ref.tenant, ref.direction, ref.id, result, error, outcome.executionTimeMs ?? null],
  );
  return written ?? null;
}

/** A null result is stored as JSON null, not as SQL null. */
export const outcomeColumns = ({ status, result, error }: Outcome): { result: string | null; error: string | null } =>
  status === 'completed'
    ? { result: JSON.stringify(result ?? null), error: null }
    : { result: null, error: JSON.stringify(errorOf(status, error)) };

export const errorOf = (status: 'failed' | 'cancelled', error: Outcome['error']): { code: string; message: string } =>
  status === 'cancelled'
    ? { code: 'CANCELLED', message: error?.message ?? 'The agent has cancelled it.' }
    : {
        code: error?.code === 'CANCELLED' ? 'FAILED' : (error?.code ?? 'FAILED'),
        message: error?.message ?? 'The agent says that it failed.',
      };

export async function noteProgress(query: Query, ref: DelegatedRef, progress: Progress): Promise<void> {
  await query(
    `with noted as (update delegated_tasks set progress = $4, updated_at = now()
       where tenant_id = $1 and direction = $2 and id = $3 and completed_at is null returning 1)
     select pg_notify('signalbox', $5) from noted`,
    [ref.tenant, ref.direction, ref.id, JSON.stringify(progress), topics.delegation(ref.tenant, ref.id)],
  );
}

/** @returns how many tasks that ended long ago were deleted */
export async function forgetOldDelegations(query: Query, tenant: string, keepDays: number): Promise<number> {
  const gone = await query(
    `delete from delegated_tasks where tenant_id = $1 and completed_at < now() - make_interval(days => $2) returning 1`,
    [tenant, keepDays],
  );
  return gone.length;
}

export const taskNotFound = (id: string): AppError =>
  new AppError('NOT_FOUND', 'Task not found', {
    hint: 'agent.task.list shows the tasks there are; results are kept for seven days.',
    details: { task_id: id.slice(0, 128) },
  });

export const resultView = (row: DelegatedRow): TaskResult => ({
  task_id: row.id,
  status: row.status,
  ...(row.status === 'completed' ? { result: row.result } : {}),
  ...(row.error && isOver(row.status) ? { error: row.error.message, error_code: row.error.code } : {}),
  ...(row.execution_time_ms !== null && isOver(row.status) ? { execution_time_ms: row.execution_time_ms } : {}),
  completed_at: row.completed_at?.toISOString() ?? null,
});

export const taskView = (row: DelegatedRow): DelegatedTask => ({
  task_id: row.id,
  direction: row.direction,
  source_agent: row.source_agent,
  target_agent: row.target_agent,
  capability_name: row.capability,
  priority: row.priority,
  timeout_seconds: row.timeout_seconds,
  correlation_id: row.correlation_id,
  status: row.status,
  progress: row.progress,
  error: isOver(row.status) ? row.error : null,
  session_id: row.session_id,
  work_task_id: row.work_task_id,
  remote_id: row.remote_id,
  created_at: row.created_at.toISOString(),
  deadline: row.deadline.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});
