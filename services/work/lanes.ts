import type { Holder, Lane, LaneKind } from '../../contracts/work/board.ts';
import { Service } from '../kernel/service.ts';
import { utc } from '../kernel/times.ts';
import { waitsSql } from '../kernel/stuck.ts';
import { countsOf } from './board.ts';
import { sumOf } from './counts.ts';
import { tasksLike, type TaskFilter } from './filter.ts';

/** `sum`: the same of a sum that is kept. */
const lanes: Record<LaneKind, { key: string; sum?: string; order: string }> = {
  phase: { key: 't.phase_id::text', sum: 'c.phase_id::text', order: 'lane::int' },
  priority: { key: 't.priority', order: `array_position(array['high', 'medium', 'low'], lane)` },
  // Who works comes first. What nobody has stands at the end, and is never left out by the limit.
  assignee: { key: `coalesce(t.assigned_agent_id, '')`, sum: 'c.name', order: `(lane <> ''), held desc, total desc, lane` },
};

/** The board in lanes: their counts, and who holds what is in them. */
export class Lanes extends Service {
  /** @returns at most `limit` lanes that have tasks, and how many there are */
  async list(tenant: string, by: LaneKind, filter: TaskFilter, limit: number): Promise<{ lanes: Lane[]; total: number }> {
    const { key, sum: summed, order } = lanes[by];
    const sum = summed === undefined ? null : sumOf(filter, 2, by === 'assignee' ? 'agent' : undefined);
    const { where, values } = sum ? { where: '', values: [tenant, ...sum.values] } : tasksLike(tenant, filter);
    const counted = sum
      ? `select ${summed} as lane, c.status, sum(c.n)::int as n from work_task_counts c where ${sum.where} group by 1, 2 having sum(c.n) <> 0`
      : `select ${key} as lane, t.status, count(*)::int as n from work_tasks t where ${where} group by 1, 2`;
    const rows = await this.db.query<{ lane: string; counts: { status: string; n: number }[]; lanes: number }>(
      `with ${waitsSql}, counted as (${counted}),
       lanes as (select lane, json_agg(json_build_object('status', status, 'n', n)) as counts, sum(n) as total,
         coalesce(sum(n) filter (where status = 'in_progress'), 0) as held from counted group by lane)
       select lane, counts, (count(*) over ())::int as lanes from lanes order by ${order} limit $${values.length + 1}`,
      [...values, limit],
    );
    const shown = [...rows.filter(({ lane }) => lane !== ''), ...rows.filter(({ lane }) => lane === '')];
    return { lanes: shown.map(({ lane, counts }) => ({ lane, stats: countsOf(counts) })), total: rows[0]?.lanes ?? 0 };
  }

  /** Those with the most tasks first. */
  async holders(tenant: string, limit: number): Promise<Holder[]> {
    return await this.db.query<Holder & Record<string, unknown>>(
      `with held as (
         select assigned_agent_id as agent, coalesce(lease_principal, assigned_agent_id) as principal, count(*)::int as tasks
         from work_tasks where tenant_id = $1 and status = 'in_progress' group by 1, 2),
       most as (select distinct on (agent) agent, principal, (sum(tasks) over (partition by agent))::int as tasks from held order by agent, held.tasks desc)
       select m.agent, case when a.admin_status = 'paused' then 'paused' else coalesce(a.health, 'none') end as presence,
         ${utc('a.health_since')} as since, m.tasks
       from most m left join agents a on a.tenant_id = $1 and a.id = m.principal and a.removed_at is null
       order by m.tasks desc, m.agent limit $2`,
      [tenant, limit],
    );
  }
}
