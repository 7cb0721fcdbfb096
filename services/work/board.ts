import { prepared } from '../../adapters/postgres/prepared.ts';
import type { taskOrders } from '../../contracts/work/work.ts';
import { columnOf, columns, taskStatuses, type Column, type ListedTask } from '../../contracts/work/work.ts';
import type { BoardAnswer } from '../../contracts/work/board.ts';
import { AppError } from '../../contracts/errors.ts';
import { down, pageOf, pageSql, readCursor, up, writeCursor, type List } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { utc } from '../kernel/times.ts';
import { stuckSql, waitsSql } from '../kernel/stuck.ts';
import { countedSql, sumOf, TaskCounts, type Counted } from './counts.ts';
import { tasksLike, type TaskFilter } from './filter.ts';

type Order = (typeof taskOrders)[number];

export interface BoardWanted extends Omit<TaskFilter, 'status'> {
  order: Order;
  /** Whole cards, the counts of each phase, and the board's revision. */
  details: boolean;
  limit: number;
  /** One column alone, after a cursor of `next`. */
  column?: Column | undefined;
  cursor?: string | undefined;
  /** Only what changed since a board that told this. */
  since?: string | undefined;
}

/** With more changes than these the board is told anew. */
const mostChanged = 500;

/** Columns of a task `t` in a list. Only a blocked task has blockers that are not done. */
const listedColumns = `t.id, t.title, t.description, t.phase_id, t.status, t.priority, t.assigned_agent_id, ${utc('t.created_at')} as created_at, t.tags,
  case when t.status = 'blocked' then array(select d.blocker_id from work_task_dependencies d
    where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null order by 1) else '{}' end as blocked_by`;
/** Beside `waitsSql`. */
const detailColumns = `${listedColumns}, t.lease_seconds, ${utc('t.lease_expires_at')} as lease_expires_at, t.attempts, t.max_attempts,
  t.needs_review, ${utc('t.due_at')} as due_at, t.reserved_for, t.parent_id, t.cancelled, ${utc('t.archived_at')} as archived_at,
  (select json_build_object('total', count(*)::int, 'done', (count(*) filter (where p.status = 'done'))::int) from work_tasks p
    where p.tenant_id = t.tenant_id and p.parent_id = t.id having count(*) > 0) as parts, left(t.failure, 200) as failure, ${stuckSql} as stuck, ${utc('t.updated_at')} as updated_at,
  ${utc('t.completed_at')} as completed_at, t.rev`;
const columnsOf = (details: boolean): string => (details ? detailColumns : listedColumns);

export type ListedRow = ListedTask & Record<string, unknown>;

const orders: Record<Order, List['order']> = {
  priority: [up('t.priority_rank', 'int'), up('t.created_at', 'timestamptz'), up('t.id')],
  oldest: [up('t.created_at', 'timestamptz'), up('t.id')],
  newest: [down('t.created_at', 'timestamptz'), down('t.id')],
  updated: [down('t.updated_at', 'timestamptz'), down('t.id')],
};
const orderOf = (column: Column, order: Order): List['order'] =>
  column === 'done' && order === 'priority' ? [down('t.completed_at', 'timestamptz'), up('t.id')] : orders[order];

const statusesOf = (column: Column) => taskStatuses.filter((status) => columnOf[status] === column);

/** A tag with so few tasks is read whole, once for all columns: no index has its tasks by status. */
const few = 2_000;

/**
 * Each status of a column is read separately, so that the board's index returns it sorted.
 * @param has whether there are tasks of a status: Postgres may look for the first of none among a million others
 * @param from `work_tasks`, or those that match, which are few
 */
const columnList = (
  tenant: string,
  column: Column,
  { order, details, changed, ...filter }: BoardWanted & { changed?: string[] },
  has: (status: string) => boolean,
  from: 'work_tasks' | 'found',
): List => {
  const like = tasksLike(tenant, filter);
  const values = changed ? [...like.values, changed] : like.values;
  const statuses = statusesOf(column).filter(has);
  const parts = statuses.map((status) => `(select * from ${from} where tenant_id = $1 and status = '${status}') t`);
  return {
    select: columnsOf(details),
    from: parts[0] ?? '(select * from work_tasks where false) t',
    ...(parts.length > 1 ? { parts } : {}),
    where: changed ? `${like.where} and t.id = any($${values.length}::text[])` : like.where,
    values,
    order: orderOf(column, order),
  };
};

/** Tasks in one list. */
export function taskList(tenant: string, filter: TaskFilter, order: Order, details: boolean): List {
  const common = { given: waitsSql, select: columnsOf(details) };
  const [tag, ...more] = filter.tags ?? [];
  if (tag === undefined || more.length > 0 || (order !== 'oldest' && order !== 'newest'))
    return { ...common, from: 'work_tasks t', ...tasksLike(tenant, filter), order: orders[order] };
  // By the index of the tag, which has the tasks in this order.
  const { where, values } = tasksLike(tenant, { ...filter, tags: [] });
  const by = order === 'newest' ? down : up;
  return {
    ...common,
    from: 'work_task_tags g join work_tasks t on t.tenant_id = g.tenant_id and t.id = g.task_id',
    where: `${where} and g.tenant_id = $1 and g.tag = $${values.length + 1}`,
    values: [...values, tag],
    order: [by('g.created_at', 'timestamptz'), by('g.task_id')],
  };
}

export function countsOf(all: { status: string; n: number }[]): BoardAnswer['stats'] {
  const of = (wanted: string): number => all.reduce((sum, { status, n }) => (status === wanted ? sum + n : sum), 0);
  return {
    total_tasks: all.reduce((sum, { n }) => sum + n, 0),
    ready: of('ready'),
    done: of('done'),
    in_progress: of('in_progress'),
    blocked: of('blocked'),
    review: of('review'),
    failed: of('failed'),
  };
}

const byPhase = (all: { status: string; phase_id: number; n: number }[]): BoardAnswer['by_phase'] =>
  [...Map.groupBy(all, ({ phase_id }) => phase_id)]
    .toSorted(([a], [b]) => a - b)
    .map(([phase_id, its]) => ({ phase_id, ...countsOf(its) }));

/** The board in one statement: the first tasks of each column, and how many there are. */
export class Boards extends Service {
  private readonly counts = new TaskCounts(this.deps);

  /** @throws AppError VALIDATION_ERROR (cursor, since) */
  async get(tenant: string, wanted: BoardWanted): Promise<BoardAnswer> {
    if ((wanted.cursor === undefined) !== (wanted.column === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'column and cursor belong together.', {
        hint: 'next has the cursor of each column that has more tasks.',
      });
    }
    // Noted first: what is committed while the board is read is told again.
    const rev = wanted.details || wanted.since !== undefined ? await this.now() : undefined;
    const changed = wanted.since === undefined ? null : await this.changedSince(tenant, wanted.since);
    const shown = wanted.column ? [wanted.column] : columns;
    // A filter is counted first, so that only statuses are read that have tasks.
    const narrow = sumOf(wanted, 2);
    const first = narrow && (narrow.kind !== 'all' || narrow.values.length > 0) ? await this.counts.read(tenant, narrow) : null;
    const has = (status: string): boolean => first?.some((each) => each.status === status) ?? true;
    const total = first?.reduce((sum, { n }) => sum + n, 0);
    const whole = narrow?.kind === 'tag' && total !== undefined && total <= few;
    const pages = shown.map((column) => ({
      column,
      ...pageSql(columnList(tenant, column, changed ? { ...wanted, changed } : wanted, has, whole ? 'found' : 'work_tasks'), {
        limit: changed ? mostChanged : wanted.limit,
        cursor: wanted.cursor,
      }),
    }));
    const like = tasksLike(tenant, wanted).where;
    const counted = narrow
      ? countedSql(narrow)
      : `select t.status, t.phase_id, count(*)::int as n from work_tasks t where ${like} group by 1, 2`;
    const sql = `with ${waitsSql}${whole ? `, found as materialized (select t.* from work_tasks t where ${like})` : ''}
      select json_build_object(${pages.map((page) => `'${page.column}', (select json_agg(x) from (${page.sql}) x)`).join(', ')}) as tasks
        ${first ? '' : `, (select json_agg(counted) from (${counted}) counted) as counts`}`;
    const { values } = pages[0]!;
    // Only of the tenant and the limit: what most ask for.
    const plain = !changed && values.length === 2;
    const [row] = await this.db.query<{
      tasks: Record<Column, (ListedRow & { page_key: string[] })[] | null>;
      counts?: (Counted & { rows: number })[] | null;
    }>(plain ? prepared(sql) : sql, values);
    const { counts, tasks } = row!;
    const all = first ?? (narrow ? await this.counts.checked(tenant, narrow, counts ?? []) : (counts ?? []));
    const board: BoardAnswer = {
      columns: { backlog: [], ready: [], in_progress: [], review: [], done: [] },
      next: {},
      stats: countsOf(all),
      ...(wanted.details ? { by_phase: byPhase(all) } : {}),
      ...(rev === undefined ? {} : { rev }),
      ...(wanted.since === undefined ? {} : { changed }),
    };
    for (const column of shown) {
      const page = pageOf(tasks[column] ?? [], changed ? mostChanged : wanted.limit, ({ page_key: _key, ...task }): ListedTask => task);
      board.columns[column] = page.items;
      if (page.next !== undefined && !changed) board.next[column] = page.next;
    }
    return board;
  }

  /** What is committed after this moment has a transaction number from this one on. */
  private async now(): Promise<string> {
    const [row] = await this.db.query<{ xid: string }>(`select settled_moment()::text as xid`);
    return writeCursor(row!.xid);
  }

  /** The tasks of which events tell since then; null: too many, or some of these events are gone. */
  private async changedSince(tenant: string, since: string): Promise<string[] | null> {
    const [xid] = readCursor(since, ['bigint'], 'since_rev');
    const rows = await this.db.query<{ id: string | null; kept: boolean }>(
      `select (select coalesce(min(xid) <= $2::text::xid8, false) from (select xid from outbox where tenant_id = $1 order by xid, id limit 1) first) as kept, id
       from (select) x left join lateral (select distinct subject as id from outbox where tenant_id = $1 and xid >= $2::text::xid8
         and type = 'work.task_changed' limit ${mostChanged + 1}) changed on true`,
      [tenant, xid],
    );
    if (!rows[0]?.kept || rows.length > mostChanged) return null;
    return rows.flatMap(({ id }) => (id === null ? [] : [id]));
  }
}
