import { priorityRank, stuckReasons, taskStatuses, type Priority, type StuckReason } from '../../contracts/work/work.ts';
import { matching, type Matching } from '../kernel/paging.ts';

/** As `taskFilter` of the contract. */
export interface TaskFilter {
  phase_id?: number | undefined;
  status?: string | undefined;
  search?: string | undefined;
  priority?: Priority | undefined;
  tags?: string[] | undefined;
  assigned_to?: string | undefined;
  stuck?: 'any' | StuckReason | undefined;
}

/** Ready for this many times the usual wait of its phase, and for ten minutes at least, is too long. */
const patience = 3;
/** The usual wait is the median of a phase's part of this many tasks that were done last; with fewer than five it is unknown. */
const sampled = 500;

/** Until when a ready task of each phase may wait: `waits (phase_id, most)`. */
export const waitsSql = `waits as materialized (
  select phase_id, greatest(interval '10 minutes', ${patience} * percentile_cont(0.5) within group (order by started_at - created_at)) as most
  from (select phase_id, created_at, started_at from work_tasks where tenant_id = $1 and status = 'done'
    order by completed_at desc, id limit ${sampled}) latest
  where started_at is not null group by phase_id having count(*) >= 5)`;

/** Each reason belongs to one status, so a row is asked for one. */
const reasons: Record<StuckReason, { status: (typeof taskStatuses)[number]; when: string }> = {
  lapsed: { status: 'in_progress', when: 't.lease_expires_at < now()' },
  silent: {
    status: 'in_progress',
    when: 't.lease_expires_at >= now() and t.lease_expires_at < now() + make_interval(secs => t.lease_seconds / 2.0)',
  },
  blocked: {
    status: 'blocked',
    // Without a join, which Postgres might begin with all failed tasks.
    when: `exists (select from work_task_dependencies d where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null
      and (select b.status from work_tasks b where b.tenant_id = d.tenant_id and b.id = d.blocker_id) = 'failed')`,
  },
  exhausted: { status: 'failed', when: 't.attempts >= t.max_attempts' },
  waiting: {
    status: 'ready',
    when: 'coalesce(t.changed_at, t.updated_at) < now() - (select w.most from waits w where w.phase_id = t.phase_id)',
  },
};

/** Why a task `t` does not move, in SQL beside `waitsSql`; null: it does. */
export const stuckSql = `case t.status ${taskStatuses
  .map((status) => {
    const its = stuckReasons.filter((reason) => reasons[reason].status === status);
    return its.length === 0
      ? ''
      : `when '${status}' then case ${its.map((reason) => `when ${reasons[reason].when} then '${reason}'`).join(' ')} end`;
  })
  .join(' ')} end`;

const isStuck = (stuck: 'any' | StuckReason): string =>
  stuckReasons
    .filter((reason) => stuck === 'any' || reason === stuck)
    .map((reason) => `t.status = '${reasons[reason].status}' and ${reasons[reason].when}`)
    .join(' or ');

/** Conditions on tasks `t`; `$1` is the tenant. */
export function tasksLike(tenant: string, { phase_id, status, search, priority, tags = [], assigned_to, stuck }: TaskFilter): Matching {
  // One subquery per tag, so that Postgres starts with the rarest tag: because of row-level security `tags @> $` would
  // not use the index and read all tasks.
  const tagged = tags.map((_, i) => `t.id in (select task_id from work_task_tags where tenant_id = $1 and tag = ($::text[])[${i + 1}])`);
  const words = search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return matching({
    't.tenant_id = $': tenant,
    't.phase_id = $': phase_id,
    't.status = $': status,
    't.priority_rank = $': priority === undefined ? undefined : priorityRank[priority],
    [tagged.join(' and ')]: tags.length > 0 ? tags : undefined,
    't.assigned_agent_id = $': assigned_to,
    [`t.id = ($::text[])[1] or not exists (select from unnest($::text[]) word where strpos(lower(t.description), word) = 0)`]:
      words.length > 0 ? words : undefined,
    ...(stuck === undefined ? {} : { [isStuck(stuck)]: true }),
  });
}
