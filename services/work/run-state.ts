/** What state a run is in. It follows from the row of its task and from what its own record says; no process writes it. */

import type { RunState } from '../../contracts/work/runs.ts';

/** States that nothing changes any more, unless the task is still under the run's lease. */
const ends: readonly RunState[] = ['completed', 'failed', 'returned', 'lost'];

/**
 * Runs `r` with their tasks `t`. Where the task has had another lease since, `e` is the last change under the run's
 * lease, unless its state is final already.
 * @param rows a table, or a subquery, with the columns of work_runs
 */
export const runsFrom = (rows = 'work_runs'): string => `${rows} r
  join work_tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id
  left join lateral (
    select c.status, c.ended_as, c.at from work_task_events c
    where r.final is null and t.fencing_token <> r.fencing_token and c.tenant_id = r.tenant_id and c.task_id = r.task_id
      and c.token = r.fencing_token and c.mark = '' order by c.rev desc limit 1) e on true`;

/**
 * The state of a run of `runsFrom`. A lease that lapsed has no one who ended it. A release and the next claim may be one
 * write, so `e` may still be in progress: then the record says whether the runner ended it.
 */
export const runState = `coalesce(r.final, case
  when t.fencing_token = r.fencing_token then case
    when t.status = 'in_progress' then case when t.lease_expires_at > now() then 'running' else 'lost' end
    when t.status = 'review' then case when r.verdict = 'approve' and r.merge <> 'patch' and r.branch is not null then 'approved' else 'review' end
    when t.status = 'done' then 'completed'
    when t.ended_as is null then 'lost'
    when t.status = 'failed' then 'failed'
    else 'returned' end
  when e.status = 'review' then 'returned'
  when coalesce(e.status, 'in_progress') = 'in_progress' then case when r.ended_at is null then 'lost' else 'returned' end
  when e.ended_as is null then 'lost'
  when e.status = 'failed' then 'failed'
  else 'returned' end)`;

/** When a run of `runsFrom` ended; null: it has not. */
export const runEnd = `coalesce(r.ended_at, case
  when t.fencing_token <> r.fencing_token then coalesce(e.at, t.changed_at)
  when t.status <> 'in_progress' then t.changed_at
  when t.lease_expires_at <= now() then t.lease_expires_at end)`;

/** Whether a run has this state, so that an index finds it: of runs in a final state, and of those whose state may change. */
export function runsIn(state: RunState | undefined): string {
  if (state === undefined) return 'work_runs';
  const open = 'select * from work_runs where tenant_id = $1 and final is null';
  return ends.includes(state) ? `(select * from work_runs where tenant_id = $1 and final = '${state}' union all ${open})` : `(${open})`;
}

/** Tells of each row of `from`, with the columns of work_runs and `state`. */
export const tellRun = (type: string, from: string): string => `insert into outbox (tenant_id, type, subject, data)
  select x.tenant_id, '${type}', x.id, jsonb_build_object('task_id', x.task_id, 'phase_id', x.phase_id, 'agent', x.agent, 'worker', x.worker,
    'host', x.host, 'branch', x.branch, 'state', x.state, 'outcome', x.outcome, 'cost_usd', x.cost_usd, 'by', x.reviewed_by) from ${from} x`;

/**
 * Notes the ends of runs, and tells of each once. A state that nothing can change any more is kept, so that lists find it.
 * @param which a condition on `r`, beside `$1` the tenant
 * @param ended whether the runs have ended although their state may change: they wait for a review
 */
export const settleSql = (which: string, ended = false): string => `
  with found as (
    select r.id, r.ended_at as ended_before, s.state, s.end_at,
      s.state in (${ends.map((state) => `'${state}'`).join(', ')}) and not (t.fencing_token = r.fencing_token and t.status = 'in_progress') as final
    from ${runsFrom()}, lateral (select ${runState} as state, ${runEnd} as end_at) s
    where r.tenant_id = $1 and r.final is null and ${which}
  ), noted as (
    update work_runs r set final = case when f.final then f.state end, ended_at = coalesce(r.ended_at, f.end_at, now())
    from found f where r.tenant_id = $1 and r.id = f.id and r.final is null and r.ended_at is not distinct from f.ended_before
      and (f.final or ${ended ? `f.state <> 'running'` : 'false'})
    returning r.*, f.state, f.ended_before
  ), told as (${tellRun('work.run_ended', '(select * from noted where ended_before is null)')})
  select id from noted`;
