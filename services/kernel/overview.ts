import { lineOf, mayDecide, type Caller } from '../../contracts/caller.ts';
import { countedAtMost, mostRunning, type Overview } from '../../contracts/overview.ts';
import { taskStatuses } from '../../contracts/work/work.ts';
import type { Jobs } from './jobs.ts';
import { Service } from './service.ts';
import { utc } from './times.ts';

/** The first screen of the console: what runs and what waits for a person, in one statement. */
export class OverviewService extends Service<never, { jobs: Pick<Jobs, 'underWayLatest' | 'refs'> }> {
  async get(caller: Caller): Promise<Overview> {
    const { tenant } = caller;
    const [[row], running] = await Promise.all([
      this.db.query<{ counts: Omit<Overview, 'jobs'> & { jobs: number } }>(sql, [
        tenant,
        mayDecide(caller) ? null : lineOf(caller),
        countedAtMost + 1,
      ]),
      this.deps.jobs.underWayLatest(tenant, mostRunning),
    ]);
    const { jobs, ...counts } = row!.counts;
    const shown = running.map((job) => ({ ...job, url: this.deps.jobs.refs(job).find(({ url }) => url)?.url ?? null }));
    return { ...counts, jobs: { count: jobs, running: shown } };
  }
}

/** `$3` rows are counted at most, the oldest first, so that a tenant of millions does not wait. */
const bounded = (from: string, where: string, time: string, more = ''): string =>
  `(select json_build_object('count', count(*)::int, 'oldest_at', ${utc('min(at)')}${more}) from
     (select ${time} as at, x.* from ${from} x where x.tenant_id = $1 and ${where} order by ${time} limit $3) found)`;

const count = (from: string, where: string): string =>
  `(select count(*)::int from (select from ${from} x where x.tenant_id = $1 and ${where} limit $3) found)`;

/** Of today until now, and of the day a week before until the same time. Days begin at midnight UTC. */
const today = (where: string, time: string): string => {
  const until = (end: string): string =>
    count('work_tasks', `${where} and ${time} >= date_trunc('day', ${end}, 'UTC') and ${time} <= ${end}`);
  return `json_build_object('now', ${until('now()')}, 'week_before', ${until("now() - interval '7 days'")})`;
};

const agents = (name: string, where: string): string => `'${name}', ${count('agents', `x.removed_at is null and ${where}`)}`;

/** Those of others only for whoever may decide: as in lists of approvals. */
const visible = '($2::text is null or x.line = $2)';

const sql = `select json_build_object(
  'at', ${utc('now()')},
  'tasks', json_build_object(${taskStatuses.map((status) => `'${status}', ${count('work_tasks', `x.status = '${status}'`)}`).join(', ')}),
  'stuck', (select json_build_object('count', count(*)::int, 'lapsed', count(*) filter (where lapsed)::int,
      'blocked', count(*) filter (where not lapsed)::int, 'oldest_at', ${utc('min(at)')}) from
    ((select lease_expires_at as at, true as lapsed from work_tasks
       where tenant_id = $1 and status = 'in_progress' and lease_expires_at < now() order by lease_expires_at limit $3)
     union all
     (select t.updated_at, false from work_tasks t where t.tenant_id = $1 and t.status = 'blocked' and exists
        (select from work_task_dependencies d join work_tasks b on b.tenant_id = d.tenant_id and b.id = d.blocker_id
         where d.tenant_id = $1 and d.task_id = t.id and d.released_at is null and b.status = 'failed') limit $3)) found),
  'approvals', ${bounded('approvals', `x.status = 'pending' and x.expires_at > now() and ${visible}`, 'x.created_at', `, 'next_expires_at', ${utc('min(expires_at)')}`)},
  'ambiguous', ${bounded('approvals', `x.status = 'ambiguous' and ${visible}`, 'x.created_at')},
  'reviews', ${bounded('reviews', `x.kind = 'entity_match' and x.status = 'pending'`, 'x.created_at')},
  'dead_letters', ${bounded('dlq_items', `x.status = 'parked'`, 'x.first_failed_at')},
  'outputs', ${bounded('agent_outputs', `x.status = 'pending'`, 'x.created_at')},
  'external_tools', json_build_object(
    'waiting', ${count('external_tools', 'x.gone_at is null and x.pinned_hash is null')},
    'changed', ${count('external_tools', 'x.gone_at is null and x.pinned_hash <> x.hash')}),
  'undelivered', ${bounded('event_deliveries', `x.status = 'dead'`, 'x.first_failed_at')},
  'failed_notices', ${bounded('notifications', `x.status in ('failed', 'unknown')`, 'x.created_at')},
  'agents', json_build_object(${[
    ...['healthy', 'unhealthy', 'offline', 'none'].map((health) => agents(health, `x.admin_status <> 'paused' and x.health = '${health}'`)),
    agents('paused', `x.admin_status = 'paused'`),
  ].join(', ')}),
  'today', json_build_object('tasks_created', ${today('true', 'x.created_at')},
    'tasks_done', ${today(`x.status = 'done'`, 'x.completed_at')}),
  'jobs', ${count('jobs', `x.status in ('queued', 'running')`)}
) as counts`;
