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

export class TaskCounts extends Service {
  /** @returns null: the sums do not tell it */
  async total(tenant: string, filter: TaskFilter): Promise<number | null> {
    const sum = sumOf(filter, 2);
    if (!sum) return null;
    const [row] = await this.db.query<{ n: number; rows: number; groups: number }>(
      `select coalesce(sum(n), 0)::int as n, coalesce(sum(rows), 0)::int as rows, count(*)::int as groups
       from (select sum(c.n) as n, count(*) as rows from work_task_counts c where ${sum.where} group by c.phase_id, c.status) counted`,
      [tenant, ...sum.values],
    );
    await this.tidied(tenant, sum, row!);
    return row!.n;
  }

  /** Adds up a sum that has become long. */
  async tidied(
    tenant: string,
    { kind, name }: Pick<Sum, 'kind' | 'name'>,
    { rows, groups }: { rows: number; groups: number },
  ): Promise<void> {
    if (rows > groups + mostRows) await this.db.query('select fold_task_counts($1, $2, $3)', [tenant, kind, name]);
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
