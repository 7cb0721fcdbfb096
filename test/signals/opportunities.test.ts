/** Opportunities as people and agents see them: the process, the tools, what people say, and who may see what. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { OpportunityDetails, OpportunityItem } from '../../contracts/signals/opportunities.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { themes } from '../../services/signals/opportunities/paraphrases.fixture.ts';
import { hasWork } from '../../services/signals/opportunities/work.ts';
import { replayCourses } from '../setup/replay.ts';
import { writeSignals, type TestSignal } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

interface Changed {
  opportunity_id: string;
  status: string;
  title: string;
  score: number;
  changed: boolean;
}

const day = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString();
const names = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli', 'Vandelay'];
const signals = (): TestSignal[] => [
  ...themes['login fails']!.map((statement, i): TestSignal => ({
    statement,
    class: 'bug',
    at: day(i),
    severity: 'high',
    sentiment: -0.7,
    source: i % 2 ? 'slack' : 'meeting_transcript',
    area: 'Accounts',
    about: { customer: [names[i]!], issue: ['Login fails'] },
  })),
  ...themes['dark mode']!.map((statement, i): TestSignal => ({
    statement,
    class: 'request',
    at: day(70 + i),
    area: 'Design',
    about: { customer: [names[i % 2]!], feature: ['Appearance'] },
  })),
];

describe('opportunities', { timeout: 120_000 }, () => {
  let stack: TestStack;
  let pm: Caller;
  let tenants = 0;
  beforeAll(async () => {
    // Uses words only, because the quality of clusters does not matter here.
    stack = await testStack({ model: false });
  });
  beforeEach(async () => {
    pm = await stack.caller({ tenant: `pm${(tenants += 1)}`, name: 'ann', kind: 'human' });
  });
  afterAll(() => stack?.stop());

  const rows = <T extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<T[]> =>
    asTenant(pm.tenant, () => stack.db.query<T>(sql, [pm.tenant, ...values]));
  const settled = () =>
    eventually(
      'nothing is left to do',
      async () => !(await asTenant(pm.tenant, () => hasWork({ db: stack.db, embedder: null }, pm.tenant))),
    );
  const given = async (some = signals()): Promise<void> => {
    await writeSignals(stack.db, pm.tenant, some);
    await asTenant(pm.tenant, () => stack.services.opportunities.wakeSoon(pm.tenant));
    await settled();
  };
  const list = async (args: object = {}): Promise<OpportunityItem[]> =>
    (await stack.ok<{ opportunities: OpportunityItem[] }>(pm, 'list_opportunities', args)).opportunities;
  const get = (id: string, args: object = {}) =>
    stack.ok<OpportunityDetails>(pm, 'opportunity.record.get', { opportunity_id: id, ...args });
  const login = async (): Promise<OpportunityItem> => (await list({ limit: 100 })).find(({ title }) => title === 'Login fails')!;
  const errorOf = async (tool: string, args: object) => (await stack.call(pm, tool, args)).error;

  it('are gathered by a process that ends, and told as events', async () => {
    await given();
    const found = await login();
    expect(found).toMatchObject({
      status: 'new',
      signal_count: 6,
      statement_count: 6,
      customer_count: 6,
      trend: 'emerging',
      classes: { bug: 6 },
    });
    expect(found.opportunity_id).toMatch(/^[0-9a-f-]{36}$/);
    const events = await rows<{ type: string; subject: string }>(
      `select type, subject from outbox where tenant_id = $1 and type = 'opportunity.created'`,
    );
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set((await list({ limit: 100 })).map((each) => each.opportunity_id)));
    const workflowId = workflowIds.opportunities(pm.tenant);
    await eventually('the process has ended', async () => (await stack.temporal.handle(workflowId).describe()).status.name === 'COMPLETED');
    await eventually('it is listed', async () => (await replayCourses(stack.temporal.client, 'opportunities')) > 0);
  });

  it('are found by the sweep when the wake was lost', async () => {
    await writeSignals(stack.db, pm.tenant, signals());
    expect(await list()).toEqual([]);
    await asTenant(pm.tenant, () => stack.services.opportunities.tend(pm.tenant));
    await settled();
    expect(await login()).toBeDefined();
    // Without work nothing is started.
    await eventually(
      'the process has ended',
      async () => (await stack.temporal.handle(workflowIds.opportunities(pm.tenant)).describe()).status.name === 'COMPLETED',
    );
    const { runId } = await stack.temporal.handle(workflowIds.opportunities(pm.tenant)).describe();
    await asTenant(pm.tenant, () => stack.services.opportunities.tend(pm.tenant));
    expect((await stack.temporal.handle(workflowIds.opportunities(pm.tenant)).describe()).runId).toBe(runId);
  });

  it('show statements, customers, passages and the reasons of their score', async () => {
    await given();
    const { opportunity_id: id } = await login();
    const details = await get(id, { limit: 4 });
    expect(details.customers.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(details.entities).toMatchObject([{ name: 'Login fails', type: 'issue', count: 6 }]);
    expect(details.evidence).toHaveLength(4);
    for (const each of details.evidence) {
      expect(themes['login fails']).toContain(each.statement);
      expect(each).toMatchObject({ class: 'bug', severity: 'high', told: 1, customers: [expect.any(String)] });
      const [document, ordinal] = each.ref.split('#');
      const [passage] = await rows<{ body: string }>('select body from chunks where tenant_id = $1 and document_id = $2 and ordinal = $3', [
        document,
        ordinal,
      ]);
      expect(passage!.body).toContain(each.statement);
    }
    const { impact, confidence, strategic_alignment, urgency, effort } = details.factors;
    for (const { reason } of Object.values(details.factors)) expect(reason).toMatch(/\.$/);
    expect(impact.reason).toContain('6 customers');
    expect(strategic_alignment.value).toBe(5);
    expect(details.score).toBeCloseTo((impact.value * confidence.value * strategic_alignment.value * urgency.value) / effort.value, 0);
    // The same through provenance, with what stakeholders cite.
    const traced = await stack.ok<{ subject: object; chain: { ref: string; excerpt: string; weight: number }[] }>(pm, 'get_provenance', {
      opportunity_id: id,
    });
    expect(traced.subject).toMatchObject({ kind: 'opportunity', title: 'Login fails', entities: [{ name: 'Login fails' }] });
    expect(traced.chain.map(({ ref }) => ref)).toEqual((await get(id, { limit: 50 })).evidence.map(({ ref }) => ref));
    const summary = await stack.ok<{ opportunities: OpportunityItem[] }>(pm, 'get_knowledge_summary', {});
    expect(summary.opportunities[0]).toMatchObject({ opportunity_id: id });
    const area = await stack.ok<{ opportunities: OpportunityItem[] }>(pm, 'get_knowledge_summary', {
      scope: 'product_area',
      name: 'Design',
    });
    expect(area.opportunities.length).toBeGreaterThan(0);
    expect(area.opportunities.map(({ title }) => title)).not.toContain('Login fails');
  });

  it('are ranked, filtered and paged', async () => {
    await given();
    const everything = await list({ limit: 100 });
    expect(everything.map(({ score }) => score)).toEqual(everything.map(({ score }) => score).sort((a, b) => b - a));
    const paged: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await stack.call(pm, 'opportunity.record.list', { limit: 1, sort_by: 'created_at', ...(cursor ? { cursor } : {}) });
      paged.push(...(page.data as { opportunities: OpportunityItem[] }).opportunities.map(({ opportunity_id }) => opportunity_id));
      expect(page.envelope.metadata.total_count).toBe(everything.length);
      cursor = page.envelope.metadata.next_cursor;
      if (!cursor) break;
    }
    expect(new Set(paged)).toEqual(new Set(everything.map(({ opportunity_id }) => opportunity_id)));
    expect(paged).toHaveLength(everything.length);
    const priorities = async (filter: string) =>
      (await stack.ok<{ priorities: { title: string; breakdown: Record<string, number> }[] }>(pm, 'get_roadmap_priorities', { filter }))
        .priorities;
    expect((await priorities('all'))[0]).toMatchObject({ title: 'Login fails', breakdown: { effort: 3, strategic_alignment: 5 } });
    expect((await priorities('emerging')).map(({ title }) => title)).toEqual(['Login fails']);
    expect((await priorities('quick_wins')).map(({ title }) => title)).toEqual(['Login fails']);
    const none = await stack.call(pm, 'get_roadmap_priorities', { filter: 'strategic' });
    expect(none.data).toEqual({ priorities: [] });
    expect(none.envelope.warnings[0]).toContain('strategic alignment of 7 or more');
    // With a goal there are some, and what is about none of the goals falls behind.
    await stack.ok(pm, 'opportunity.goal.set', { name: 'design', alignment: 9 });
    await eventually('the goal counts', async () => (await priorities('strategic')).length > 0);
    await settled();
    expect((await get((await login()).opportunity_id)).factors.strategic_alignment.value).toBe(3);
    for (const { title } of await priorities('strategic')) expect(title).not.toBe('Login fails');
  });

  it('keep what people say of factors and titles, whatever signals come', async () => {
    await given();
    const { opportunity_id, score } = await login();
    const set = (factor: string, value: number | null) =>
      stack.ok<Changed>(pm, 'opportunity.factor.set', { opportunity_id, factor, value, reason: 'asked the team' });
    const done = await set('effort', 6);
    expect(done).toMatchObject({ changed: true });
    expect(done.score / score).toBeCloseTo(0.5, 1);
    expect(await set('effort', 6)).toMatchObject({ changed: false });
    await stack.ok(pm, 'opportunity.title.set', { opportunity_id, title: '  Sign-in\noutage ' });
    await given([
      {
        statement: 'Login does not work for any of us.',
        class: 'bug',
        at: day(0),
        about: { customer: ['Soylent'], issue: ['Login fails'] },
      },
    ]);
    const details = await eventually('the new signal counts', async () => {
      const now = await get(opportunity_id);
      return now.signal_count === 7 ? now : null;
    });
    expect(details).toMatchObject({ title: 'Sign-in outage', titled_by: pm.principal });
    expect(details.factors.effort).toMatchObject({
      value: 6,
      computed: 3,
      override: { value: 6, reason: 'asked the team', set_by: pm.principal },
    });
    expect(await errorOf('opportunity.factor.set', { opportunity_id, factor: 'confidence', value: 7 })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    await set('effort', null);
    expect((await get(opportunity_id)).factors.effort).not.toHaveProperty('override');
    await stack.ok(pm, 'opportunity.title.set', { opportunity_id, title: null });
    await eventually('its own title', async () => (await get(opportunity_id)).title === 'Login fails');
    expect((await get(opportunity_id)).history.map(({ event }) => event)).toEqual(['title', 'factor', 'title', 'factor', 'created']);
  });

  it('go through their statuses step by step, with a history; agents ask a person', async () => {
    await given();
    const { opportunity_id } = await login();
    const set = (status: string) => stack.ok<Changed>(pm, 'opportunity.status.set', { opportunity_id, status, reason: 'weekly review' });
    const refused = await errorOf('opportunity.status.set', { opportunity_id, status: 'accepted' });
    expect(refused).toMatchObject({ code: 'CONFLICT', details: { allowed: ['reviewing'] } });
    expect(await set('reviewing')).toMatchObject({ status: 'reviewing', changed: true });
    expect(await set('reviewing')).toMatchObject({ changed: false });
    await set('rejected');
    expect(await list({ status: 'rejected' })).toMatchObject([{ opportunity_id }]);
    const { priorities } = await stack.ok<{ priorities: { opportunity_id: string }[] }>(pm, 'opportunity.priority.list', {});
    expect(priorities.map((each) => each.opportunity_id)).not.toContain(opportunity_id);
    const events = await rows<{ data: object }>(
      `select data from outbox where tenant_id = $1 and type = 'opportunity.status_changed' order by id`,
    );
    expect(events.map(({ data }) => data)).toMatchObject([
      { from: 'new', to: 'reviewing' },
      { from: 'reviewing', to: 'rejected', reason: 'weekly review' },
    ]);
    const agent = await stack.caller({ tenant: pm.tenant, kind: 'agent', name: 'planner' });
    const asked = await stack.call(agent, 'opportunity.status.set', { opportunity_id, status: 'reviewing' });
    expect(asked.envelope.status).toBe('pending_approval');
    expect((await get(opportunity_id)).status).toBe('rejected');
  });

  it('are not another tenant’s', async () => {
    await given();
    const { opportunity_id } = await login();
    const other = await stack.caller({ tenant: `${pm.tenant}-other`, kind: 'human' });
    expect((await stack.ok<{ opportunities: [] }>(other, 'opportunity.record.list', {})).opportunities).toEqual([]);
    for (const [tool, args] of [
      ['opportunity.record.get', {}],
      ['opportunity.status.set', { status: 'reviewing' }],
      ['opportunity.factor.set', { factor: 'effort', value: 1 }],
      ['opportunity.title.set', { title: 'mine' }],
      ['provenance.chain.trace', {}],
    ] as const) {
      expect((await stack.call(other, tool, { opportunity_id, ...args })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await get(opportunity_id)).history).toHaveLength(1);
  });

  it('show to a stakeholder team when it may see all their evidence', async () => {
    await given();
    const admin = await stack.caller({ tenant: pm.tenant, role: 'admin', kind: 'human', name: 'admin' });
    await stack.ok(admin, 'access.stakeholder.configure', { team: 'design', product_areas: ['Design'], data_freshness: 'realtime' });
    const member = await stack.caller({ tenant: pm.tenant, role: 'readonly', kind: 'human', name: 'dora', team: 'design' });
    const seen = (await stack.ok<{ opportunities: OpportunityItem[] }>(member, 'opportunity.record.list', { limit: 100 })).opportunities;
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map(({ title }) => title)).not.toContain('Login fails');
    const { opportunity_id } = await login();
    expect((await stack.call(member, 'opportunity.record.get', { opportunity_id })).error).toMatchObject({ code: 'NOT_FOUND' });
  });
});
