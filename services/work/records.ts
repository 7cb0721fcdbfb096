/** All writes of `work_tasks`: new rows, reservations, decisions of their workflows, and notes. */

import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { lineOf, type Caller } from '../../contracts/caller.ts';
import type { Envelope } from '../../contracts/envelope.ts';
import type { TaskRef, TaskSnapshot } from '../../contracts/activities/work/work.ts';
import { AppError } from '../../contracts/errors.ts';
import { priorityRank, type Priority } from '../../contracts/work/work.ts';
import { holderOf } from './actors.ts';
import { insertBlockers, lockBlockers } from './blockers.ts';
import { taskColumns, type TaskRow } from './rows.ts';

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/**
 * Adds an event to the outbox for each row of `rows`, a `t` with the columns of work_tasks. The number of a lease is told
 * when it has ended: while it runs, it is known to its holder alone.
 * @param change what happened, in SQL; null: neither status nor lease changed. Names of events go by it
 * @param more further data, in SQL
 */
export const tell = (rows: string, change = 'null::text', more = `'{}'::jsonb`): string => `
  insert into outbox (tenant_id, type, subject, data)
  select t.tenant_id, 'work.task_changed', t.id, jsonb_build_object('status', t.status, 'agent', t.assigned_agent_id,
    'token', case when t.status <> 'in_progress' and t.fencing_token > 0 then t.fencing_token end, 'rev', t.rev, 'phase_id', t.phase_id,
    'change', ${change}) || ${more}
  from ${rows}`;

export interface NewTask {
  description: string;
  phaseId: number;
  priority: Priority;
  blockedBy: string[];
  tags: string[];
  metadata: Record<string, unknown>;
  leaseSeconds: number;
  maxAttempts: number;
  needsReview: boolean;
  title?: string | null | undefined;
  dueAt?: string | null;
  reservedFor?: string | null;
  parentId?: string | null;
}

const insertSql = prepared(`
  with written as (
    insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, tags, metadata,
      created_by, created_line, lease_seconds, max_attempts, needs_review, told_at, title, due_at, reserved_for, parent_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $15, $11, $12, $13, now(), $16, $17, $18, $19) on conflict do nothing returning *
  ), noted as (
    insert into work_task_events (tenant_id, task_id, rev, status, token, attempts, ended_by, pending)
    select tenant_id, id, rev, status, fencing_token, attempts, created_by, $14::text[] from written
  ), told as (${tell('written t', 't.status')})
  select t.*, $14::text[] as blocked_by, array(select b.id from work_tasks b
    where b.tenant_id = $1 and b.id = any($14) and b.status = 'failed' order by 1) as failed_blockers from written t`);

/** @returns undefined: the row exists. */
export async function insertRow(
  query: Database['query'],
  caller: Caller,
  id: string,
  task: NewTask,
  pending: string[],
): Promise<TaskRow | undefined> {
  const rows = await query<TaskRow>(insertSql, [
    caller.tenant,
    id,
    task.description,
    task.phaseId,
    task.priority,
    priorityRank[task.priority],
    pending.length > 0 ? 'blocked' : 'ready',
    task.tags,
    JSON.stringify(task.metadata),
    caller.principal,
    task.leaseSeconds,
    task.maxAttempts,
    task.needsReview,
    pending,
    lineOf(caller),
    task.title ?? null,
    task.dueAt ?? null,
    task.reservedFor ?? null,
    task.parentId ?? null,
  ]);
  return rows[0];
}

/** Creates a task's row, blocked or ready; an existing row is unchanged. @throws AppError VALIDATION_ERROR (unknown blocker) */
export async function insertTask(db: Database, caller: Caller, id: string, task: NewTask): Promise<TaskRow> {
  const { tenant } = caller;
  const created =
    task.blockedBy.length === 0
      ? await insertRow(db.query, caller, id, task, [])
      : await db.transaction(async (query) => {
          const pending = await lockBlockers(query, tenant, task.blockedBy);
          const row = await insertRow(query, caller, id, task, pending);
          if (row) await insertBlockers(query, tenant, id, task.blockedBy, pending);
          return row;
        });
  return created ?? (await db.query<TaskRow>(`select ${taskColumns} from work_tasks t where tenant_id = $1 and id = $2`, [tenant, id]))[0]!;
}

/** Seconds a reservation keeps other claims off a row while its workflow is being asked. */
const reserveFor = 15;

/** Whether the agent $2 is paused. */
export const pausedAgent = `exists (select from agents a where a.tenant_id = $1 and a.id = $2 and a.admin_status = 'paused' and a.removed_at is null)`;

/** A reserved task is a candidate for its worker alone. */
const forAgent = `(t.reserved_for is null or t.reserved_for = $2)`;
const free = `(t.hold_until is null or t.hold_until < now()) and ${forAgent}`;
const readyCandidates = `t.status = 'ready' and ${free} order by t.priority_rank, t.created_at, t.id`;
// Leases that have expired but whose workflow has not noticed it yet, for example because no worker runs.
const lapsedCandidates = `t.status = 'in_progress' and t.lease_expires_at < now() - interval '1 second' and ${forAgent} order by t.lease_expires_at`;

/**
 * The task that the caller already holds, otherwise reserves the first free candidate. $1 tenant, $2 agent, $3 phase, $4
 * holder. A crash of Postgres may lose the reservation without harm, so the commit is asynchronous.
 */
const pickSql = (candidates: string) =>
  prepared(`
  with held as (
    select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.holder = $4 and (t.status = 'in_progress' or t.hold_until > now())
  ), picked as (
    update work_tasks set holder = $4, hold_until = now() + interval '${reserveFor} seconds'
    where tenant_id = $1 and not exists (select from held) and not ${pausedAgent} and set_config('synchronous_commit', 'off', true) = 'off' and id = (
      select t.id from work_tasks t where t.tenant_id = $1 and t.phase_id = $3 and ${candidates} limit 1 for update skip locked)
    returning *
  )
  select * from held
  union all
  select ${taskColumns} from picked t`);
const picks = [pickSql(readyCandidates), pickSql(lapsedCandidates)];

interface Claimant {
  tenant: string;
  agent: string;
  holder: string;
}

/**
 * Reserves the first free candidate of a phase; if the caller already holds a task, returns that one.
 * @returns `busy`: another claim of the same caller was faster; undefined: nothing is free
 */
export async function reserveTask(
  db: Database,
  { tenant, agent, holder }: Claimant,
  phaseId: number,
): Promise<TaskRow | 'busy' | undefined> {
  try {
    for (const pick of picks) {
      const rows = await db.query<TaskRow>(pick, [tenant, agent, phaseId, holder]);
      if (rows[0]) return rows[0];
    }
    return undefined;
  } catch (error) {
    // Two concurrent claims of one agent: the unique index lets one of them reserve. Releases an expired reservation of
    // this agent whose claim died.
    if ((error as { code?: string }).code !== '23505') throw error;
    await db.query(
      `update work_tasks set holder = null, hold_until = null
       where tenant_id = $1 and holder = $2 and status <> 'in_progress' and hold_until < now()`,
      [tenant, holder],
    );
    return 'busy';
  }
}

/** Releases a refused row's reservation, but blocks the row for a second, so that its workflow can update it first. */
export async function unreserveTask(db: Database, tenant: string, id: string, holder: string): Promise<void> {
  await db.query(
    `update work_tasks set holder = null, hold_until = now() + interval '1 second'
     where tenant_id = $1 and id = $2 and holder = $3 and (status <> 'in_progress' or lease_expires_at < now())`,
    [tenant, id, holder],
  );
}

/**
 * The task workflow's projection. Written unless the row has a higher revision.
 * @param until ms since the epoch, by Postgres' clock; nothing is written afterwards
 * @returns the row's revision afterwards, and dependants to notify if it was written.
 * @throws AppError CONFLICT: too late, or a task that is done would be open again; Error when the row does not exist: a
 *   workflow cannot start without one.
 */
export async function writeTask(
  db: Database,
  { tenant, id }: TaskRef,
  task: TaskSnapshot,
  until?: number,
): Promise<{ rev: number; watcher: string | null }> {
  return await asTenant(tenant, async () => {
    const holding = task.status === 'in_progress';
    const values = [
      tenant,
      id,
      task.rev,
      task.status,
      task.agent,
      task.token,
      task.leaseSeconds,
      date(task.leaseExpiresAt),
      task.attempts,
      kept(task.progress),
      kept(task.result),
      kept(task.failure),
      date(task.startedAt),
      date(task.completedAt),
      task.owner?.line ?? null,
      task.owner?.principal ?? null,
      task.session ?? null,
      task.endedBy ?? null,
      task.endedAs ?? null,
      task.pendingBlockers,
      holding ? holderOf(task.owner?.line, task.agent ?? '') : null,
      until ?? null,
      task.phaseId ?? null,
      task.priority ?? null,
      task.priority === undefined ? null : priorityRank[task.priority],
      task.maxAttempts,
      task.needsReview,
      task.reservedFor ?? null,
      task.cancelled ?? false,
      task.shaped === task.rev,
    ];
    const rows = await write(db, values).catch((error: unknown) => {
      // The agent already holds another task (its reservation had expired and was claimed late). The workflow's
      // decision stays; only the hint "one in hand" is dropped.
      if ((error as { code?: string }).code === '23505') return write(db, values.with(20, null));
      throw error;
    });
    if (rows[0]) return { rev: task.rev, watcher: rows[0].watcher };
    const [row] = await db.query<{ rev: number; status: string; late: boolean }>(
      `select rev, status, coalesce(${isLate('$3')}, false) as late from work_tasks where tenant_id = $1 and id = $2`,
      [tenant, id, until ?? null],
    );
    if (!row) throw new Error(`task ${id} has no row`);
    if (row.late) throw new AppError('CONFLICT', 'This decision came too late to be written.', { details: { reason: 'late' } });
    if (row.status === 'done' && task.status !== 'done')
      throw new AppError('CONFLICT', 'The task is done.', {
        hint: 'Stop working on this task; create a new one for further work.',
        details: { reason: 'done' },
      });
    return { rev: row.rev, watcher: null };
  });
}

/** Text that Postgres refuses must not block all later writes of the process. */
const kept = (text: string | null): string | null => text?.replaceAll('\0', '') ?? null;

/**
 * What a write is, seen from the row before it: `beat`: the lease goes on; `same`: the row has it already, for a write may
 * be repeated after a crash; `shape`: neither status nor lease changed, and the edit is noted by itself; otherwise a change.
 */
const kindOfWrite = `case when rev = $3 and status = $4 and fencing_token = $6 then 'same'
  when $30 and status = $4 and fencing_token = $6 then 'shape'
  when status = 'in_progress' and $4 = 'in_progress' and fencing_token = $6 then 'beat' else 'change' end`;

const isLate = (until: string): string => `clock_timestamp() >= to_timestamp(${until}::float8 / 1000)`;

/**
 * The row, its history and its event in one statement. A heartbeat adds no row: the task's row counts it, and the next
 * change takes the counts into the history. It is told every 10 seconds at most.
 */
const writeSql = prepared(`
  with former as (
    select ${kindOfWrite} as kind, beats, first_beat_at, last_beat_at, longest_gap_ms from work_tasks where tenant_id = $1 and id = $2
  ), written as (
    update work_tasks t set rev = $3, status = $4, assigned_agent_id = $5, fencing_token = $6, lease_seconds = $7, lease_expires_at = $8,
      attempts = $9, progress = $10, result = $11, failure = $12, started_at = $13, completed_at = $14, updated_at = now(),
      lease_line = $15, lease_principal = $16, lease_session = $17, ended_by = $18, ended_as = $19,
      phase_id = coalesce($23, t.phase_id), priority = coalesce($24, t.priority), priority_rank = coalesce($25, t.priority_rank),
      max_attempts = $26, needs_review = $27, reserved_for = $28, cancelled = $29,
      archived_at = case when $29 and not t.cancelled then now() when $4 in ('done', 'failed') then t.archived_at end,
      holder = $21, hold_until = case when $21::text is null then null else $8::timestamptz end,
      changed_at = case f.kind when 'change' then now() else t.changed_at end,
      told_at = case when f.kind = 'same' or (f.kind = 'beat' and t.told_at > now() - interval '10 seconds') then t.told_at else now() end,
      beats = case when f.kind = 'beat' then t.beats + 1 when f.kind in ('same', 'shape') then t.beats else 0 end,
      first_beat_at = case when f.kind = 'beat' then coalesce(t.first_beat_at, now()) when f.kind in ('same', 'shape') then t.first_beat_at end,
      last_beat_at = case when f.kind = 'beat' then now() when f.kind in ('same', 'shape') then t.last_beat_at end,
      longest_gap_ms = case when f.kind in ('same', 'shape') then t.longest_gap_ms when f.kind = 'beat' then greatest(t.longest_gap_ms,
        least(extract(epoch from now() - coalesce(t.last_beat_at, t.changed_at, t.started_at)) * 1000, 2147483647)::int) end
    from former f where t.tenant_id = $1 and t.id = $2 and t.rev <= $3 and (t.status <> 'done' or $4 = 'done')
      and not coalesce(${isLate('$22')}, false) returning t.*, f.kind
  ), noted as (
    insert into work_task_events as e (tenant_id, task_id, rev, status, agent, token, attempts, lease_expires_at, ended_by, ended_as, reason,
      pending, beats, first_beat_at, last_beat_at, longest_gap_ms, cancelled)
    select t.tenant_id, t.id, t.rev, t.status, t.assigned_agent_id, t.fencing_token, t.attempts, t.lease_expires_at, t.ended_by, t.ended_as,
      left(t.failure, 1000), $20::text[], f.beats, f.first_beat_at, f.last_beat_at, f.longest_gap_ms, t.cancelled
    from written t, former f where t.kind = 'change'
    -- A decision that a crash took back before it was answered: another one has its revision now.
    on conflict (tenant_id, task_id, rev, mark) do update set at = now(), status = excluded.status, agent = excluded.agent,
      token = excluded.token, attempts = excluded.attempts, lease_expires_at = excluded.lease_expires_at, ended_by = excluded.ended_by,
      ended_as = excluded.ended_as, reason = excluded.reason, pending = excluded.pending, cancelled = excluded.cancelled
  ), told as (${tell('written t', `case when t.kind = 'change' then case t.status when 'in_progress' then 'claimed' else t.status end end`)} where t.told_at = now())
  select watcher from written`);

const write = (db: Database, values: unknown[]): Promise<{ watcher: string | null }[]> => db.query(writeSql, values);

/** Merges keys into a task's metadata: a record, not lifecycle. */
export async function annotateTask(db: Database, tenant: string, id: string, metadata: Record<string, unknown>): Promise<void> {
  await db.query('update work_tasks set metadata = metadata || $3::jsonb, updated_at = now() where tenant_id = $1 and id = $2', [
    tenant,
    id,
    JSON.stringify(metadata),
  ]);
}

/** Registers a workflow as the watcher of the task that it had created. @returns the task's id; null: it was not created */
export async function watchMade(db: Database, tenant: string, { data }: Pick<Envelope, 'data'>, watcher: string): Promise<string | null> {
  const id = (data as { task?: { id?: string } } | null)?.task?.id;
  if (id === undefined) return null;
  await db.query('update work_tasks set watcher = $3 where tenant_id = $1 and id = $2', [tenant, id, watcher]);
  return id;
}
