import type { Database } from '../../adapters/postgres/database.ts';
import type { WatchedTask } from '../../contracts/activities/work/watching.ts';
import type { TaskSnapshot } from '../../contracts/activities/work/work.ts';
import { lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import { notFound } from '../../contracts/errors.ts';
import {
  columnOf,
  columns,
  countedTasks,
  taskStatuses,
  type Column,
  type Comment,
  type Phase,
  type Task,
  type TaskSummary,
} from '../../contracts/work/work.ts';
import type { Columns } from '../../prisma/rows.ts';
import { countedPage, down, matching, up, type CountedPage, type Paging } from '../kernel/paging.ts';
import { actorOf, holderOf } from './actors.ts';
import { pausedAgent, snapshotOf, taskColumns, type TaskRow } from './records.ts';
import { Service } from '../kernel/service.ts';

export interface TaskFilter extends Paging {
  phaseId?: number | undefined;
  status?: string | undefined;
  tags?: string[] | undefined;
  assignedTo?: string | undefined;
  /** Default: oldest first. */
  newestFirst?: boolean | undefined;
}

const shownComments = 200;

export interface Board {
  columns: Record<Column, TaskSummary[]>;
  stats: { total_tasks: number; ready: number; done: number; in_progress: number; blocked: number; review: number; failed: number };
}

const summary = `json_build_object('id', id, 'description', description, 'phase_id', phase_id, 'status', status, 'priority', priority,
  'assigned_agent_id', assigned_agent_id, 'created_at', created_at)`;

/** Each status of a column is read separately, so that the board's index returns it sorted. */
const columnSql = (name: Column): string => {
  const statuses = taskStatuses.filter((status) => columnOf[status] === name);
  const order = name === 'done' ? 'completed_at desc, id' : 'priority_rank, created_at, id';
  const one = (status: string): string =>
    `(select * from work_tasks where tenant_id = $1 and status = '${status}' and ($2::int is null or phase_id = $2) order by ${order} limit $3)`;
  return `select coalesce(json_agg(${summary}), '[]') from (select * from (${statuses.map(one).join(' union all ')}) listed order by ${order} limit $3) shown`;
};

/** Queries of work: one SQL statement each, without Temporal. */
export class TaskQueries extends Service {
  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async row(tenant: string, id: string): Promise<TaskRow> {
    const rows = await this.db.query<TaskRow>(`select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.id = $2`, [tenant, id]);
    if (!rows[0]) throw notFound('task', id, 'work.task.list shows the tasks of your tenant.');
    return rows[0];
  }

  /** What prevents a caller from claiming a task: it holds another one, or it is paused. */
  async hindrances(caller: Caller, id: string | null): Promise<{ other: string | null; paused: boolean }> {
    const [row] = await this.db.query<{ other: string | null; paused: boolean }>(
      `select (select id from work_tasks where tenant_id = $1 and holder = $4 and id <> $3 and hold_until > now()) as other, ${pausedAgent} as paused`,
      [caller.tenant, caller.principal, id, holderOf(lineOf(caller), workerOf(caller))],
    );
    return row!;
  }

  /** With its latest comments, oldest first, and their total number. */
  async get(caller: Caller, id: string): Promise<{ task: Task & { comments: Comment[] }; comments: number }> {
    const { tenant } = caller;
    const task = taskView(caller, await this.row(tenant, id));
    const latest = await this.db.query<CommentRow & { all: number }>(
      `select id, author, body, created_at, count(*) over ()::int as all from work_comments
       where tenant_id = $1 and task_id = $2 order by created_at desc, id desc limit ${shownComments}`,
      [tenant, id],
    );
    return { task: { ...task, comments: latest.reverse().map(commentView) }, comments: latest[0]?.all ?? 0 };
  }

  /** The task that the worker holds, or null. */
  async current(caller: Caller): Promise<Task | null> {
    const rows = await this.db.query<TaskRow>(
      `select ${taskColumns} from work_tasks t
       where t.tenant_id = $1 and t.assigned_agent_id = $2 and t.status = 'in_progress' and t.lease_expires_at > now()
         and (t.lease_line is null or (t.lease_line, t.lease_principal) = ($3, $4))
       order by t.started_at desc limit 1`,
      [caller.tenant, workerOf(caller), lineOf(caller), caller.principal],
    );
    return rows[0] ? taskView(caller, rows[0]) : null;
  }

  /** @returns `total` up to `countedTasks`. @throws AppError VALIDATION_ERROR (cursor) */
  async list(caller: Caller, { phaseId, status, tags = [], assignedTo, newestFirst, ...paging }: TaskFilter): Promise<CountedPage<Task>> {
    // One subquery per tag, so that Postgres starts with the rarest tag: because of row-level security `tags @> $` would
    // not use the index and read all tasks.
    const tagged = tags.map((_, i) => `t.id in (select task_id from work_task_tags where tenant_id = $1 and tag = ($::text[])[${i + 1}])`);
    const where = matching({
      't.tenant_id = $': caller.tenant,
      't.phase_id = $': phaseId,
      't.status = $': status,
      [tagged.join(' and ')]: tags.length > 0 ? tags : undefined,
      't.assigned_agent_id = $': assignedTo,
    });
    const key = newestFirst ? down : up;
    const list = { select: taskColumns, from: 'work_tasks t', ...where, order: [key('t.created_at', 'timestamptz'), key('t.id')] };
    return await countedPage(this.db.query, list, paging, (row: TaskRow) => taskView(caller, row), countedTasks);
  }

  /** The kanban board in one statement: the first `limit` tasks of each column by its index, and the totals. */
  async board(tenant: string, phaseId: number | undefined, limit: number): Promise<Board> {
    const [row] = await this.db.query<{ tasks: Board['columns']; counts: Record<string, number> | null }>(
      `select json_build_object(${columns.map((name) => `'${name}', (${columnSql(name)})`).join(', ')}) as tasks,
         (select json_object_agg(status, n) from (
           select status, count(*)::int as n from work_tasks where tenant_id = $1 and ($2::int is null or phase_id = $2) group by status) counted) as counts`,
      [tenant, phaseId ?? null, limit],
    );
    const counts = row?.counts ?? {};
    const n = (status: string): number => counts[status] ?? 0;
    return {
      columns: row!.tasks,
      stats: {
        total_tasks: Object.values(counts).reduce((sum, count) => sum + count, 0),
        ready: n('ready'),
        done: n('done'),
        in_progress: n('in_progress'),
        blocked: n('blocked'),
        review: n('review'),
        failed: n('failed'),
      },
    };
  }

  /** @throws AppError NOT_FOUND */
  async phase(tenant: string, id: number): Promise<Phase> {
    const phases = await this.phases(tenant);
    const found = phases.find((phase) => phase.id === id);
    if (!found) throw notFound('phase', String(id), `Phases: ${phases.map((phase) => `${phase.id} ${phase.name}`).join(', ')}.`);
    return found;
  }

  async phases(tenant: string): Promise<Phase[]> {
    return await this.db.query<Phase>(
      `select id, name, description, done_definitions, additional_notes, working_directory, needs_review
       from phases where tenant_id = $1 order by id`,
      [tenant],
    );
  }
}

const isoOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/**
 * A row in the form for this caller; `latest`, the workflow's current answer, overrides the row. Only the claimer sees
 * the fencing token: the same worker, in the session of the claim.
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
    // Computed, not stored, because a blocker that is claimed again no longer counts as failed.
    metadata: row.failed_blockers.length > 0 ? { ...row.metadata, failed_blockers: row.failed_blockers } : row.metadata,
    created_by: row.created_by,
    assigned_agent_id: latest.agent,
    fencing_token: claimedBy(caller, latest) ? latest.token : null,
    lease_seconds: latest.leaseSeconds,
    lease_expires_at: isoOf(latest.leaseExpiresAt),
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
    started_at: isoOf(latest.startedAt),
    completed_at: isoOf(latest.completedAt),
  };
}

const claimedBy = (caller: Caller, task: TaskSnapshot): boolean => {
  const { id, owner, session } = actorOf(caller);
  const same = task.owner ? task.owner.line === owner.line && task.owner.principal === owner.principal : task.token > 0;
  return same && task.agent === id && (task.session ?? null) === session;
};

/** A task for the workflow that had it created; null: it was deleted. */
export async function watchedTask(db: Database, tenant: string, id: string): Promise<WatchedTask | null> {
  const [row] = await db.query<WatchedTask & Record<string, unknown>>(
    `select id as "taskId", status, assigned_agent_id as agent, progress, result, failure from work_tasks where tenant_id = $1 and id = $2`,
    [tenant, id],
  );
  return row ?? null;
}

export type CommentRow = Columns<'work_comments', 'id' | 'author' | 'body' | 'created_at'>;

export const commentView = (row: CommentRow): Comment => ({
  id: row.id,
  author: row.author,
  body: row.body,
  created_at: row.created_at.toISOString(),
});
