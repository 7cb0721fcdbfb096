/** A tenant with something of everything that the overview shows, and hostile texts where agents and people write. */
import { hostile } from './hostile.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { seedConnect } from './seed-connect.ts';
import { seedGovern } from './seed-govern.ts';
import type { TestStack } from '../setup/stack.ts';
import { seedInboxScreens } from './seed-inbox.ts';
import { seedKnowledge } from './seed-know.ts';
import { seedMemories } from './seed-memories.ts';
import { seedInsight } from './seed-insight.ts';
import { seedRuns } from './seed-runs.ts';
import { seedAgents } from './seed-agents.ts';

/** @param text where agents and people write @returns addresses of screens that show it */
export async function seedOverview(stack: TestStack, tenant = 'acme', text = hostile): Promise<string[]> {
  const sql = (statement: string, values: unknown[] = []) => asTenant(tenant, () => stack.db.query(statement, values));
  await sql(
    `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, lease_expires_at, assigned_agent_id, started_at)
     select $1, 'task_' || s || n, $2, 1, 'high', 0, s, 'ann', 600, 3, case when s = 'in_progress' then now() + make_interval(mins => case n when 1 then -60 else 60 end) end,
       case when s = 'in_progress' then 'worker-' || n end, now()
     from unnest(array['blocked', 'ready', 'in_progress', 'review', 'done', 'failed']) with ordinality as t (s, o), generate_series(1, o::int * 3) n`,
    [tenant, text],
  );
  await sql(`insert into work_task_dependencies (tenant_id, task_id, blocker_id) values ($1, 'task_blocked1', 'task_failed1')`, [tenant]);
  await sql(
    `insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health, admin_status, activity)
     select $1, 'worker-' || n, 'managed', 'worker', 'w', 'ann', 'k', (array['healthy', 'unhealthy', 'offline', 'healthy', 'healthy', 'healthy', 'healthy', 'healthy'])[n],
       case n when 4 then 'paused' else 'active' end, case when n = 2 then $2 else 'writes the parser' end from generate_series(1, 8) n`,
    [tenant, text],
  );
  await sql(
    `insert into approvals (tenant_id, id, tool_call_id, tool, tool_version, called_as, front, key_id, line, principal, principal_kind, persona,
       arguments, shown, input_hash, policy, policy_version, reason, call_key, expires_at)
     select $1, 'apr_' || n, 'c', 'connector.slack.post_message', 1, 'x', 'mcp', 'k', 'k', 'worker-' || n, 'agent', 'agent', $3, '{}', 'h', 'standard', '0',
       case n when 2 then $2 else 'Agents ask before connector.slack.post_message.' end, 'k' || n, now() + make_interval(mins => n * 30) from generate_series(1, 4) n`,
    [tenant, text.slice(0, 2_000), stack.secrets.seal('{}')],
  );
  await sql(
    `insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
     select $1, 'dlq_' || n, 'job_1', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, 'parked' from generate_series(1, 3) n`,
    [tenant],
  );
  await sql(
    `insert into jobs (tenant_id, id, kind, workflow_id, status, title, spec, created_by, progress)
     select $1, 'job_' || $1 || n, 'ingest', 'ingest/' || $1 || n, 'running', case n when 1 then $2 else 'calls-' || n || '.zip' end, '{}', 'ann',
       '{"done": 12, "total": 40, "stage": "parse"}' from generate_series(1, 3) n`,
    [tenant, text],
  );
  return [
    '/',
    '/console/work',
    '/console/work?view=list&stuck=any',
    '/console/work?view=agents',
    '/console/work?lanes=priority',
    '/console/work/task_in_progress1',
  ];
}

/** What the screens show, each with the addresses that screens.test.ts holds to the rules for all. */
export const seeds: ((stack: TestStack) => Promise<string[]>)[] = [
  (stack) => seedOverview(stack),
  (stack) => seedInboxScreens(stack, hostile),
  (stack) => seedKnowledge(stack, hostile),
  (stack) => seedInsight(stack, hostile),
  (stack) => seedConnect(stack, hostile),
  (stack) => seedAgents(stack, hostile),
  (stack) => seedGovern(stack, hostile),
  (stack) => seedRuns(stack, hostile),
  (stack) => seedMemories(stack, hostile),
];
