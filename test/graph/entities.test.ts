import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Entity } from '../../contracts/graph/graph.ts';
import { seedEntity, seedSignal } from '../setup/graph.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let stranger: Caller;
beforeAll(async () => {
  stack = await testStack({ model: false });
  pm = await stack.caller({ name: 'pm' });
  stranger = await stack.caller({ tenant: 'globex', name: 'stranger' });
});
afterAll(() => stack?.stop());

/** A caller in a separate tenant. */
let tenants = 0;
async function alone(): Promise<Caller> {
  return await stack.caller({ tenant: `t${(tenants += 1)}`, name: 'pm' });
}
const errorOf = async (caller: Caller, tool: string, args: object) => (await stack.call(caller, tool, args)).envelope.error;
const sql = <T extends Record<string, unknown>>(caller: Caller, text: string, values: unknown[] = []): Promise<T[]> =>
  asTenant(caller.tenant, () => stack.db.query<T>(text, [caller.tenant, ...values]));

describe('names', () => {
  it("tells the seed's two of the name Acme apart", async () => {
    const me = await alone();
    const customer = await seedEntity(stack, me.tenant, { type: 'customer', name: 'Acme Corporation', signals: 47 });
    const feature = await seedEntity(stack, me.tenant, { type: 'feature', name: 'Acme Integration', signals: 3 });
    const error = await errorOf(me, 'find_related_entities', { entity_name: 'Acme' });
    expect(error).toMatchObject({
      code: 'AMBIGUOUS_ENTITY',
      message: 'Found 2 entities matching "Acme".',
      suggestion: expect.stringContaining(
        'Did you mean customer "Acme Corporation" (47 signals) or feature "Acme Integration" (3 signals)?',
      ),
      candidates: [
        { type: 'customer', name: 'Acme Corporation', signal_count: 47, confidence: 0.95, entity_id: customer },
        { type: 'feature', name: 'Acme Integration', signal_count: 3, confidence: 0.6, entity_id: feature },
      ],
    });
    // With a type the name is unambiguous; the answer still mentions the other entity.
    const answer = await stack.call(me, 'entity.record.get', { entity_name: 'Acme', entity_type: 'customer' });
    expect(answer.data).toMatchObject({ entity: { entity_id: customer } });
    expect(answer.envelope.warnings).toEqual([expect.stringContaining('feature "Acme Integration"')]);
    // The full name is enough.
    expect(await stack.ok(me, 'entity.record.get', { entity_name: 'acme integration' })).toMatchObject({ entity: { entity_id: feature } });
    // A part of a name does not match.
    expect(await errorOf(me, 'entity.record.get', { entity_name: 'Acme', entity_type: 'feature' })).toMatchObject({
      code: 'NOT_FOUND',
      suggestion: 'Did you mean customer "Acme Corporation" (47 signals) or feature "Acme Integration" (3 signals)?',
      alternatives: ['Acme Corporation', 'Acme Integration'],
    });
  });

  it('takes an exact name before similar ones of its type, but not before the same name of another', async () => {
    const me = await alone();
    const slack = await seedEntity(stack, me.tenant, { type: 'customer', name: 'Slack' });
    await seedEntity(stack, me.tenant, { type: 'customer', name: 'Slack Inc' });
    const get = (args: object) => stack.ok<{ entity: Entity }>(me, 'entity.record.get', args);
    expect((await get({ entity_name: 'SLACK' })).entity.entity_id).toBe(slack);
    expect(await errorOf(me, 'entity.record.get', { entity_name: 'Slack Ltd' })).toMatchObject({ code: 'AMBIGUOUS_ENTITY' });
    await seedEntity(stack, me.tenant, { type: 'feature', name: 'Slack' });
    expect((await errorOf(me, 'entity.record.get', { entity_name: 'slack' }))?.candidates).toMatchObject([
      { confidence: 1, name: 'Slack' },
      { confidence: 1, name: 'Slack' },
    ]);
    expect((await get({ entity_name: 'slack', entity_type: 'customer' })).entity.entity_id).toBe(slack);
  });

  it('forgives spelling, suggests what is too far, and leads from merged names and ids to what is left', async () => {
    const me = await alone();
    const auth = await seedEntity(stack, me.tenant, {
      type: 'feature',
      name: 'Authentication Service',
      aliases: ['Login Gateway'],
      signals: 12,
    });
    const old = await seedEntity(stack, me.tenant, { type: 'feature', name: 'SSO Portal', mergedInto: auth });
    const older = await seedEntity(stack, me.tenant, { type: 'feature', name: 'Kerberos Door', mergedInto: old });
    const get = async (args: object) => (await stack.ok<{ entity: Entity }>(me, 'entity.record.get', args)).entity.entity_id;
    for (const name of ['authentification service', 'login gateway', 'the Login-Gateway', 'Login Gatewya', 'sso portal', 'Kerberos door']) {
      expect(await get({ entity_name: name }), name).toBe(auth);
    }
    for (const id of [auth, old, older]) expect(await get({ entity_id: id })).toBe(auth);
    expect((await stack.call(me, 'entity.record.get', { entity_id: older })).envelope.warnings).toEqual([
      `${older} was merged into this one.`,
    ]);
    for (const name of ['auth service', 'auth', 'Authentic']) {
      const error = await errorOf(me, 'entity.record.get', { entity_name: name });
      expect(error, name).toMatchObject({ code: 'NOT_FOUND', alternatives: ['Authentication Service'] });
    }
    expect((await errorOf(me, 'entity.record.get', { entity_name: 'auth service' }))?.suggestion).toBe(
      'Did you mean feature "Authentication Service" (12 signals)?',
    );
    expect(await errorOf(me, 'entity.record.get', { entity_name: 'Zeppelin' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(me, 'entity.record.get', { entity_name: '—' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'entity.record.get', {})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'entity.record.get', { entity_id: auth, entity_name: 'x' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it("knows no other tenant's entities", async () => {
    const id = await seedEntity(stack, pm.tenant, { type: 'customer', name: 'Hidden Customer' });
    for (const args of [{ entity_id: id }, { entity_name: 'Hidden Customer' }]) {
      const error = await errorOf(stranger, 'entity.record.get', args);
      expect(error).toMatchObject({ code: 'NOT_FOUND' });
      expect(error?.alternatives).toBeUndefined();
    }
    for (const [tool, args] of Object.entries({
      'provenance.chain.trace': { entity_id: id },
      'graph.entity.find_related': { entity_id: id },
      'entity.link.create': { entity_id: id, external_system: 'jira', external_id: 'X-1' },
      'entity.status.set': { entity_id: id, status: 'open', source: 'jira' },
      add_entity_alias: { entity_name: 'Hidden Customer', entity_type: 'customer', alias: 'HC' },
      browse_knowledge_graph: { root_entity_name: 'Hidden Customer' },
    })) {
      expect(await errorOf(stranger, tool, args), tool).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await stack.ok(stranger, 'entity.record.list', { search: 'hidden' })).toEqual({ entities: [] });
  });
});

describe.skipIf(inject('servers').modelDir === null)('names by their meaning', () => {
  let other: TestStack;
  beforeAll(async () => {
    other = await testStack({ workers: false });
  });
  afterAll(() => other?.stop());

  it('finds what means the same, but nobody by what their name means, and asks when two would do', async () => {
    const me = await other.caller({ name: 'pm' });
    const make = (type: string, name: string) => seedEntity(other, me.tenant, { type, name, embedded: true });
    const login = await make('issue', 'Login problems');
    await make('feature', 'Dark Mode');
    await make('customer', 'Northern Lights');
    await make('issue', 'Mobile app crashes');
    const resolve = (name: string, type?: string) =>
      asTenant(me.tenant, () => other.services.graph.lookup.resolveName(me.tenant, name, { type }));
    expect(await resolve('trouble logging in')).toMatchObject({
      entity: { id: login },
      how: 'embedding',
      confidence: expect.closeTo(0.88, 1),
    });
    expect(await resolve('app crash on phone')).toMatchObject({ entity: { name: 'Mobile app crashes' }, how: 'embedding' });
    await expect(resolve('trouble logging in', 'feature')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(resolve('Aurora Borealis')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const unknown = await resolve('Zeppelin').catch((error: unknown) => error);
    expect(unknown).toMatchObject({ code: 'NOT_FOUND', alternatives: undefined });
    await make('theme', 'Login issues');
    await expect(resolve('trouble logging in')).rejects.toMatchObject({
      code: 'AMBIGUOUS_ENTITY',
      candidates: [expect.objectContaining({ type: expect.any(String) }), expect.objectContaining({ type: expect.any(String) })],
    });
    expect(await resolve('trouble logging in', 'issue')).toMatchObject({ entity: { id: login } });
  });
});

describe('listing', () => {
  it('lists by type and signals, page by page, and searches names', async () => {
    const me = await alone();
    const names = ['Dark Mode', 'Data Export', 'Payment Links', 'Payments API', 'Bulk Payouts'];
    for (const [i, name] of names.entries())
      await seedEntity(stack, me.tenant, { type: 'feature', name, signals: 10 - i, metadata: { i } });
    await seedEntity(stack, me.tenant, { type: 'customer', name: 'Initech', aliases: ['Initech Ltd', 'INI'], signals: 99 });
    const first = await stack.call(me, 'entity.record.list', { entity_type: 'feature', limit: 3 });
    expect((first.data as { entities: Entity[] }).entities.map(({ name }) => name)).toEqual(names.slice(0, 3));
    expect(first.envelope.metadata).toMatchObject({ result_count: 3, total_count: 5 });
    const second = await stack.call(me, 'entity.record.list', {
      entity_type: 'feature',
      limit: 3,
      cursor: first.envelope.metadata.next_cursor,
    });
    expect((second.data as { entities: Entity[] }).entities.map(({ name }) => name)).toEqual(names.slice(3));
    expect(second.envelope.metadata.next_cursor).toBeUndefined();
    expect(await errorOf(me, 'entity.record.list', { cursor: 'nonsense' })).toMatchObject({ code: 'VALIDATION_ERROR' });

    const find = async (search: string, extra: object = {}) =>
      (await stack.ok<{ entities: Entity[] }>(me, 'entity.record.list', { search, ...extra })).entities.map(({ name }) => name);
    expect(await find('pay')).toEqual(['Payment Links', 'Payments API', 'Bulk Payouts']);
    expect(await find('payments ap')).toEqual(['Payments API']);
    expect(await find('drak mode')).toEqual(['Dark Mode']);
    expect(await find('INI')).toEqual(['Initech']);
    expect(await find('pay', { entity_type: 'customer' })).toEqual([]);
    expect(await find('pay', { limit: 1 })).toHaveLength(1);
    expect(await find('%')).toEqual([]);

    const seed = await stack.ok(me, 'list_entities', { entity_type: 'customer' });
    expect(seed).toEqual({
      entities: [
        {
          entity_id: expect.stringMatching(/^ent_/),
          name: 'Initech',
          type: 'customer',
          aliases: ['INI', 'Initech Ltd'],
          signal_count: 99,
          metadata: {},
          state: null,
          links: [],
        },
      ],
    });
    expect(await errorOf(me, 'list_entities', {})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'list_entities', { entity_type: 'product' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await stack.ok(me, 'entity-record-list', { entity_type: 'product' })).toEqual({ entities: [] });
  });
});

describe('what people say', () => {
  it('teaches an alias once, refuses that of another, and notes it', async () => {
    const me = await alone();
    const auth = await seedEntity(stack, me.tenant, { type: 'feature', name: 'Authentication Service' });
    const other = await seedEntity(stack, me.tenant, { type: 'feature', name: 'Audit Log' });
    const add = { entity_name: 'Authentication Service', entity_type: 'feature', alias: 'auth' };
    expect(await stack.ok(me, 'add_entity_alias', add)).toEqual({
      entity: expect.objectContaining({ entity_id: auth, aliases: ['auth'] }),
      alias: 'auth',
    });
    const again = await stack.call(me, 'entity.alias.add', { ...add, alias: ' AUTH ' });
    expect(again.data).toMatchObject({ added: false, alias: 'AUTH' });
    expect(await stack.ok(me, 'entity.alias.add', { ...add, alias: 'authentication service' })).toMatchObject({ added: false });
    expect(await errorOf(me, 'add_entity_alias', { ...add, entity_name: 'Audit Log' })).toMatchObject({
      code: 'CONFLICT',
      message: '"auth" is a name of feature "Authentication Service" already.',
      details: { owner: { entity_id: auth, name: 'Authentication Service', type: 'feature' } },
    });
    expect(await errorOf(me, 'add_entity_alias', { ...add, alias: '!!' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    // An entity of another type may have the same name; the caller then says which one is meant.
    const issue = await seedEntity(stack, me.tenant, { type: 'issue', name: 'Login fails' });
    await stack.ok(me, 'add_entity_alias', { entity_name: 'Login fails', entity_type: 'issue', alias: 'auth' });
    expect((await errorOf(me, 'entity.record.get', { entity_name: 'auth' }))?.candidates?.map((each) => each['entity_id'])).toEqual(
      expect.arrayContaining([auth, issue]),
    );
    const { entity } = await stack.ok(me, 'entity.record.get', { entity_name: 'auth', entity_type: 'feature' });
    expect(entity).toMatchObject({ entity_id: auth, history: [{ event: 'alias_added', by: 'pm', data: { alias: 'auth' } }] });
    const changes = await sql(me, `select data from outbox where tenant_id = $1 and type = 'graph.changed' and subject = $2`, [auth]);
    expect(changes).toEqual([{ data: { entities: [auth] } }]);
    expect(
      await sql(me, `select count(*)::int as n from entity_blocks where tenant_id = $1 and key = 'auth' and type = 'feature'`),
    ).not.toEqual([{ n: 0 }]);
    expect(other).not.toBe(auth);
  });

  it('lets one of two win who claim the same alias at once', async () => {
    const me = await alone();
    const names = ['Billing Portal', 'Invoice Centre', 'Payment Hub', 'Ledger View'];
    for (const name of names) await seedEntity(stack, me.tenant, { type: 'feature', name });
    const answers = await Promise.all(
      names.map((entity_name) => stack.call(me, 'entity.alias.add', { entity_name, entity_type: 'feature', alias: 'the money page' })),
    );
    expect(answers.filter((answer) => !answer.error)).toHaveLength(1);
    for (const { error } of answers.filter((answer) => answer.error)) expect(error).toMatchObject({ code: 'CONFLICT' });
    const rows = await sql(me, `select entity_id from entity_aliases where tenant_id = $1 and key = 'money page'`);
    expect(rows).toHaveLength(1);
  });

  it('acts once under one idempotency key', async () => {
    const me = await alone();
    await seedEntity(stack, me.tenant, { type: 'feature', name: 'Search' });
    const add = { entity_name: 'Search', entity_type: 'feature', alias: 'find box' };
    const once = await stack.call(me, 'entity.alias.add', add, { idempotencyKey: 'k1' });
    const twice = await stack.call(me, 'entity.alias.add', add, { idempotencyKey: 'k1' });
    expect(twice.data).toEqual(once.data);
    expect(once.data).toMatchObject({ added: true });
    const flag = { issue_name: 'Search is slow', reason: 'three complaints' };
    const [a, b] = [
      await stack.call(me, 'entity.issue.flag', flag, { idempotencyKey: 'k2' }),
      await stack.call(me, 'entity.issue.flag', flag, { idempotencyKey: 'k2' }),
    ];
    expect(b.data).toEqual(a.data);
    expect(await sql(me, `select event from entity_history where tenant_id = $1 and event = 'flagged'`)).toHaveLength(1);
  });

  it('links to other systems, each id once', async () => {
    const me = await alone();
    const issue = await seedEntity(stack, me.tenant, { type: 'issue', name: 'Export crashes' });
    const other = await seedEntity(stack, me.tenant, { type: 'issue', name: 'Import crashes' });
    const gone = await seedEntity(stack, me.tenant, { type: 'issue', name: 'Exporter dies', mergedInto: issue });
    const link = { entity_id: issue, external_system: 'JIRA', external_id: 'PAY-101' };
    expect(await stack.ok(me, 'entity.link.create', link)).toEqual({ ...link, external_system: 'jira', url: null, created: true });
    expect(await stack.ok(me, 'entity.link.create', { ...link, entity_id: gone, external_system: 'jira' })).toMatchObject({
      entity_id: issue,
      created: false,
    });
    const url = 'https://jira.example.com/PAY-101';
    expect(await stack.ok(me, 'entity.link.create', { ...link, url })).toMatchObject({ url, created: false });
    expect(await errorOf(me, 'entity.link.create', { ...link, entity_id: other })).toMatchObject({
      code: 'CONFLICT',
      details: { owner: { entity_id: issue, name: 'Export crashes' } },
    });
    expect(await errorOf(me, 'entity.link.create', { ...link, url: 'javascript:alert(1)' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const { entity } = await stack.ok(me, 'entity.record.get', { entity_id: issue });
    const links = [{ external_system: 'jira', external_id: 'PAY-101', url }];
    expect(entity.links).toEqual(links);
    await stack.ok(me, 'entity.status.set', { entity_id: issue, status: 'in review', source: 'jira' });
    const { entities } = await stack.ok(me, 'list_entities', { entity_type: 'issue' });
    expect(entities.find((each: Entity) => each.entity_id === issue)).toMatchObject({ state: 'in review', links });
    expect(entities.find((each: Entity) => each.entity_id === other)).toMatchObject({ state: null, links: [] });
    expect((await stack.ok(me, 'get_issue_impact', { issue_name: 'Export crashes' })).issue).toMatchObject({ state: 'in review', links });
    for (const [type, field, tool] of [
      ['customer', 'customer', 'get_customer_profile'],
      ['feature', 'feature', 'get_feature_health'],
    ] as const) {
      const id = await seedEntity(stack, me.tenant, { type, name: `Linked ${type}` });
      const own = { external_system: 'crm', external_id: `${type}-1`, url: null };
      await stack.ok(me, 'entity.link.create', { entity_id: id, external_system: 'crm', external_id: `${type}-1` });
      await stack.ok(me, 'entity.status.set', { entity_id: id, status: 'at risk', source: 'crm' });
      expect((await stack.ok(me, tool, { [`${type}_name`]: `Linked ${type}` }))[field]).toMatchObject({ state: 'at risk', links: [own] });
    }
  });

  it('keeps what state something is in, and was', async () => {
    const me = await alone();
    const issue = await seedEntity(stack, me.tenant, { type: 'issue', name: 'Export crashes' });
    const set = (status: string) => stack.ok(me, 'entity.status.set', { entity_id: issue, status, source: 'jira' });
    expect(await set('open')).toMatchObject({ entity_id: issue, name: 'Export crashes', previous_status: null, changed: true });
    expect(await set('fixed')).toMatchObject({ previous_status: 'open', changed: true });
    expect(await set('fixed')).toMatchObject({ changed: false });
    const { entity } = await stack.ok(me, 'entity.record.get', { entity_id: issue });
    expect(entity).toMatchObject({ state: 'fixed', state_source: 'jira' });
    expect(entity.history.map((each: { data: object }) => each.data)).toEqual([
      { from: 'open', to: 'fixed', source: 'jira' },
      { from: null, to: 'open', source: 'jira' },
    ]);
  });

  it('flags issues: new, known, and nearly known', async () => {
    const me = await alone();
    const call = await seedSignal(stack, me.tenant, { text: 'The exporter crashed on us again.' });
    const flagged = await stack.ok(me, 'entity.issue.flag', {
      issue_name: 'Exporter crashes',
      severity: 'high',
      reason: 'seen',
      signal_ids: [call],
    });
    expect(flagged).toEqual({ issue_id: expect.stringMatching(/^ent_/), created: true });
    const { entity } = await stack.ok(me, 'entity.record.get', { entity_id: flagged['issue_id'] });
    expect(entity).toMatchObject({ name: 'Exporter crashes', type: 'issue', signal_count: 1, metadata: { severity: 'high' } });
    expect(entity.history.map((each: { event: string }) => each.event)).toEqual(['flagged', 'created']);
    expect(await sql(me, `select subject from outbox where tenant_id = $1 and type = 'issue.flagged'`)).toEqual([
      { subject: flagged['issue_id'] },
    ]);

    expect(await stack.ok(me, 'entity.issue.flag', { issue_name: 'exporter CRASHES', reason: 'again', signal_ids: [call] })).toEqual({
      issue_id: flagged['issue_id'],
      created: false,
    });
    expect((await stack.ok(me, 'entity.record.get', { entity_id: flagged['issue_id'] }))['entity']).toMatchObject({ signal_count: 1 });

    const near = await stack.ok(me, 'entity.issue.flag', { issue_name: 'Exporter crashing', reason: 'heard of it' });
    expect(near).toMatchObject({ created: true, feedback_id: expect.stringMatching(/^fb_/) });
    expect(near['issue_id']).not.toBe(flagged['issue_id']);
    const [review] = await sql(
      me,
      `select subject->>'a' as a, subject->>'b' as b, type, status, origin from reviews where tenant_id = $1 and id = $2`,
      [near['feedback_id']],
    );
    expect(review).toEqual({ a: near['issue_id'], b: flagged['issue_id'], type: 'issue', status: 'pending', origin: 'flag' });

    expect(await errorOf(me, 'entity.issue.flag', { issue_name: 'x1', reason: 'y', signal_ids: ['doc_none'] })).toMatchObject({
      code: 'NOT_FOUND',
    });
    const foreign = await seedSignal(stack, 'globex', { text: 'Not yours.' });
    expect(await errorOf(me, 'entity.issue.flag', { issue_name: 'x1', reason: 'y', signal_ids: [foreign] })).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(await errorOf(me, 'entity.record.get', { entity_name: 'x1' })).toMatchObject({ code: 'NOT_FOUND' });
  });
});

/** Acme and Globex have an issue with the exporter; Ann speaks for Acme; Hooli is on its own. */
async function world(me: Caller) {
  const make = (type: string, name: string, more: object = {}) => seedEntity(stack, me.tenant, { type, name, ...more });
  const acme = await make('customer', 'Acme');
  const globex = await make('customer', 'Globex', { aliases: ['Globex Ltd'], description: 'Makes things.' });
  const hooli = await make('customer', 'Hooli', { area: 'Search' });
  const exporter = await make('feature', 'Exporter', { area: 'Data' });
  const crash = await make('issue', 'Export crash', { aliases: ['crash of the exporter'], area: 'Data' });
  const ann = await make('stakeholder', 'Ann Lee');
  const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);
  const signal = (text: string, days: number, mentions: Record<string, string>) =>
    seedSignal(stack, me.tenant, { text, at: ago(days), mentions, title: `Call ${days}` });
  const first = await signal('Ann Lee of Acme is unhappy: the export crash costs them an hour a day.', 2, {
    [ann]: 'Ann Lee',
    [acme]: 'Acme',
    [crash]: 'export crash',
  });
  const second = await signal('Globex sees the export crash in the Exporter whenever a file is large.', 5, {
    [globex]: 'Globex',
    [crash]: 'export crash',
    [exporter]: 'Exporter',
  });
  const third = await signal('Globex praises the Exporter for its speed.', 40, { [globex]: 'Globex', [exporter]: 'Exporter' });
  await signal('Hooli wants purple icons.', 50, { [hooli]: 'Hooli' });
  return { acme, globex, hooli, exporter, crash, ann, first, second, third };
}

describe('finding one’s way', () => {
  it('finds what hangs together, with the way there', async () => {
    const me = await alone();
    const ids = await world(me);
    const answer = await stack.ok(me, 'find_related_entities', { entity_name: 'Acme', entity_type: 'any' });
    expect(answer['root']).toEqual({ entity_id: ids.acme, name: 'Acme', type: 'customer', signal_count: 1 });
    const related = answer['related'] as Record<string, unknown>[];
    expect(related.find((each) => each['entity'] === 'Export crash')).toEqual({
      entity: 'Export crash',
      entity_id: ids.crash,
      type: 'issue',
      hops: 1,
      path: ['Acme', 'Export crash'],
      relations: ['mentioned_with'],
      strength: expect.closeTo(0.333, 3),
      signal_count: 2,
    });
    expect(related.find((each) => each['entity'] === 'Globex')).toMatchObject({ hops: 2, path: ['Acme', 'Export crash', 'Globex'] });
    expect(related.map((each) => each['entity'])).not.toContain('Hooli');
    const near = await stack.ok(me, 'find_related_entities', { entity_name: 'Acme', max_hops: 1 });
    expect((near['related'] as object[]).length).toBe(2);
    const typed = await stack.ok(me, 'graph.entity.find_related', { entity_id: ids.acme, related_types: ['customer'], max_hops: 4 });
    expect((typed['related'] as { entity: string }[]).map((each) => each.entity)).toEqual(['Globex']);
    const few = await stack.call(me, 'graph.entity.find_related', { entity_id: ids.acme, limit: 1 });
    expect(few.envelope.warnings).toEqual([expect.stringContaining('More than 1')]);
    for (const args of [{ entity_name: 'Acme', max_hops: 5 }, { entity_name: 'Acme', max_hops: 0 }, {}]) {
      expect(await errorOf(me, 'find_related_entities', args)).toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(await errorOf(me, 'graph.entity.find_related', {})).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('browses from an entity, a type, an area and everything', async () => {
    const me = await alone();
    const ids = await world(me);
    const one = await stack.ok(me, 'browse_knowledge_graph', {
      root_entity_type: 'customer',
      root_entity_name: 'Globex',
      include_aliases: true,
      include_descriptions: true,
      include_signal_counts: false,
    });
    expect(one['entities'][0]).toEqual({
      entity_id: ids.globex,
      name: 'Globex',
      type: 'customer',
      depth: 0,
      aliases: ['Globex Ltd'],
      description: 'Makes things.',
    });
    expect(one['entities'].map((each: { name: string }) => each.name).sort()).toEqual(['Export crash', 'Exporter', 'Globex']);
    expect(one['relationships']).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'mentioned_with', passages: 2, signals: 2 })]),
    );
    expect(one['signals'].map((each: { signal_id: string }) => each.signal_id)).toEqual([ids.second, ids.third]);
    expect(one['signals'][0]).toMatchObject({
      title: 'Call 5',
      source: 'transcript',
      snippet: expect.stringContaining('Globex'),
      entities: [ids.globex],
    });
    expect(one['has_more']).toBe(false);

    const far = await stack.ok(me, 'graph.entity.browse', { root_entity_name: 'Globex', depth: 3 });
    expect(far['entities'].map((each: { name: string }) => each.name)).toContain('Ann Lee');
    const customers = await stack.ok(me, 'browse_knowledge_graph', { root_entity_type: 'customer', depth: 0 });
    expect(customers['entities'].map((each: { name: string }) => each.name).sort()).toEqual(['Acme', 'Globex', 'Hooli']);
    const all = await stack.ok(me, 'browse_knowledge_graph', {});
    expect(all['entities']).toHaveLength(6);
    const some = await stack.ok(me, 'browse_knowledge_graph', { limit: 2 });
    expect(some).toMatchObject({ has_more: true, entities: [{ signal_count: 2 }, { signal_count: 2 }] });

    const area = await stack.ok(me, 'browse_knowledge_graph', { filter_area: 'data' });
    expect(area['entities'].map((each: { name: string }) => each.name).sort()).toEqual(['Export crash', 'Exporter']);
    // There is no area with that name, but another entity.
    const thing = await stack.call(me, 'browse_knowledge_graph', { filter_area: 'Exporter' });
    expect((thing.data as typeof all)['entities'].map((each: { name: string }) => each.name).sort()).toEqual([
      'Export crash',
      'Exporter',
      'Globex',
    ]);
    expect(thing.envelope.warnings).toEqual([expect.stringContaining('No entity is marked')]);
    expect(await errorOf(me, 'browse_knowledge_graph', { filter_area: 'Nowhere' })).toMatchObject({
      code: 'NOT_FOUND',
      alternatives: ['Data', 'Search'],
    });
    const deep = await stack.call(me, 'browse_knowledge_graph', { depth: 4 });
    expect([deep.error, deep.envelope.warnings[0]]).toEqual([undefined, '"depth" was cut to 3.']);
  });

  it('sums up everything, and an area', async () => {
    const me = await alone();
    const ids = await world(me);
    const all = await stack.call(me, 'get_knowledge_summary', {});
    expect(all.data).toMatchObject({
      counts: { entities: { customer: 3, feature: 1, issue: 1, stakeholder: 1 }, facts: 0, signals: 4 },
      stakeholders: [{ name: 'Ann Lee' }],
      opportunities: [],
      health: { signals_waiting: 0, reviews_pending: 0 },
    });
    expect(all.envelope.warnings).toEqual([]);
    const data = all.data as { trends: Record<string, any>[]; top_entities: { name: string }[]; counts: { relations: number } };
    expect(data.counts.relations).toBe(6);
    expect(data.top_entities.map(({ name }) => name)).not.toContain('Ann Lee');
    const trend = (id: string) => data.trends.find((each) => each['entity_id'] === id)!;
    expect(trend(ids.crash)).toMatchObject({
      entity: 'Export crash',
      direction: 'emerging',
      current_count: 2,
      previous_count: 0,
      change_pct: null,
    });
    expect(trend(ids.crash)['series']).toHaveLength(30);
    expect(trend(ids.crash)['series'].at(-3)).toBe(1);
    expect(trend(ids.hooli)).toMatchObject({ direction: 'declining', change_pct: -100 });
    expect(trend(ids.exporter)).toMatchObject({ direction: 'stable', change_pct: 0 });

    const area = await stack.ok(me, 'graph.summary.get', {
      scope: 'product_area',
      name: 'DATA',
      include_trends: false,
      include_stakeholders: false,
      include_opportunities: false,
    });
    expect(area).toMatchObject({ scope: 'Data', counts: { entities: { feature: 1, issue: 1 }, relations: 1, signals: 3 } });
    for (const field of ['trends', 'stakeholders', 'opportunities']) expect(area).not.toHaveProperty(field);
    expect(await errorOf(me, 'get_knowledge_summary', { scope: 'product_area' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'get_knowledge_summary', { scope: 'product_area', name: 'Nowhere' })).toMatchObject({
      code: 'NOT_FOUND',
      alternatives: ['Data', 'Search'],
    });
    expect(await stack.ok(await alone(), 'get_knowledge_summary', {})).toMatchObject({
      counts: { entities: {}, signals: 0 },
      top_entities: [],
    });
  });
});

describe('provenance', () => {
  const refs = (data: unknown): string[] => (data as { chain: { ref: string }[] }).chain.map(({ ref }) => ref);

  it('traces an entity to its passages and facts', async () => {
    const me = await alone();
    const ids = await world(me);
    await sql(
      me,
      `insert into graph_facts (tenant_id, id, subject_id, predicate, object_id, statement, exclusive, recorded_from, recorded_to, passages, confidence)
       values ($1, 'fact_1', $2, 'affects', $3, 'The export crash affects Globex.', false, now(), null, 1, 0.8),
         ($1, 'fact_2', $2, 'affects', $4, 'The export crash affects Hooli.', false, now(), now(), 1, 0.8)`,
      [ids.crash, ids.globex, ids.hooli],
    );
    const answer = await stack.ok(me, 'get_provenance', { entity_id: ids.crash });
    expect(refs(answer)).toEqual([`${ids.first}#0`, `${ids.second}#0`, 'fact_1']);
    expect(answer['chain'][0]).toEqual({
      ref: `${ids.first}#0`,
      kind: 'passage',
      excerpt: expect.stringContaining('export crash costs'),
      occurred_at: expect.stringMatching(/Z$/),
      weight: 0.9,
    });
    expect(answer['subject']).toMatchObject({ kind: 'entity', entities: [{ entity_id: ids.crash }] });
  });

  it('traces a claim, counts its numbers, and tells when they are others', async () => {
    const me = await alone();
    const ids = await world(me);
    const claim = await stack.call(me, 'provenance.chain.trace', { claim: '47 customers affected by the export crash' });
    expect(refs(claim.data).sort()).toEqual([`${ids.first}#0`, `${ids.second}#0`].sort());
    expect(claim.data).toMatchObject({
      subject: { kind: 'claim', entities: [{ name: 'Export crash' }] },
      checks: [{ text: '47 customers', what: 'customer', said: 47, counted: 2 }],
    });
    expect(claim.envelope.warnings).toEqual([expect.stringContaining('"47 customers"; counted 2')]);
    const right = await stack.call(me, 'get_provenance', { claim: 'Two customers are affected by the crash of the exporter' });
    expect(right.envelope.warnings).toEqual([]);
    expect((right.data as { checks: object[] }).checks).toMatchObject([{ said: 2, counted: 2 }]);

    const both = await stack.ok(me, 'get_provenance', { claim: 'Globex praises the Exporter for speed' });
    expect(refs(both)[0]).toBe(`${ids.third}#0`);
    // Words without anything known.
    const words = await stack.ok(me, 'get_provenance', { claim: 'somebody wants purple icons' });
    expect(words['chain']).toMatchObject([{ kind: 'passage', excerpt: 'Hooli wants purple icons.', occurred_at: expect.any(String) }]);
  });

  it('says honestly when nothing supports a claim', async () => {
    const me = await alone();
    await world(me);
    for (const claim of ['Acme loves purple elephants', 'Volcanoes are erupting in Iceland', '3 customers of Hooli cancelled']) {
      const answer = await stack.call(me, 'get_provenance', { claim });
      expect((answer.data as { chain: object[] }).chain, claim).toEqual([]);
      expect(answer.envelope.warnings.at(-1), claim).toMatch(/^Nothing that was ingested supports/);
    }
  });

  it('takes exactly one of the three', async () => {
    const me = await alone();
    const id = await seedEntity(stack, me.tenant, { type: 'issue', name: 'x1' });
    expect(await errorOf(me, 'get_provenance', {})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'get_provenance', { claim: 'x', entity_id: id })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await errorOf(me, 'get_provenance', { opportunity_id: 'opp_1' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(me, 'get_provenance', { entity_id: 'ent_none' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await stack.ok(me, 'get_provenance', { entity_id: id })).toMatchObject({ chain: [] });
  });
});
