/** How many tasks there are: read from the sums that triggers keep, as far as a filter allows it. */
import { Service } from '../kernel/service.ts';
import type { TaskFilter } from './filter.ts';

/** A sum is added up when it has so many rows more than it needs. */
const mostRows = 300;

/** Rows `c` of `work_task_counts`, whose `n` add up to the tasks of a filter. */
export interface Sum {
  kind: 'all' | 'agent' | 'tag';
  name: string;
  where: string;
  /** Of the parameters in `where`, from the number that `sumOf` was given. */
  values: unknown[];
}

/**
 * @param next number of the next parameter. @param ofEach the sums of all assignees instead
 * @returns null: only the tasks themselves tell which match
 */
export function sumOf(filter: TaskFilter, next: number, ofEach?: 'agent'): Sum | null {
  const { phase_id, status, tags = [], assigned_to, archived = false } = filter;
  const { search, priority, stuck, overdue, reserved_for, parent_id } = filter;
  if (overdue === true || [search, priority, stuck, reserved_for, parent_id].some((value) => value !== undefined)) return null;
  if (tags.length + (assigned_to === undefined ? 0 : 1) > 1) return null;
  const filtered = tags.length > 0 ? 'tag' : assigned_to === undefined ? 'all' : 'agent';
  if (ofEach && filtered !== 'all') return null;
  const kind = ofEach ?? filtered;
  const name = ofEach ? undefined : (tags[0] ?? assigned_to ?? '');
  const values: unknown[] = [];
  const parts = [`c.tenant_id = $1`, `c.kind = '${kind}'`, archived ? 'c.archived' : 'not c.archived'];
  for (const [column, value] of [
    ['name', name],
    ['phase_id', phase_id],
    ['status', status],
  ]) {
    if (value === '') parts.push(`c.${column} = ''`);
    else if (value !== undefined) parts.push(`c.${column} = $${next + values.push(value) - 1}`);
  }
  return { kind, name: name ?? '', where: parts.join(' and '), values };
}

export interface Counted extends Record<string, unknown> {
  status: string;
  phase_id: number;
  n: number;
}

/** The statement for `TaskCounts.read`, as a part of a larger one. */
export const countedSql = ({ where }: Sum): string =>
  `select c.status, c.phase_id, sum(c.n)::int as n, count(*)::int as rows from work_task_counts c where ${where} group by 1, 2`;

export class TaskCounts extends Service {
  /** @returns null: the sums do not tell it */
  async total(tenant: string, filter: TaskFilter): Promise<number | null> {
    const sum = sumOf(filter, 2);
    return sum && (await this.read(tenant, sum)).reduce((total, { n }) => total + n, 0);
  }

  async read(tenant: string, sum: Sum): Promise<Counted[]> {
    return await this.checked(tenant, sum, await this.db.query<Counted & { rows: number }>(countedSql(sum), [tenant, ...sum.values]));
  }

  /** What `countedSql` found, without empty ones. A sum that has become long is added up. */
  async checked(tenant: string, { kind, name }: Sum, found: (Counted & { rows: number })[]): Promise<Counted[]> {
    const rows = found.reduce((total, each) => total + each.rows, 0);
    if (rows > found.length + mostRows) await this.db.query('select fold_task_counts($1, $2, $3)', [tenant, kind, name]);
    return found.flatMap(({ status, phase_id, n }) => (n === 0 ? [] : [{ status, phase_id, n }]));
  }

  /** Adds up the sums that nobody reads. @returns how many rows that saved */
  async sweep(tenant: string): Promise<number> {
    const long = await this.db.query<{ kind: string; name: string; rows: number }>(
      `select kind, name from work_task_counts where tenant_id = $1 group by kind, name
       having count(*) > count(distinct (phase_id, status, archived)) + 20 order by count(*) desc limit 1000`,
      [tenant],
    );
    let saved = 0;
    for (const { kind, name } of long) {
      const [row] = await this.db.query<{ saved: number }>('select fold_task_counts($1, $2, $3) as saved', [tenant, kind, name]);
      saved += row!.saved;
    }
    return saved;
  }
}
