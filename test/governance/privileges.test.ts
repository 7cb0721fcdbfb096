/** The privileges of the application's roles on each table. A new table fails this test until it is listed. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { AnyTool } from '../../tools/catalogue/define.ts';
import { tools } from '../../tools/index.ts';
import { registerTools, toolVersions } from '../../tools/catalogue/registry.ts';
import { withDatabase } from '../setup/databases.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

let stack: TestStack;
let app: pg.Client;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  app = await clientOf(stack.databaseUrl);
});
afterAll(async () => {
  await app?.end();
  await stack?.stop();
});

/** Rows are read, written, changed and deleted, each tenant's own. Stakeholder teams too: policies hold them to their scope. */
const rows = `
a2a_events a2a_push_configs a2a_session_messages a2a_sessions a2a_tasks agent_capabilities agent_history agent_messages agent_outputs
agent_usage agent_versions agents api_keys approvals articles artifacts brief_articles brief_settings brief_sources briefs chunks
claim_decisions claim_evidence claims connector_calls connector_mounts console_sessions delegated_tasks dlq_items document_readings documents draft_sources draft_statements
drafts entities entity_aliases entity_blocks entity_history entity_links entity_mentions entity_relations event_deliveries event_followers
event_heads event_subscriptions evidence_clues evidence_directories exports external_servers external_tools fact_evidence feed_copies feed_seeds feed_sources graph_assertions
graph_episodes graph_facts idempotency_records ingest_items ingestion_logs insight_counts insight_triples issue_trends jobs knowledge_bases
knowledge_sources language_budgets language_days language_usage manifest_entries manifests matcher_models mcp_messages mcp_sessions memories memory_merges
mention_moves model_answers notification_attempts notification_keys notifications open_streams opportunities opportunity_anchors opportunity_changes
opportunity_clusters opportunity_factors opportunity_goals opportunity_history opportunity_signals outbox outbox_cursors phases
pointer_history pointers policies postings rate_windows reading_corrections registered_schemas report_schedule_fires report_schedules resolution_counts reviews
run_checkpoints run_steps runs signal_blocks signal_corrections signal_entities signal_names signals stakeholder_scopes tool_capabilities trajectories
webhook_secrets work_attachments work_boards work_budgets work_comments work_issue_messages work_pulls work_recurrences work_run_events work_runs work_sessions
work_task_counts work_task_dependencies work_task_events work_task_issues work_task_tags work_tasks work_templates work_trackers`
  .trim()
  .split(/\s+/);
/** By table, for the application and while it acts for a stakeholder team. */
const bounded: Record<string, [app: string, scoped: string]> = {
  // For migrations only.
  _prisma_migrations: ['', ''],
  tool_definitions: ['SELECT', 'SELECT'],
  // Appended to; retain_ledger_batch() removes.
  ledger_events: ['SELECT INSERT', 'SELECT INSERT'],
  ledger_seals: ['SELECT INSERT', 'SELECT INSERT'],
  ledger_retained: ['SELECT', 'SELECT'],
  // Of the whole installation, and of no tenant.
  duties: ['SELECT INSERT UPDATE', ''],
  health_spans: ['SELECT INSERT UPDATE DELETE', ''],
  sweep_reports: ['SELECT INSERT UPDATE', ''],
  process_seals: ['SELECT INSERT UPDATE', ''],
  // Made with its first key.
  tenants: ['SELECT INSERT', 'SELECT'],
};

describe('the database', () => {
  it('allows the application on each table what it needs, and nothing else', async () => {
    const found = await app.query<{ table: string; app: string; scoped: string; held: boolean }>(`
      select c.relname as table, c.relrowsecurity and c.relforcerowsecurity as held,
        coalesce((select string_agg(p, ' ' order by n) from unnest(wanted) with ordinality w(p, n) where has_table_privilege('signalbox_app', c.oid, p)), '') as app,
        coalesce((select string_agg(p, ' ' order by n) from unnest(wanted) with ordinality w(p, n) where has_table_privilege('signalbox_scoped', c.oid, p)), '') as scoped
      from pg_class c, (select array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'] as wanted) w
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') order by c.relname`);
    const every = 'SELECT INSERT UPDATE DELETE';
    const expected = Object.fromEntries([...rows.map((table) => [table, [every, every]]), ...Object.entries(bounded)]);
    expect(Object.fromEntries(found.rows.map((row) => [row.table, [row.app, row.scoped]]))).toEqual(expected);
    // Those of the whole installation, and those that the owner's functions read without a tenant.
    const open = [
      '_prisma_migrations',
      'api_keys',
      'console_sessions',
      'duties',
      'health_spans',
      'process_seals',
      'sweep_reports',
      'tenants',
      'tool_definitions',
    ];
    expect(found.rows.filter(({ held }) => !held).map(({ table }) => table)).toEqual(open);
  });

  it('runs as its owner only what is named here', async () => {
    const { rows: functions } = await app.query<{ name: string; app: boolean; anybody: boolean }>(`
      select p.proname as name, has_function_privilege('signalbox_app', p.oid, 'execute') as app,
        exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as anybody
      from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by p.proname`);
    expect(functions.filter(({ anybody }) => anybody)).toEqual([]);
    expect(functions.filter(({ app: may }) => may).map(({ name }) => name)).toEqual([
      'applied_migrations',
      'find_api_key',
      'find_console_session',
      'list_tenants',
      'retain_ledger',
      'retain_ledger_batch',
      'subscribed_tenants',
      'tenants_to_link',
      'what_waits',
    ]);
  });

  it.each([
    'select 1 from _prisma_migrations',
    `update _prisma_migrations set checksum = ''`,
    'delete from _prisma_migrations',
    `update tool_definitions set schema_hash = ''`,
    'delete from tool_definitions',
    `insert into tool_definitions select (jsonb_populate_record(t, '{"version": 99}')).* from tool_definitions t limit 1`,
    `insert into ledger_retained (tenant_id, removed_to_seq, removed_events) values ('acme', 1, 1)`,
    `create table mine (id int)`,
    `delete from tenants`,
  ])('refuses %s', async (statement) => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it('tells which migrations were applied, by name alone', async () => {
    const { rows: applied } = await app.query<{ name: string }>('select applied_migrations() as name');
    expect(applied.map(({ name }) => name)).toContain('20261121000000_foundation');
  });
});

describe('the registry of tools', () => {
  it('is read by the application, and has a version of each tool', async () => {
    const versions = await toolVersions(stack.db.query, tools);
    for (const { name } of tools) expect(versions.get(name), name).toBeGreaterThanOrEqual(1);
  });

  it('refuses code that it was not migrated to, and has both versions afterwards', async () => {
    const former = tools.find(({ name }) => name === 'work.phase.list')!;
    const changed: AnyTool[] = [{ ...former, description: `${former.description} Changed.` }];
    await expect(toolVersions(stack.db.query, changed)).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining('deploy/migrate.ts'),
      details: { missing: ['work.phase.list'] },
    });
    await expect(registerTools(stack.db.query, changed)).rejects.toThrow(/permission denied/);
    const owner = await clientOf(withDatabase(inject('servers').ownerUrl, new URL(stack.databaseUrl).pathname.slice(1)));
    const query: Database['query'] = async <T extends Row>(text: string, values: unknown[] = []) =>
      (await owner.query<T>(text, values)).rows;
    await registerTools(query, changed);
    await owner.end();
    expect(await toolVersions(stack.db.query, changed)).toEqual(new Map([['work.phase.list', 2]]));
    // An older process beside a newer one.
    expect((await toolVersions(stack.db.query, tools)).get('work.phase.list')).toBe(1);
  });
});

describe('roles that only read', () => {
  it('are told no secret: neither of webhooks nor of callbacks', async () => {
    const pm = await stack.caller({ name: 'pm', kind: 'human' });
    const { subscription } = await stack.ok<{ subscription: { subscription_id: string } }>(pm, 'event.subscription.save', {
      url: 'https://hooks.example.com/x',
      types: ['issue.flagged'],
    });
    const { push } = stack.services.a2a;
    await asTenant('acme', () =>
      stack.db.transaction(async (query) => {
        await query(
          `insert into a2a_tasks (tenant_id, id, context_id, key_id, line, principal, state) values ('acme', 'task', 'c', $1, $1, 'pm', 'completed')`,
          [pm.keyId],
        );
        await push.write(query, 'acme', 'task', { id: 'hook', url: 'https://hooks.example.com/y', token: 'whsec_of_callback' }, '1.0', 0);
      }),
    );
    expect(await push.get(pm, 'task', ['hook'])).toMatchObject({ token: 'whsec_of_callback' });
    const asked = { subscription_id: subscription.subscription_id };
    expect((await stack.ok(pm, 'event.subscription.get_secret', asked))['secret']).toMatch(/^whsec_/);
    for (const role of ['readonly', 'stakeholder', 'new_pm'] as const) {
      const reader = await stack.caller({ role, kind: 'human', name: role });
      const answer = await stack.call(reader, 'event.subscription.get_secret', asked);
      expect(answer.error, role).toMatchObject({ code: 'FORBIDDEN' });
      const callbacks = [await push.get(reader, 'task', ['hook']), ...(await push.list(reader, 'task'))];
      expect(callbacks).toHaveLength(2);
      expect(JSON.stringify([answer.envelope, callbacks])).not.toContain('whsec_');
    }
  });
});
