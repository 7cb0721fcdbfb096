/** Which tasks are stuck: one definition for the board, lists and the overview. */
import { stuckReasons, taskStatuses, type StuckReason } from '../../contracts/work/work.ts';
import { utc } from './times.ts';

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
const reasons: Record<StuckReason, { status: (typeof taskStatuses)[number]; when: string; since: string }> = {
  lapsed: { status: 'in_progress', when: 't.lease_expires_at < now()', since: 't.lease_expires_at' },
  silent: {
    status: 'in_progress',
    when: 't.lease_expires_at >= now() and t.lease_expires_at < now() + make_interval(secs => t.lease_seconds / 2.0)',
    since: 't.lease_expires_at - make_interval(secs => t.lease_seconds)',
  },
  blocked: {
    status: 'blocked',
    // Without a join, which Postgres might begin with all failed tasks.
    when: `exists (select from work_task_dependencies d where d.tenant_id = t.tenant_id and d.task_id = t.id and d.released_at is null
      and (select b.status from work_tasks b where b.tenant_id = d.tenant_id and b.id = d.blocker_id) = 'failed')`,
    since: 't.updated_at',
  },
  exhausted: { status: 'failed', when: 't.attempts >= t.max_attempts and t.archived_at is null', since: 't.updated_at' },
  waiting: {
    status: 'ready',
    when: 'coalesce(t.changed_at, t.updated_at) < now() - (select w.most from waits w where w.phase_id = t.phase_id)',
    since: 'coalesce(t.changed_at, t.updated_at)',
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

/** Condition on tasks `t`, beside `waitsSql`. */
export const isStuck = (stuck: 'any' | StuckReason): string =>
  stuckReasons
    .filter((reason) => stuck === 'any' || reason === stuck)
    .map((reason) => `t.status = '${reasons[reason].status}' and ${reasons[reason].when}`)
    .join(' or ');

/** How many are stuck for each reason, at most `most` of each, and since when the oldest; beside `waitsSql`. */
export const stuckCounts = (most: string): string => `(select json_build_object('count', least(count(*), ${most})::int,
    ${stuckReasons.map((reason) => `'${reason}', count(*) filter (where reason = '${reason}')::int`).join(', ')}, 'oldest_at', ${utc('min(at)')})
  from (${stuckReasons
    .map((reason) => {
      const { status, when, since } = reasons[reason];
      return `(select '${reason}' as reason, ${since} as at from work_tasks t where t.tenant_id = $1 and t.status = '${status}' and ${when} limit ${most})`;
    })
    .join(' union all ')}) found)`;
