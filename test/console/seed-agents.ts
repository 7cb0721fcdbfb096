/** Agents with a past, outputs, messages, sessions and versions; delegated tasks; jobs of every status. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { TestStack } from '../setup/stack.ts';

/** @param text where agents and people write @returns addresses of screens that show it */
export async function seedAgents(stack: TestStack, text: string, tenant = 'acme'): Promise<string[]> {
  const sql = (statement: string, ...values: unknown[]) => asTenant(tenant, () => stack.db.query(statement, [tenant, ...values]));
  await sql(`insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, health, admin_status, coherence_score, slos, registered_at)
    select $1, 'fleet-' || lpad(n::text, 3, '0'), (array['managed', 'worker', 'peer'])[1 + n % 3], 'crawler', 'Crawler ' || n, 'ann', 'k',
      (array['healthy', 'healthy', 'unhealthy', 'offline', 'none'])[1 + n % 5], case when n % 11 = 0 then 'paused' else 'active' end, (n % 100) / 100.0,
      case when n % 2 = 0 then '{"coherence": 0.5, "error_rate": 0.1}'::jsonb else '{}' end, now() - make_interval(mins => n) from generate_series(1, 190) n`);
  await sql(
    `insert into agents (tenant_id, id, kind, agent_type, name, description, registered_by, key_id, health, health_since, coherence_score, activity, slos, version)
     values ($1, 'scribe', 'worker', 'writer', $2, $2, 'ann', 'k', 'healthy', now() - interval '3 hours', 0.91, 'Writes the release notes',
       '{"coherence": 0.8, "acceptance_rate": 0.9}', 3)`,
    text.slice(0, 400),
  );
  await sql(`insert into agent_versions (tenant_id, agent_id, version, definition, note, created_by, created_at)
    select $1, 'scribe', n, jsonb_build_object('prompt', 'Write in the voice of ' || n, 'tools', jsonb_build_array('work.task.claim'), 'temperature', n / 10.0),
      'Voice ' || n, 'ann', now() - make_interval(days => 4 - n) from generate_series(1, 3) n`);
  const change = (hours: number, event: string, detail: object = {}, actor = 'signalbox') =>
    sql(
      `insert into agent_history (tenant_id, agent_id, event, detail, actor, created_at) values ($1, 'scribe', $2, $3, $4, now() - make_interval(secs => $5::float8))`,
      event,
      JSON.stringify(detail),
      actor,
      hours * 3_600,
    );
  await change(90, 'registered', {}, 'ann');
  await change(20, 'unhealthy', { from: 'healthy' });
  await change(19.5, 'offline', { from: 'unhealthy' });
  await change(16, 'healthy', { from: 'offline' });
  await change(9, 'paused', { reason: text.slice(0, 300) }, 'ann');
  await change(7, 'activated', { reason: 'Mended.' }, 'ann');
  await change(4, 'unhealthy', { from: 'healthy' });
  await change(3, 'healthy', { from: 'unhealthy' });
  await sql(`insert into agents (tenant_id, id, kind, agent_type, name, registered_by, key_id, removed_at)
    values ($1, 'left-us', 'worker', 'writer', 'Left', 'ann', 'k', now())`);
  await sql(`insert into agent_history (tenant_id, agent_id, event, actor) values ($1, 'left-us', 'unregistered', 'ann')`);
  await sql(`insert into agent_capabilities (tenant_id, agent_id, name, description, parameters_schema)
    values ($1, 'scribe', 'summarize', 'Sums up what it reads.', '{"type": "object", "required": ["text"]}')`);
  await sql(
    `insert into agent_usage (tenant_id, agent_id, day, calls, tokens, cost_usd) values ($1, 'scribe', (now() at time zone 'utc')::date, 41, 120500, 1.27)`,
  );
  await sql(
    `insert into agent_outputs (tenant_id, id, agent_id, agent_version, kind, title, content, status, correction, notes, decided_by, decided_at)
     select $1, 'out_scribe' || n, 'scribe', 2, 'summary', case n when 1 then $2 else 'Summary ' || n end, E'First line\\nSecond line ' || n,
       (array['pending', 'pending', 'accepted', 'corrected', 'rejected'])[n], case n when 4 then E'First line\\nThe second line' end,
       case when n > 2 then 'Fine.' end, case when n > 2 then 'ann' end, case when n > 2 then now() end from generate_series(1, 5) n`,
    text.slice(0, 280),
  );
  await sql(
    `insert into agent_messages (tenant_id, id, recipient, sender, body, acknowledged_at)
     select $1, 'msg_scribe' || n, 'scribe', case n when 1 then 'worker-1' else 'ann' end, case n when 1 then $2 else 'Please read chapter ' || n end,
       case when n > 3 then now() end from generate_series(1, 6) n`,
    text.slice(0, 900),
  );
  await sql(`insert into a2a_sessions (tenant_id, id, participants, created_by, expires_at) values
    ($1, 'sess_scribe', array['scribe', 'fleet-001'], 'scribe', now() + interval '1 hour')`);
  await sql(
    `insert into a2a_session_messages (tenant_id, session_id, id, type, sender, body) values ($1, 'sess_scribe', 'm1', 'task_request', 'scribe', $2)`,
    JSON.stringify({ task_id: 'task_x', capability_name: 'dig', note: text.slice(0, 200) }),
  );
  await sql(
    `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, lease_expires_at,
       assigned_agent_id, lease_principal, started_at)
     select $1, 'task_scribe' || n, case n when 1 then $2 else 'Write chapter ' || n end, 1, 'high', 0, case when n = 1 then 'in_progress' else 'done' end, 'ann', 600, 3,
       case when n = 1 then now() + interval '9 minutes' end, 'scribe', case when n = 1 then 'scribe' end, now() from generate_series(1, 4) n`,
    text.slice(0, 400),
  );
  await sql(
    `insert into delegated_tasks (tenant_id, direction, id, source_agent, target_agent, capability, timeout_seconds, correlation_id, created_by, key_id,
       deadline, status, progress, result, error, completed_at, created_at)
     select $1, case when n % 3 = 0 then 'received' else 'sent' end, 'deleg-' || lpad(n::text, 3, '0'), 'scribe', 'fleet-' || lpad((n % 190 + 1)::text, 3, '0'),
       case n when 1 then $2 else 'summarize' end, 600, 'corr_' || n, 'ann', 'k', now() + interval '10 minutes', s,
       case s when 'running' then jsonb_build_object('done', 2, 'total', 5, 'message', $3::text) end, case s when 'completed' then '{"summary": "Short."}'::jsonb end,
       case s when 'failed' then jsonb_build_object('code', 'TIMEOUT', 'message', $3::text) end, case when s in ('completed', 'failed', 'cancelled') then now() end,
       now() - make_interval(secs => n)
     from generate_series(1, 70) n, lateral (select (array['pending', 'accepted', 'running', 'completed', 'failed', 'cancelled'])[1 + n % 6] as s) t`,
    text.slice(0, 120),
    text.slice(0, 300),
  );
  await sql(
    `insert into jobs (tenant_id, id, kind, workflow_id, status, title, spec, created_by, progress, result, error, created_at, finished_at)
     select $1, 'job_list' || lpad(n::text, 3, '0'), (array['ingest', 'export', 'draft'])[1 + n % 3], 'w/' || $1 || '/' || n, s,
       case n when 1 then $2 else 'calls-' || n || '.zip' end,
       case n % 3 when 1 then '{"type": "full_backup", "format": "json"}' else '{}' end::jsonb, 'ann', '{"stage": "embed", "done": 12, "total": 40}',
       case s when 'completed' then '{"documents": 3}'::jsonb end, case s when 'failed' then jsonb_build_object('code', 'INTERNAL', 'message', $3::text) end,
       now() - make_interval(mins => n), case when s in ('completed', 'failed', 'cancelled') then now() end
     from generate_series(1, 120) n, lateral (select (array['running', 'queued', 'completed', 'failed', 'cancelled'])[1 + n % 5] as s) t`,
    text.slice(0, 400),
    text.slice(0, 300),
  );
  await sql(`insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
    select $1, 'dlq_list' || n, 'job_list008', 'w', 't', 'extraction', 'parse', 'INTERNAL', 'e', 1, 'parked' from generate_series(1, 2) n`);
  return [
    '/console/agents',
    '/console/agents?health=offline&kind=worker',
    '/console/agents/scribe',
    '/console/agents/scribe?tab=calls',
    '/console/agents/scribe?tab=outputs&open=out_scribe1',
    '/console/agents/scribe?tab=talk&open=sess_scribe',
    '/console/agents/scribe?tab=capabilities',
    '/console/agents/scribe?tab=versions&open=2',
    '/console/agents/scribe?tab=history',
    '/console/agents/left-us',
    '/console/delegations',
    '/console/delegations?id=sent%2Fdeleg-002',
    '/console/jobs',
    '/console/jobs?id=job_list008',
    '/console/jobs?status=failed&id=job_none',
  ];
}
