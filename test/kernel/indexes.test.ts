/** Frequent queries use their indexes, as the application's role: policies prevent some operators from being index conditions. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { pgvector } from '../../adapters/vectors/pgvector.ts';
import { AgentQueries } from '../../services/agents/queries.ts';
import { LedgerQueries } from '../../services/governance/queries.ts';
import { writeCursor } from '../../services/kernel/paging.ts';
import { Reindexing } from '../../services/knowledge/reindexing.ts';
import { near } from '../../services/signals/opportunities/store.ts';
import { retain, type Retained } from '../../services/kernel/retention.ts';
import { RunQueries } from '../../services/substrate/runs/queries.ts';
import { Boards } from '../../services/work/board.ts';
import { TaskQueries } from '../../services/work/queries.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
});
afterAll(() => stack?.stop());

/** Plans of the statements of `ask`, where reading a table whole and sorting are the last resort. */
async function plansOf(ask: (db: Database) => Promise<unknown>): Promise<string> {
  return await asTenant('acme', () =>
    stack.db.transaction(async (query) => {
      await query('set local enable_seqscan = off');
      await query('set local enable_sort = off');
      const plans: string[] = [];
      const explained: Database['query'] = async (text, values) => {
        const rows = await query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return await query(text, values);
      };
      await ask({ ...stack.db, query: explained });
      return plans.join('\n');
    }),
  );
}

it('no table was analysed while it was empty: sessions would check references to it by reading all of it, also later', async () => {
  const empty = await stack.db.query<{ relname: string }>(
    `select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and reltuples = 0`,
  );
  expect(empty).toEqual([]);
});

it('a search of the ledger reads the newest of its tenant, and those of a tool', async () => {
  expect(await plansOf((db) => new LedgerQueries({ db }).search('acme', { limit: 50 }))).toMatch(
    /ledger_events_newest.*\n\s+Index Cond: \(tenant_id/,
  );
  const byTool = await plansOf(async (db) => {
    await db.query(`select id from ledger_events where tenant_id = 'acme' and tool = 'x' order by id desc limit 51`);
    await db.query(`select id from ledger_events where tenant_id = 'acme' and called_as = 'x' order by id desc limit 51`);
  });
  expect(byTool).toMatch(/ledger_events_tool.*\n\s+Index Cond: .*tool = /);
  expect(byTool).toMatch(/ledger_events_called.*\n\s+Index Cond: .*called_as = /);
});

it('a search of the ledger in a period begins at its end, and a later page after its entry', async () => {
  const period = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z', limit: 50 };
  const plan = await plansOf((db) => new LedgerQueries({ db }).search('acme', { ...period, cursor: '99' }));
  expect(plan).toMatch(/ledger_events_recent.*\n\s+Index Cond: .*at >= .*at < .*ROW\(at, id\) < ROW/);
  expect(await plansOf((db) => new LedgerQueries({ db }).search('acme', { until: period.until, limit: 50 }))).toMatch(
    /ledger_events_recent.*\n\s+Index Cond: .*at < /,
  );
});

it('a search of the ledger by calls looks up the end of each, and reads no others', async () => {
  const plan = await plansOf((db) => new LedgerQueries({ db }).search('acme', { folded: true, limit: 50 }));
  // Hashed, it would hold the ends of all calls.
  expect(plan).toMatch(/IS NULL.*\n\s+SubPlan 1\n\s+-> {2}Limit/);
  expect(plan).not.toContain('hashed SubPlan');
});

it('a later page of a list begins at its place in the index, whichever way its keys run', async () => {
  const time = '2026-01-01 00:00:00+00';
  expect(await plansOf((db) => new LedgerQueries({ db }).search('acme', { limit: 50, cursor: '99' }))).toMatch(
    /ledger_events_newest.*\n\s+Index Cond: .*id < /,
  );
  expect(
    await plansOf((db) =>
      new TaskQueries({ db }).list('acme', { order: 'oldest', details: true, limit: 50, cursor: writeCursor(time, 'x') }),
    ),
  ).toMatch(/work_tasks_\w+.*\n\s+Index Cond: .*ROW\(created_at, id\) > ROW/);
  expect(await plansOf((db) => new RunQueries({ db }).list('acme', { limit: 50, cursor: writeCursor(time, 'x') }))).toMatch(
    /runs_\w+.*\n\s+Index Cond: .*created_at <= /,
  );
});

it('tasks are found by their agent and by their tags', async () => {
  const list = (filter: object) =>
    plansOf((db) => new TaskQueries({ db }).list('acme', { order: 'oldest', details: true, limit: 50, ...filter }));
  expect(await list({ assigned_to: 'ann' })).toMatch(/work_tasks_assigned.*\n\s+Index Cond: .*assigned_agent_id = /);
  expect(await list({ tags: ['rare', 'common'] })).toMatch(/work_task_tags_\w+.*\n\s+Index Cond: .*tag = /);
  // One tag: in the order of its index, without a sort.
  const tagged = await list({ tags: ['common'] });
  expect(tagged).toMatch(/work_task_tags_tag.*\n\s+Index Cond: .*tag = /);
  expect(tagged).not.toContain('Sort Key: g.created_at');
});

it('a board begins each status at its place in the index', async () => {
  const seed = `insert into work_tasks (tenant_id, id, description, phase_id, priority, priority_rank, status, created_by, lease_seconds, max_attempts)
    select 'acme', 'task_' || s, 'x', 1, 'high', 0, s, 'test', 300, 3 from unnest(array['review', 'failed']) s`;
  await stack.caller();
  await asTenant('acme', () => stack.db.query(seed));
  const whole = await plansOf((db) => new Boards({ db }).get('acme', { order: 'priority', details: false, limit: 25 }));
  for (const status of ['review', 'failed'])
    expect(whole).toMatch(new RegExp(`work_tasks_board.*\\n\\s+Index Cond: .*status = '${status}'`));
});

it.each([384, 1_024])('vectors of %i dimensions are found by the index of their length', async (length) => {
  const vector = new Float32Array(length).fill(0.1);
  const wanted = { tenant: 'acme', scopes: [1], model: 'm', hidden: [], vector, limit: 10, chunks: 1_000_000 };
  const passages = await plansOf((db) => pgvector.nearest(wanted, db.query));
  expect(passages).toMatch(new RegExp(`Index Scan using chunks_vectors_${length} on chunks`));
  const clusters = await plansOf((db) => near(db.query, 'acme', 'm', [{ vector, entities: new Map(), size: 1 }], 8));
  expect(clusters).toMatch(new RegExp(`Index Scan using opportunity_anchors_near_${length} on`));
});

it('the models of passages are looked up', async () => {
  const lacking = await plansOf((db) =>
    db.query(`select 1 from chunks c where c.tenant_id = 'acme' and c.model < 'm'
      union all (select 1 from chunks where tenant_id = 'acme' and model > 'm' order by model limit 1)`),
  );
  expect(lacking.match(/chunks_model/g)).toHaveLength(2);
  expect(lacking).toMatch(/chunks_model.*\n\s+Index Cond: .*model < /);
});

it('whether documents have words by former rules is one look-up', async () => {
  const { jobs, knowledge } = stack.services;
  const { pipelines, dlq } = knowledge;
  const plan = await plansOf((db) => new Reindexing({ db, jobs, log: stack.log, embedder: null, pipelines, dlq }).tend('acme'));
  expect(plan).toMatch(/Limit\n(.*\n)?.*\n\s+->\s+Index (Only )?Scan using documents_terms_version.*\n\s+Index Cond: \(tenant_id/);
});

it('retention reads the oldest calls of connectors and closed questions by an index', async () => {
  const keep = {
    articlesDays: 1,
    runLogsDays: 1,
    jobsDays: 1,
    failedBytesDays: 1,
    connectorCallsDays: 1,
    reviewsDays: 1,
    memoriesDays: 0,
    ledgerDays: 0,
  };
  const plan = (what: Retained): Promise<string> => plansOf((db) => retain({ db, keep }, 'acme', what));
  expect(await plan('connector_calls')).toMatch(/connector_calls_created.*\n\s+Index Cond: .*created_at < /);
  expect(await plan('reviews')).toMatch(/reviews_closed.*\n\s+Index Cond: .*created_at < /);
});

it('agents are found in the order of their list', async () => {
  const agents = (filter: object) => plansOf((db) => new AgentQueries({ db }).registered('acme', { limit: 50, ...filter }));
  expect(await agents({})).toMatch(/agents_registered.*\n\s+Index Cond: .*tenant_id/);
  const grave = await agents({ order: 'gravity' });
  expect(grave).toMatch(/Limit\n\s+->\s+Index Scan using agents_gravity.*\n\s+Index Cond: .*tenant_id/);
  expect(grave).not.toContain('Sort Key: (CASE');
  const cursor = writeCursor('3', '2026-01-01 00:00:00+00', 'x');
  expect(await agents({ order: 'gravity', cursor })).toMatch(/agents_gravity.*\n\s+Index Cond: .*ROW\(CASE/);
  const peers = await plansOf((db) => new AgentQueries({ db }).peers('acme', { capability: 'x', healthyOnly: true, limit: 20 }));
  expect(peers.match(/agents_registered/g)).toHaveLength(2);
});
