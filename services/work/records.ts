import type { Database, Row } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Standing, TaskRef, TaskSnapshot, TaskStatus } from '../../contracts/activities/work.ts';
import { columnOf, type Priority, type Task } from '../../contracts/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';
import { actorOf, holderOf } from './actors.ts';

/** A row of `work_tasks` with its pending blockers. */
export interface TaskRow
  extends
    Row,
    Columns<
      'work_tasks',
      | 'id'
      | 'description'
      | 'phase_id'
      | 'tags'
      | 'created_by'
      | 'assigned_agent_id'
      | 'fencing_token'
      | 'lease_seconds'
      | 'lease_expires_at'
      | 'attempts'
      | 'max_attempts'
      | 'needs_review'
      | 'progress'
      | 'result'
      | 'failure'
      | 'created_line'
      | 'lease_line'
      | 'lease_principal'
      | 'lease_session'
      | 'ended_by'
      | 'rev'
      | 'created_at'
      | 'updated_at'
      | 'started_at'
      | 'completed_at'
    > {
  priority: Priority;
  status: TaskStatus;
  metadata: Record<string, unknown>;
  ended_as: Standing | null;
  blocked_by: string[];
  /** Its failed blockers. */
  failed_blockers: string[];
}

/** Columns of a `TaskRow`, for `select` and `returning` over the table under the name `t`. */
export const taskColumns = `t.*, array(select d.blocker_id from work_task_dependencies d
  where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null order by 1) as blocked_by,
  case when t.status = 'blocked' then array(select d.blocker_id from work_task_dependencies d
    join work_tasks b on b.tenant_id = d.tenant_id and b.id = d.blocker_id and b.status = 'failed'
    where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null order by 1) else '{}' end as failed_blockers`;

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
const ms = (value: Date | null): number | null => value?.getTime() ?? null;
const iso = (value: Date | null): string | null => value?.toISOString() ?? null;

/** The state in a row, sufficient to restart its workflow. */
export const snapshotOf = (row: TaskRow): TaskSnapshot => ({
  status: row.status,
  rev: row.rev,
  pendingBlockers: row.blocked_by,
  agent: row.assigned_agent_id,
  token: row.fencing_token,
  leaseSeconds: row.lease_seconds,
  leaseExpiresAt: ms(row.lease_expires_at),
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  needsReview: row.needs_review,
  createdBy: row.created_by,
  progress: row.progress,
  result: row.result,
  failure: row.failure,
  startedAt: ms(row.started_at),
  completedAt: ms(row.completed_at),
  owner: row.lease_line === null ? null : { line: row.lease_line, principal: row.lease_principal ?? '' },
  session: row.lease_session,
  createdLine: row.created_line,
  endedBy: row.ended_by,
  endedAs: row.ended_as,
});

/**
 * A row as this caller sees it; `latest` is the workflow's answer and replaces the row's state. Only the worker that
 * claimed, in the session of its claim, sees the fencing token.
 */
export function taskView(caller: Caller, row: TaskRow, latest: TaskSnapshot = snapshotOf(row)): Task {
  return {
    id: row.id,
    description: row.description,
    phase_id: row.phase_id,
    priority: row.priority,
    status: latest.status,
    kanban_column: columnOf[latest.status],
    tags: row.tags,
    // Computed, not stored: a retried blocker is no longer failed.
    metadata: row.failed_blockers.length > 0 ? { ...row.metadata, failed_blockers: row.failed_blockers } : row.metadata,
    created_by: row.created_by,
    assigned_agent_id: latest.agent,
    fencing_token: claimedBy(caller, latest) ? latest.token : null,
    lease_seconds: latest.leaseSeconds,
    lease_expires_at: iso(date(latest.leaseExpiresAt)),
    attempts: latest.attempts,
    max_attempts: latest.maxAttempts,
    needs_review: latest.needsReview,
    blocked_by: latest.pendingBlockers,
    progress: latest.progress,
    result: latest.result,
    failure: latest.failure,
    ended_by: latest.endedBy ?? null,
    ended_as: latest.endedAs ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    started_at: iso(date(latest.startedAt)),
    completed_at: iso(date(latest.completedAt)),
  };
}

const claimedBy = (caller: Caller, task: TaskSnapshot): boolean => {
  const { id, owner, session } = actorOf(caller);
  const same = task.owner ? task.owner.line === owner.line && task.owner.principal === owner.principal : task.token > 0;
  return same && task.agent === id && (task.session ?? null) === session;
};

/**
 * The task workflow's projection. Written unless the row has a higher revision.
 * @returns the row's revision afterwards, and dependants to notify if it was written.
 * @throws Error when the row does not exist: a workflow cannot start without one.
 */
export async function writeTask(
  db: Database,
  { tenant, id }: TaskRef,
  task: TaskSnapshot,
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
      holding ? holderOf(task.owner?.line, task.agent ?? '') : null,
    ];
    const rows = await write(db, values).catch((error: unknown) => {
      // The agent already holds another task (its reservation had expired and was claimed late). The workflow's
      // decision stays; only the hint "one in hand" is dropped.
      if ((error as { code?: string }).code === '23505') return write(db, [...values.slice(0, -1), null]);
      throw error;
    });
    if (rows[0]) return { rev: task.rev, watcher: rows[0].watcher };
    const existing = await db.query<{ rev: number }>('select rev from work_tasks where tenant_id = $1 and id = $2', [tenant, id]);
    if (!existing[0]) throw new Error(`task ${id} has no row`);
    return { rev: existing[0].rev, watcher: null };
  });
}

/** Text that Postgres refuses must not block all later writes of the process. */
const kept = (text: string | null): string | null => text?.replaceAll('\0', '') ?? null;

const write = (db: Database, values: unknown[]): Promise<{ watcher: string | null }[]> =>
  db.query(
    `update work_tasks set rev = $3, status = $4, assigned_agent_id = $5, fencing_token = $6, lease_seconds = $7, lease_expires_at = $8,
       attempts = $9, progress = $10, result = $11, failure = $12, started_at = $13, completed_at = $14, updated_at = now(),
       lease_line = $15, lease_principal = $16, lease_session = $17, ended_by = $18, ended_as = $19,
       holder = $20, hold_until = case when $20::text is null then null else $8::timestamptz end
     where tenant_id = $1 and id = $2 and rev <= $3 returning watcher`,
    values,
  );

/** Dependants of this task, including just released ones: a repeat of an interrupted release must return them again. */
export async function dependantsOf(db: Database, tenant: string, id: string): Promise<string[]> {
  const rows = await db.query<{ task_id: string }>(
    `select task_id from work_task_dependencies
     where tenant_id = $1 and blocker_id = $2 and (released_at is null or released_at > now() - interval '10 minutes') order by 1`,
    [tenant, id],
  );
  return rows.map((row) => row.task_id);
}

export async function markReleased(db: Database, tenant: string, blocker: string, dependant: string): Promise<void> {
  await db.query(
    `update work_task_dependencies set released_at = coalesce(released_at, now())
     where tenant_id = $1 and blocker_id = $2 and task_id = $3`,
    [tenant, blocker, dependant],
  );
}
