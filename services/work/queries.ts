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
import { readCursor, readTime, writeCursor } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { taskColumns, taskView, type TaskRow } from './records.ts';

export interface TaskFilter {
  phaseId?: number | undefined;
  status?: string | undefined;
  tags?: string[] | undefined;
  assignedTo?: string | undefined;
  /** Default: oldest first. */
  newestFirst?: boolean | undefined;
  limit: number;
  /** Opaque, from a previous page. */
  cursor?: string | undefined;
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

/** Reads of work: one SQL query each, without Temporal. */
export class TaskQueries extends Service {
  /** @throws AppError NOT_FOUND, also for another tenant's id */
  async row(tenant: string, id: string): Promise<TaskRow> {
    const rows = await this.db.query<TaskRow>(`select ${taskColumns} from work_tasks t where t.tenant_id = $1 and t.id = $2`, [tenant, id]);
    if (!rows[0]) throw notFound('task', id, 'work.task.list shows the tasks of your tenant.');
    return rows[0];
  }

  /** With its latest comments, oldest first, and their number. */
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
  async list(caller: Caller, filter: TaskFilter): Promise<{ tasks: Task[]; total: number; next?: string }> {
    const { tenant } = caller;
    const after = readCursor(filter.cursor, 2);
    const values: unknown[] = [
      tenant,
      filter.phaseId ?? null,
      filter.status ?? null,
      filter.tags?.length ? filter.tags : null,
      filter.assignedTo ?? null,
    ];
    // By tag, starting with the rarest: under row-level security `tags @> $4` cannot use an index.
    const tagged = filter.tags?.length
      ? filter.tags.map((_, i) => `t.id in (select task_id from work_task_tags where tenant_id = $1 and tag = ($4::text[])[${i + 1}])`)
      : ['$4::text[] is null'];
    const where = `t.tenant_id = $1 and ($2::int is null or t.phase_id = $2) and ($3::text is null or t.status = $3)
      and ${tagged.join(' and ')} and ($5::text is null or t.assigned_agent_id = $5)`;
    const [counted] = await this.db.query<{ n: number }>(
      `select count(*)::int as n from (select from work_tasks t where ${where} limit ${countedTasks}) counted`,
      values,
    );
    const [order, beyond] = filter.newestFirst ? ['desc', '<'] : ['asc', '>'];
    const rows = await this.db.query<TaskRow & { at: string }>(
      `select ${taskColumns}, t.created_at::text as at from work_tasks t where ${where}
       and ($6::timestamptz is null or (t.created_at, t.id) ${beyond} ($6, $7))
       order by t.created_at ${order}, t.id ${order} limit $8`,
      [...values, after ? readTime(after[0]!) : null, after?.[1] ?? null, filter.limit + 1],
    );
    const page = rows.slice(0, filter.limit);
    const last = page.at(-1);
    return {
      tasks: page.map((row) => taskView(caller, row)),
      total: counted?.n ?? 0,
      ...(rows.length > filter.limit && last ? { next: writeCursor(last.at, last.id) } : {}),
    };
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

export type CommentRow = Columns<'work_comments', 'id' | 'author' | 'body' | 'created_at'>;

export const commentView = (row: CommentRow): Comment => ({
  id: row.id,
  author: row.author,
  body: row.body,
  created_at: row.created_at.toISOString(),
});
