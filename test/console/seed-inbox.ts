/** A tenant in which something of every kind waits for a person, with hostile texts where agents and people write. */
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { TestStack } from '../setup/stack.ts';

/** @param text where agents, people and other servers write */
export async function seedInbox(stack: TestStack, tenant: string, text: string): Promise<void> {
  const sql = (statement: string, values: unknown[] = []) => asTenant(tenant, () => stack.db.query(statement, values));
  await sql(
    `insert into approvals (tenant_id, id, tool_call_id, tool, tool_version, called_as, front, key_id, line, principal, principal_kind, persona,
       arguments, shown, input_hash, policy, policy_version, reason, call_key, status, expires_at, finished_at, resolution)
     select $1, 'apr_seed' || n, 'call_' || n, 'connector.slack.post_message', 1, 'x', 'mcp', 'k', 'k', 'worker-' || (n % 3), 'agent', 'agent', $3,
       jsonb_build_object('channel', '#general', 'text', $2::text), 'h' || n, 'standard', '0', left($2, 2000), 'k' || n,
       case when n > 8 then 'ambiguous' else 'pending' end, now() + make_interval(mins => n * 30), case when n > 8 then now() end,
       case when n > 8 then jsonb_build_object('why', 'The worker was lost while it ran.') end
     from generate_series(1, 10) n`,
    [tenant, text, stack.secrets.seal('{}')],
  );
  await sql(
    `insert into entities (tenant_id, id, type, name, origin, created_by) select $1, 'ent_seed' || n, 'customer', left($2, 100) || n, 'person', 'ann' from generate_series(1, 6) n`,
    [tenant, text],
  );
  await sql(
    `insert into reviews (tenant_id, id, kind, action, type, subject, confidence, evidence, origin, created_by)
     select $1, 'fb_seed' || n, 'entity_match', 'merge', 'customer', jsonb_build_object('a', 'ent_seed' || n, 'b', 'ent_seed' || n + 1), 0.7,
       jsonb_build_array($2::text), 'matcher', 'signalbox' from generate_series(1, 3) n`,
    [tenant, text.slice(0, 500)],
  );
  await sql(
    `insert into agent_outputs (tenant_id, id, agent_id, agent_version, kind, title, content)
     select $1, 'out_seed' || n, 'worker-' || n, 1, 'note', left($2, 300), $2 from generate_series(1, 2) n`,
    [tenant, text],
  );
  await sql(
    `insert into dlq_items (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
     select $1, 'dlq_seed' || n, 'job_seed', 'w', left($2, 300), 'extraction', 'parse', case when n < 4 then 'INTERNAL' else 'TIMEOUT' end, $2, 3,
       case when n % 2 = 0 then 'refused' else 'parked' end from generate_series(1, 5) n`,
    [tenant, text],
  );
  await sql(
    `insert into external_servers (tenant_id, name, transport, target, created_by) values ($1, 'github', 'http', '{"url":"https://x.test"}', 'ann')`,
    [tenant],
  );
  await sql(
    `insert into external_tools (tenant_id, server, name, definition, hash, pinned_hash, pinned_definition, pinned_by)
     select $1, 'github', 'tool_' || n, jsonb_build_object('name', 'tool_' || n, 'description', $2::text, 'inputSchema', '{"type":"object"}'::jsonb), 'new',
       case when n > 1 then 'old' end, case when n > 1 then jsonb_build_object('name', 'tool_' || n, 'description', 'Reads.', 'inputSchema', '{"type":"object"}'::jsonb) end,
       case when n > 1 then 'ann' end from generate_series(1, 2) n`,
    [tenant, text],
  );
  await sql(
    `insert into event_subscriptions (tenant_id, id, target, url, seq, created_by, shown, description) values ($1, 'sub_seed', 'webhook', 'x', 0, 'ann', 'https://hook.test', $2)`,
    [tenant, text.slice(0, 300)],
  );
  await sql(
    `insert into event_deliveries (tenant_id, id, subscription_id, event_id, type, event, status, attempts, last_error, first_failed_at)
     select $1, 'del_seed' || n, 'sub_seed', 'evt_' || n, 'issue.flagged', '{"subject":"ent_1"}', 'dead', 9, left($2, 500), now() - interval '1 hour' from generate_series(1, 2) n`,
    [tenant, text],
  );
  await sql(
    `insert into notifications (tenant_id, id, channel, recipient, recipient_hash, recipient_shown, title, body, priority, content_hash, status, error, created_by)
     select $1, 'notif_seed' || n, 'email', 'x', 'x', 'ann@x.test', left($2, 300), $2, 'normal', 'c' || n, case n when 1 then 'failed' else 'unknown' end,
       jsonb_build_object('code', 'NOT_FOUND', 'message', left($2, 500)), 'ann' from generate_series(1, 2) n`,
    [tenant, text],
  );
}

/** A run of a coding agent whose work waits for a review. */
export async function seedRun(stack: TestStack, tenant: string, text: string): Promise<void> {
  await asTenant(tenant, () =>
    stack.db.query(
      `with task as (
         insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts, fencing_token, attempts)
         values ($1, 'task_seed', $2, 1, 'high', 0, 'review', 'ann', 60, 3, 1, 1) returning *)
       insert into work_runs (tenant_id, id, task_id, phase_id, fencing_token, attempt, agent, worker, principal, line, host, merge, outcome, summary, ended_at)
       select tenant_id, 'wrun_seed', id, phase_id, 1, 1, 'codex', 'runner/desk/1', 'runner', 'k', 'desk', 'patch', 'done', left($2, 2000), now() from task`,
      [tenant, text],
    ),
  );
}

/** Tenant `acme`. @returns addresses of the inbox, approvals, the ledger and a call */
export async function seedInboxScreens(stack: TestStack, text: string): Promise<string[]> {
  await seedInbox(stack, 'acme', text);
  const ann = await stack.caller({ name: 'ann' });
  const { envelope } = await stack.call(ann, 'work.task.get', { task_id: 'task_ready1' });
  await stack.services.governance.ledger.close();
  const items = ['apr_seed1', 'fb_seed1', 'out_seed1', 'dlq_seed1', 'github/tool_2', 'del_seed1', 'notif_seed1'];
  return [
    '/console/inbox',
    ...items.map((id) => `/console/inbox?id=${encodeURIComponent(id)}`),
    '/console/approvals?status=ambiguous&id=apr_seed9',
    '/console/ledger',
    `/console/calls/${envelope.tool_call_id}`,
  ];
}
