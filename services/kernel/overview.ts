import { lineOf, mayDecide, type Caller } from '../../contracts/caller.ts';
import type { InboxKind } from '../../contracts/inbox.ts';
import { countedAtMost, mostRunning, type Overview } from '../../contracts/overview.ts';
import { taskStatuses } from '../../contracts/work/work.ts';
import { kindSql } from './inbox/kinds.ts';
import type { Jobs } from './jobs.ts';
import { Service } from './service.ts';
import { stuckCounts, waitsSql } from './stuck.ts';
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

/** What the inbox counts of a kind. `$3` rows are counted at most, the oldest first, so that a tenant of millions does not wait. */
const waiting = (kind: InboxKind, more = ''): string => {
  const { from, open, since } = kindSql[kind];
  return `(select json_build_object('count', count(*)::int, 'oldest_at', ${utc('min(at)')}${more}) from
     (select ${since} as at, x.* from ${from} x where x.tenant_id = $1 and ${open} order by ${since} limit $3) found)`;
};

const count = (from: string, where: string): string =>
  `(select count(*)::int from (select from ${from} x where x.tenant_id = $1 and ${where} limit $3) found)`;

/** Of today until now, and of the day a week before until the same time. Days begin at midnight UTC. */
const today = (where: string, time: string): string => {
  const until = (end: string): string =>
    count('work_tasks', `${where} and ${time} >= date_trunc('day', ${end}, 'UTC') and ${time} <= ${end}`);
  return `json_build_object('now', ${until('now()')}, 'week_before', ${until("now() - interval '7 days'")})`;
};

const agents = (name: string, where: string): string => `'${name}', ${count('agents', `x.removed_at is null and ${where}`)}`;

const sql = `with ${waitsSql} select json_build_object(
  'at', ${utc('now()')},
  'tasks', json_build_object(${taskStatuses.map((status) => `'${status}', ${count('work_tasks', `x.status = '${status}'${status === 'failed' ? ' and x.archived_at is null' : ''}`)}`).join(', ')}),
  'stuck', ${stuckCounts('$3')},
  'approvals', ${waiting('call', `, 'next_expires_at', ${utc('min(expires_at)')}`)},
  'ambiguous', ${waiting('ambiguous')},
  'reviews', ${waiting('review')},
  'dead_letters', ${waiting('dead_letter')},
  'outputs', ${waiting('output')},
  'external_tools', json_build_object(
    'waiting', ${count('external_tools', `${kindSql.definition.open} and x.pinned_hash is null`)},
    'changed', ${count('external_tools', `${kindSql.definition.open} and x.pinned_hash is not null`)}),
  'undelivered', ${waiting('undelivered')},
  'failed_notices', ${waiting('notice')},
  'agents', json_build_object(${[
    ...['healthy', 'unhealthy', 'offline', 'none'].map((health) => agents(health, `x.admin_status <> 'paused' and x.health = '${health}'`)),
    agents('paused', `x.admin_status = 'paused'`),
  ].join(', ')}),
  'today', json_build_object('tasks_created', ${today('true', 'x.created_at')},
    'tasks_done', ${today(`x.status = 'done'`, 'x.completed_at')}),
  'jobs', ${count('jobs', `x.status in ('queued', 'running')`)}
) as counts`;
