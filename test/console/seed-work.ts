import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Database } from '../../adapters/postgres/database.ts';

/** Text that tries to be something else: markup, direction marks, invisible characters. */
export const hostile = `<img src=x onerror=alert(1)> \u202Egnihtemos\u202C a\u200Bb \u{E0041} **not bold**`;

/**
 * A board of 10,000 tasks in 4 phases by SQL, as processes would have written them: 40 stuck in each way, holders, failures,
 * blockers, tags. No process runs for them; one is started when a task is asked for something.
 */
export async function seedWork(db: Database, tenant: string, tasks = 10_000): Promise<void> {
  const sql = (text: string, values: unknown[] = []) => asTenant(tenant, () => db.query(text, [tenant, ...values]));
  await sql(`insert into phases (tenant_id, id, name, description, done_definitions)
    select $1, n, (array['Investigate', 'Implement', 'Verify', 'Ship'])[n], '', '{"It works"}' from generate_series(1, 4) n on conflict do nothing`);
  await sql(
    `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, tags, created_by, lease_seconds, max_attempts,
       attempts, fencing_token, rev, assigned_agent_id, lease_expires_at, started_at, completed_at, changed_at, failure, created_at, updated_at)
     select $1, 'task_' || lpad(n::text, 6, '0'),
       case when n = 1 then $3 else 'Task ' || n || ': ' || (array['look into slow exports', 'fix the login page', 'check the invoice run', 'write release notes'])[1 + n % 4] end
         || E'\\n\\nSteps are in the runbook.',
       1 + n % 4, (array['high', 'medium', 'low'])[1 + n % 3], n % 3, s.status,
       case when n % 10 = 0 then array['billing'] when n % 7 = 0 then array['urgent', 'eu'] else '{}' end,
       'planner', 900, 3, case when s.status in ('ready', 'blocked') then 0 when s.status = 'failed' and n % 10 <> 5 then 1 when s.status = 'failed' and n > 400 then 2 when s.status = 'failed' then 3 else 1 end,
       case when s.status in ('ready', 'blocked') then 0 else 1 end, case when s.status in ('ready', 'blocked') then 0 else 1 end,
       case when s.status in ('in_progress', 'review', 'done', 'failed') then 'worker-' || n % 200 end,
       case when s.status = 'in_progress' then now() + case when n <= 400 then interval '-10 minutes' when n <= 800 then interval '6 minutes' else interval '12 hours' end end,
       case when s.status not in ('ready', 'blocked') then now() - interval '1 day' - n * interval '1 minute' + interval '2 hours' end,
       case when s.status = 'done' then now() - n * interval '1 minute' end,
       now() - case when n % 10 = 1 and n <= 400 then interval '3 days' else interval '1 hour' end,
       case when s.status = 'failed' then 'The build failed: cannot find module "left-pad" in step ' || n end,
       now() - interval '1 day' - n * interval '1 minute', now() - n * interval '1 second'
     from generate_series(1, $2::int) n, lateral (select (array['done', 'ready', 'in_progress', 'done', 'blocked', 'failed', 'ready', 'done', 'review', 'blocked'])[1 + n % 10] as status) s`,
    [tasks, hostile],
  );
  // Of the blocked ones every second waits for a failed task as long as 40 do, the rest for one that is ready.
  await sql(
    `insert into work_task_dependencies (tenant_id, task_id, blocker_id)
     select $1, t.id, 'task_' || lpad((case when right(t.id, 6)::int % 10 = 4 and right(t.id, 6)::int <= 400 then right(t.id, 6)::int + 1 else right(t.id, 6)::int - right(t.id, 6)::int % 10 + 1 end)::text, 6, '0')
     from work_tasks t where t.tenant_id = $1 and t.status = 'blocked'`,
  );
  await sql(
    `insert into work_task_events (tenant_id, task_id, rev, status, agent, token, attempts, at, ended_by)
     select tenant_id, id, 0, 'ready', null, 0, 0, created_at, created_by from work_tasks where tenant_id = $1`,
  );
  await sql(
    `insert into work_task_events (tenant_id, task_id, rev, status, agent, token, attempts, lease_expires_at, at)
     select tenant_id, id, 1, 'in_progress', assigned_agent_id, 1, 1, lease_expires_at, started_at from work_tasks
     where tenant_id = $1 and status = 'in_progress'`,
  );
}
