import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { survivors } from '../../services/graph/lookup-sql.ts';
import { factsCountedInScope } from '../../services/graph/scoped-counts.ts';
import { asScoped, asTenant, type RowScope } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { entityIdOf, writeSignals } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const long = '2026-01-10T12:00:00Z';
const all: RowScope = { areas: [], types: [], minAgeHours: 0 };

describe('stakeholder teams', () => {
  let stack: TestStack;
  let pam: Caller;
  let sales: Caller;
  const tell = async (scope: object) => {
    const answer = await stack.ok(pam, 'configure_stakeholder_access', { team: 'sales', ...scope });
    // What holds for a key is trusted for two seconds; a new principal is looked up at once.
    sales = { ...sales, keyId: sales.keyId };
    return answer;
  };
  const names = async (caller = sales, args: object = {}) =>
    (await stack.ok<{ entities: { name: string }[] }>(caller, 'list_entities', { entity_type: 'feature', ...args })).entities
      .map(({ name }) => name)
      .toSorted();
  const count = (scope: RowScope | null, table: string, tenant = 'acme') =>
    asScoped(tenant, scope, async () => {
      const [row] = await stack.db.query<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenant]);
      return row!.n;
    });

  beforeAll(async () => {
    stack = await testStack({ model: false });
    pam = await stack.caller({ role: 'admin', kind: 'human', name: 'pam' });
    sales = await stack.caller({ role: 'stakeholder', kind: 'human', name: 'sal', team: 'sales' });
    await writeSignals(stack.db, 'acme', [
      {
        statement: 'The mobile export breaks for Acme.',
        class: 'bug',
        at: long,
        area: 'Mobile',
        about: { feature: ['Export'], customer: ['Acme'] },
      },
      { statement: 'Billing invoices arrive late.', class: 'complaint', at: long, area: 'Billing', about: { feature: ['Invoices'] } },
      { statement: 'The search is quick.', class: 'praise', at: long, about: { feature: ['Search'] } },
    ]);
    await writeSignals(stack.db, 'other', [
      { statement: 'Nobody else sees this.', class: 'bug', at: long, area: 'Mobile', about: { feature: ['Secret'] } },
    ]);
  });
  afterAll(() => stack?.stop());

  it('see nothing until somebody says what', async () => {
    const refused = await stack.call(sales, 'list_entities', { entity_type: 'feature' });
    expect(refused.error).toMatchObject({ code: 'FORBIDDEN', details: { rule: 'team' }, hint: expect.stringContaining('sales') });
    await tell({});
    expect(await names()).toEqual(['Export', 'Invoices', 'Search']);
  });

  it('see what is of their areas and types, in everything they may call', async () => {
    const { scope } = (await tell({ product_areas: ['mobile'], entity_types: ['feature'] })) as { scope: object };
    expect(scope).toMatchObject({
      team: 'sales',
      product_areas: ['mobile'],
      entity_types: ['feature'],
      data_freshness: 'realtime',
      updated_by: 'pam',
    });
    expect(await names()).toEqual(['Export']);
    expect(await names(pam)).toEqual(['Export', 'Invoices', 'Search']);
    expect((await stack.ok(sales, 'list_entities', { entity_type: 'customer' })).entities).toEqual([]);
    for (const [tool, args] of [
      ['entity.record.get', { entity_name: 'Invoices' }],
      ['find_related_entities', { entity_name: 'Invoices' }],
      ['find_related_entities', { entity_name: 'Acme' }],
    ] as const) {
      const { error } = await stack.call(sales, tool, args);
      expect(error?.code, tool).toBe('NOT_FOUND');
      expect(JSON.stringify(error?.alternatives ?? []), tool).not.toContain('Invoices');
    }
    const browsed = await stack.ok<{ entities: { name: string }[]; relationships: unknown[] }>(sales, 'browse_knowledge_graph', {});
    expect([browsed.entities.map(({ name }) => name), browsed.relationships]).toEqual([['Export'], []]);
    expect(JSON.stringify(browsed)).not.toMatch(/Invoices|Search|Secret/);
    const { sources } = await stack.ok<{ sources: { title: string }[] }>(sales, 'knowledge.source.list', {});
    expect(sources.map(({ title }) => title)).toEqual(['The mobile export breaks for Acme.']);
    const searched = async (caller: Caller, query: string) =>
      (await stack.ok<{ hits: { content: string }[] }>(caller, 'index.chunk.search', { query })).hits.map(({ content }) => content);
    expect(await searched(sales, 'invoices late')).toEqual([]);
    expect(await searched(pam, 'invoices late')).toEqual(['Billing invoices arrive late.']);
    expect(await searched(sales, 'mobile export')).toEqual(['The mobile export breaks for Acme.']);
  });

  it('may call nothing that is not held to their scope, and change nothing', async () => {
    for (const [tool, args] of [
      ['work.task.list', {}],
      ['memory.record.list', {}],
      ['index.answer.explain', { trajectory_id: 'traj_x' }],
      ['system.ledger.search', {}],
    ] as const) {
      expect((await stack.call(sales, tool, args)).error, tool).toMatchObject({ code: 'FORBIDDEN' });
    }
    const worker = await stack.caller({ role: 'agent', name: 'robo', team: 'sales' });
    expect((await stack.call(worker, 'memory.record.save', { content: 'x' })).error).toMatchObject({
      code: 'FORBIDDEN',
      details: { rule: 'team' },
    });
    const { domains } = await stack.ok<{ domains: { tools: { name: string }[] }[] }>(sales, 'system.tool.list', {});
    const listed = domains.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(listed).toContain('entity.record.list');
    expect(listed.filter((name) => /^(work|memory|approval\.request\.approve)/.test(name))).toEqual([]);
  });

  it('see what is old enough', async () => {
    await tell({ data_freshness: 'daily' });
    expect(await names()).toEqual([]);
    await asTenant('acme', () =>
      stack.db.query(`update entities set created_at = now() - interval '25 hours' where tenant_id = 'acme' and id = $1`, [
        entityIdOf('acme', 'feature', 'Search'),
      ]),
    );
    expect(await names()).toEqual(['Search']);
    await tell({ data_freshness: 'weekly' });
    expect(await names()).toEqual([]);
  });

  it('are said only by those who may', async () => {
    const robo = await stack.caller({ role: 'agent', name: 'asker' });
    const waits = await stack.call(robo, 'access.stakeholder.configure', { team: 'sales' });
    expect(waits.envelope.status).toBe('pending_approval');
    expect((await stack.call(sales, 'access.stakeholder.configure', { team: 'sales' })).error?.code).toBe('FORBIDDEN');
    const warned = await stack.call(pam, 'access.stakeholder.configure', {
      team: 'support',
      product_areas: ['Mobil'],
      entity_types: ['issue'],
    });
    expect(warned.envelope.warnings.join(' ')).toMatch(/"Mobil".*"issue"/);
    const { teams } = await stack.ok<{ teams: { team: string; keys: number }[] }>(pam, 'access.stakeholder.list');
    expect(teams.map(({ team, keys }) => [team, keys])).toEqual([
      ['sales', 2],
      ['support', 0],
    ]);
    expect((await stack.call(pam, 'access.stakeholder.configure', { team: 'x', data_freshness: 'hourly' })).error?.code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('are held below every statement, also one that forgets to ask, and leave nothing to the next user of a connection', async () => {
    const tables = [
      'entities',
      'entity_aliases',
      'entity_mentions',
      'documents',
      'chunks',
      'knowledge_sources',
      'signals',
      'signal_entities',
    ];
    const mobile = { areas: ['mobile'], types: ['feature'], minAgeHours: 0 };
    for (const table of tables) {
      const [seen, whole, free] = [await count(mobile, table), await count(null, table), await count(all, table)];
      expect([seen > 0, seen < whole, free], table).toEqual([true, true, whole]);
      expect(await count({ ...mobile, areas: ['nowhere'] }, table), table).toBe(0);
    }
    expect(await count({ ...all, minAgeHours: 24 }, 'signals')).toBe(0);
    // Side by side on the same pool, many times.
    const both = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => [await count(i % 2 ? mobile : null, 'documents'), i % 2 ? 1 : 3]),
    );
    expect(both.filter(([seen, right]) => seen !== right)).toEqual([]);
  });

  it('see counts of what they see, not those of the whole tenant', async () => {
    const counts = async (caller: Caller) => {
      const { entities } = await stack.ok<{ entities: { entity_id: string; name: string; signal_count: number }[] }>(
        caller,
        'entity.record.list',
        {
          entity_type: 'feature',
        },
      );
      const { entity_id, signal_count } = entities.find(({ name }) => name === 'Export')!;
      const { entity } = await stack.ok<{ entity: { signal_count: number; mention_count: number } }>(caller, 'entity.record.get', {
        entity_id,
      });
      const around = await stack.ok<{ entities: { entity_id: string; signal_count: number; mention_count: number }[] }>(
        caller,
        'graph.neighbourhood.get',
        { entity_id },
      );
      const root = around.entities.find((one) => one.entity_id === entity_id)!;
      return [signal_count, entity.signal_count, entity.mention_count, root.signal_count, root.mention_count];
    };
    const sql = (text: string) => asTenant('acme', () => stack.db.query(text));
    await tell({});
    const mine = await counts(pam);
    expect(mine.every((n) => n > 0)).toBe(true);
    expect(await counts(sales)).toEqual(mine);
    // Two more documents, of which one is too young for the team.
    await writeSignals(stack.db, 'acme', [
      { statement: 'The export is slow.', class: 'bug', at: long, area: 'Mobile', about: { feature: ['Export'] } },
      { statement: 'The export is slower.', class: 'bug', at: long, area: 'Mobile', about: { feature: ['Export'] } },
    ]);
    await tell({ data_freshness: 'daily' });
    await sql(`update entities set created_at = now() - interval '3 days' where tenant_id = 'acme'`);
    for (const table of ['documents', 'entity_mentions'])
      await sql(`update ${table} set created_at = now() - interval '3 days' where tenant_id = 'acme'`);
    const youngest = `(select max(m.document_id) from entity_mentions m join entities e on e.id = m.entity_id where m.tenant_id = 'acme' and e.tenant_id = 'acme' and e.name = 'Export')`;
    await sql(`update documents set created_at = now() where tenant_id = 'acme' and id = ${youngest}`);
    await sql(`update entities e set signal_count = n.documents, mention_count = n.mentions
      from (select entity_id, count(distinct document_id)::int as documents, count(*)::int as mentions from entity_mentions where tenant_id = 'acme' group by 1) n
      where e.tenant_id = 'acme' and e.id = n.entity_id`);
    const [whole, seen] = [await counts(pam), await counts(sales)];
    expect(whole[0]).toBe(mine[0]! + 2);
    expect([seen[0], seen[1], seen[3]]).toEqual([whole[0]! - 1, whole[0]! - 1, whole[0]! - 1]);
    // As candidates of a name, and as ends of facts.
    const [exported] = await sql(`select id from entities where tenant_id = 'acme' and name = 'Export'`);
    const id = String(exported!['id']);
    const fact = { subject: { entity_id: id, name: 'Export', type: 'feature', signal_count: whole[0]! }, object: null };
    const inScope = () =>
      asScoped('acme', { ...all, minAgeHours: 24 }, async () => [
        (await survivors(stack.db.query, 'acme', [id])).get(id)!.signal_count,
        (await factsCountedInScope(stack.db.query, 'acme', [fact]))[0]!.subject.signal_count,
      ]);
    expect(await inScope()).toEqual([whole[0]! - 1, whole[0]! - 1]);
    await tell({});
  });
});
