/** Signals by facet, folded, as of a day. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import type { SignalFacets } from '../../services/signals/facets.ts';
import type { FoundSignal } from '../../services/signals/search.ts';
import { entityIdOf, writeSignals, type TestSignal } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const at = (day: number): string => new Date(Date.UTC(2026, 2, day, 12)).toISOString();
const signals: TestSignal[] = Array.from({ length: 60 }, (_, i) => ({
  statement: `Statement ${i} about the export.`,
  class: signalClasses[i % 3]!,
  severity: severities[i % 5]!,
  source: i % 2 ? ('slack' as const) : ('jira' as const),
  area: i % 4 === 0 ? 'Billing' : 'Export',
  at: at(1 + (i % 28)),
  about: { customer: [`Customer ${i % 6}`], issue: i % 5 === 0 ? ['Login fails', 'Export breaks'] : ['Export breaks'] },
  // Twelve say the same.
  ...(i % 5 === 1 ? { group: 'g1' } : {}),
}));

interface Page {
  data: { signals: FoundSignal[] };
  metadata?: { next_cursor?: string };
}

describe('facets of signals', () => {
  let stack: TestStack;
  let pam: Caller;
  let ids: string[];
  beforeAll(async () => {
    stack = await testStack({ model: false, workers: false });
    pam = await stack.caller({ name: 'pam', kind: 'human' });
    ids = await writeSignals(stack.db, 'acme', signals);
  });
  afterAll(() => stack?.stop());

  const facets = (args: object = {}) => stack.ok<SignalFacets>(pam, 'signal.facet.list', args);
  const tally = (of: TestSignal[], by: (signal: TestSignal) => string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const signal of of) for (const value of by(signal)) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const told = (values: { value: string; count: number }[]) => Object.fromEntries(values.map(({ value, count }) => [value, count]));

  it('count every value, each facet without its own filter', async () => {
    const whole = await facets();
    expect(whole).toMatchObject({ total: 60, groups: 49 });
    expect(told(whole.facets.class)).toEqual(tally(signals, (each) => [each.class]));
    expect(told(whole.facets.severity)).toEqual(tally(signals, (each) => [each.severity!]));
    expect(told(whole.facets.area)).toEqual(tally(signals, (each) => [each.area!]));
    expect(told(whole.facets.issue)).toEqual(tally(signals, (each) => each.about!['issue']!));
    expect(told(whole.facets.competitor)).toEqual({});

    const some = await facets({ class: ['bug'], customer: 'Customer 1', date_from: '2026-03-05' });
    const since = signals.filter((each) => each.at >= '2026-03-05');
    const bugs = since.filter((each) => each.class === 'bug');
    const of = (all: TestSignal[]) => all.filter((each) => each.about!['customer']!.includes('Customer 1'));
    expect(some.total).toBe(of(bugs).length);
    expect(told(some.facets.class)).toEqual(tally(of(since), (each) => [each.class]));
    expect(told(some.facets.customer)).toEqual(tally(bugs, (each) => each.about!['customer']!));
    expect(told(some.facets.source)).toEqual(tally(of(bugs), (each) => [each.source!]));
    expect(some.facets.customer[0]).toMatchObject({ entity_id: entityIdOf('acme', 'customer', some.facets.customer[0]!.value) });
  });

  it('agree with the list, page by page, folded or not, in every order', async () => {
    for (const args of [
      {},
      { fold: true },
      { fold: true, class: ['bug'] },
      { sort: 'severity' },
      { fold: true, sort: 'severity', area: 'export' },
    ]) {
      const { fold: _, sort: __, ...filters } = { fold: false, sort: 'newest', ...args };
      const { total, groups } = await facets(filters);
      const seen: FoundSignal[] = [];
      for (let cursor: string | undefined; ;) {
        const { envelope } = await stack.call(pam, 'signal.record.search', { ...args, limit: 7, cursor });
        const page = envelope as unknown as Page;
        seen.push(...page.data.signals);
        cursor = page.metadata?.next_cursor;
        if (cursor === undefined) break;
      }
      expect(new Set(seen.map(({ signal_id }) => signal_id)).size).toBe(seen.length);
      expect(seen.length).toBe('fold' in args ? groups : total);
      const keys = seen.map((each) => ('sort' in args ? severities.indexOf(each.severity) : Date.parse(each.occurred_at)));
      expect(keys).toEqual(keys.toSorted((a, b) => b - a));
    }
    const words = await stack.ok<{ signals: FoundSignal[] }>(pam, 'signal.record.search', { query: 'export', fold: true, limit: 100 });
    expect(words.signals.filter(({ group_id }) => group_id === 'g1')).toHaveLength(1);
  });

  it('know nothing said or settled after a day', async () => {
    const early = signals.filter((each) => each.at <= '2026-03-10T23:59:59');
    expect((await facets({ as_of: '2026-03-10' })).total).toBe(early.length);
    const [open, settler] = [ids[signals.findIndex((each) => each.at === at(1))]!, ids[signals.findIndex((each) => each.at === at(20))]!];
    await asTenant('acme', () =>
      stack.db.query(`update signals set settled_by = $2, settled_at = $3 where tenant_id = 'acme' and id = $1`, [open, settler, at(20)]),
    );
    const at10 = await facets({ unsettled: true, as_of: '2026-03-10' });
    expect(at10.total).toBe(early.length);
    expect((await facets({ unsettled: true })).total).toBe(59);
    const found = await stack.ok<{ signals: FoundSignal[] }>(pam, 'signal.record.search', {
      as_of: '2026-03-10',
      date_to: '2026-03-01',
      limit: 100,
    });
    expect(found.signals.find(({ signal_id }) => signal_id === open)).toMatchObject({ settled: null });
    const now = await stack.ok<{ signals: FoundSignal[] }>(pam, 'signal.record.search', { date_to: '2026-03-01', limit: 100 });
    expect(now.signals.find(({ signal_id }) => signal_id === open)).toMatchObject({ settled: { signal_id: settler } });
  });

  it('refuse what cannot be, and see one tenant only', async () => {
    const unknown = await stack.call(pam, 'signal.facet.list', { customer: 'Nobody Ltd' });
    expect(unknown.error).toMatchObject({ code: 'NOT_FOUND' });
    const backwards = await stack.call(pam, 'signal.facet.list', { date_from: '2026-03-09', date_to: '2026-03-01' });
    expect(backwards.error).toMatchObject({ code: 'VALIDATION_ERROR', hint: expect.stringContaining('Swap') });
    const other = await stack.caller({ tenant: 'other' });
    expect(await stack.ok(other, 'signal.facet.list', {})).toMatchObject({ total: 0, groups: 0, facets: { class: [], customer: [] } });
  });

  it('of a stakeholder team are those of its scope', async () => {
    const admin = await stack.caller({ role: 'admin', kind: 'human' });
    await asTenant('acme', () => stack.db.query(`update entities set area = null where tenant_id = 'acme'`));
    await stack.ok(admin, 'access.stakeholder.configure', { team: 'billing', product_areas: ['Billing'], data_freshness: 'realtime' });
    const team = await stack.caller({ role: 'stakeholder', team: 'billing' });
    const seen = await stack.ok<SignalFacets>(team, 'signal.facet.list', {});
    expect(told(seen.facets.area)).toEqual({ Billing: 15 });
    expect(seen.total).toBe(15);
  });
});
