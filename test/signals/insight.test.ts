import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asScoped, asTenant, type RowScope } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import { dimensions } from '../../services/signals/insight/heatmap.ts';
import type { Matrix } from '../../services/signals/insight/matrix.ts';
import { biggest, metrics, type Metric } from '../../services/signals/insight/ranking.ts';
import { entityIdOf, writeSignals, type TestSignal } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const day = 86_400_000;
const today = new Date().toISOString().slice(0, 10);
/** A moment of the day so many days ago. */
const ago = (days: number, hour = 6): string => new Date(Date.parse(`${today}T00:00:00Z`) - days * day + hour * 3_600_000).toISOString();
const dayAgo = (days: number): string => ago(days).slice(0, 10);

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Evidence of 200 days, low numbers told of most. */
function evidence(): TestSignal[] {
  const roll = dice(17);
  const some = (type: string, of: number, most: number): string[] => [
    ...new Set(Array.from({ length: roll(most + 1) }, () => `${type} ${Math.floor(of * (roll(1000) / 1000) ** 2)}`)),
  ];
  return Array.from({ length: 240 }, (_, i) => ({
    statement: `Statement number ${i}, so nobody says it twice.`,
    class: signalClasses[roll(signalClasses.length)]!,
    at: ago(roll(200), roll(24) % 20),
    sentiment: (roll(201) - 100) / 100,
    severity: severities[roll(5)]!,
    source: roll(2) ? ('slack' as const) : ('jira' as const),
    about: { customer: some('customer', 9, 2), feature: some('feature', 6, 2), issue: some('issue', 7, 2), theme: some('theme', 4, 2) },
  }));
}

const all: RowScope = { areas: [], types: [], minAgeHours: 0 };
const weight = (signal: TestSignal): number => severities.indexOf(signal.severity ?? 'none');
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

describe('insight', () => {
  let stack: TestStack;
  let pam: Caller;
  const tenant = 'acme';
  const signals = evidence();
  const named = (type: string): string[] => [...new Set(signals.flatMap((each) => each.about![type]!))].toSorted();

  beforeAll(async () => {
    stack = await testStack({ model: false, workers: false });
    pam = await stack.caller({ role: 'admin', kind: 'human', name: 'pam' });
    await writeSignals(stack.db, tenant, signals);
  });
  afterAll(() => stack?.stop());

  /** What a heatmap must show, counted one by one. */
  function counted(
    row: string,
    column: string | undefined,
    metric: Metric,
    since: string | undefined,
    until = '9999-12-31',
  ): Map<string, number> {
    const cells = new Map<string, number>();
    for (const r of named(row)) {
      for (const c of column === undefined ? [''] : named(column)) {
        const of = signals.filter(
          (each) =>
            each.about![row]!.includes(r) &&
            (c === '' || each.about![column!]!.includes(c)) &&
            (!since || each.at.slice(0, 10) >= since) &&
            each.at.slice(0, 10) <= until,
        );
        const value =
          metric === 'signal_count'
            ? of.length
            : metric === 'severity_weighted'
              ? sum(of.map(weight))
              : new Set(of.flatMap((each) => each.about!['customer']!)).size;
        if (value > 0) cells.set(`${r}/${c}`, value);
      }
    }
    return cells;
  }

  const axes = {
    issues_by_feature: ['issue', 'feature'],
    issues_by_customer: ['issue', 'customer'],
    features_by_customer: ['feature', 'customer'],
    themes_by_signal_volume: ['theme', undefined],
  } as const;

  it.each(dimensions)(
    'crosses the rows and columns of %s, every cell counted, and the signals of a cell are found by its ids',
    async (dimension) => {
      const [row, column = 'customer'] = axes[dimension];
      for (const metric of metrics) {
        for (const [since, until] of [[undefined], [dayAgo(100)], [dayAgo(120), dayAgo(20)]] as const) {
          for (const scope of [null, all]) {
            const found = await asScoped(tenant, scope, () =>
              stack.services.insight.matrix(tenant, { dimension, metric, rows: 4, columns: 3, dateFrom: since, asOf: until }),
            );
            const cells = counted(row, column, found.cell_metric, since, until);
            expect(found.cell_metric).toBe(metric === 'customer_count' && column === 'customer' ? 'signal_count' : metric);
            expect(found.rows.map(({ name, total }) => [`${name}/`, total])).toEqual(
              found.rows.map(({ name }) => [`${name}/`, counted(row, undefined, metric, since, until).get(`${name}/`)]),
            );
            expect(found.rows.map((each) => each.cells)).toEqual(
              found.rows.map(({ name }) => found.columns.map((each) => cells.get(`${name}/${each.name}`) ?? 0)),
            );
            expect(found.columns.length).toBeLessThanOrEqual(3);
            expect(found.total_columns).toBeGreaterThanOrEqual(found.columns.length);
          }
        }
      }
      const data = await stack.ok<Matrix>(pam, 'insight.matrix.get', {
        dimension,
        metric: 'signal_count',
        date_from: dayAgo(100),
        as_of: dayAgo(5),
      });
      const [top] = data.rows;
      const { total } = await stack.ok<{ total: number }>(pam, 'signal.facet.list', {
        entity_ids: [top!.entity_id, data.columns[0]!.entity_id],
        date_from: dayAgo(100),
        as_of: dayAgo(5),
      });
      expect(total).toBe(top!.cells[0]);
    },
  );

  it.each(dimensions)(
    'ranks %s by every metric, over all time and since a day, for all and for a team that may see all',
    async (dimension) => {
      const [row, column] = axes[dimension];
      for (const metric of metrics) {
        const byRow = metric === 'customer_count' && column === 'customer';
        for (const since of [undefined, dayAgo(100), dayAgo(3)]) {
          const wanted = { dimension, metric, limit: 100, dateFrom: since };
          const expected = counted(row, byRow ? undefined : column, metric, since);
          for (const scope of [null, all]) {
            const found = await asScoped(tenant, scope, () => stack.services.insight.heatmap(tenant, wanted));
            const what = `${dimension} by ${metric} since ${since} ${scope ? 'for a team' : ''}`;
            expect(new Map(found.top_items.map((item) => [`${item.row}/${item.column ?? ''}`, item.value])), what).toEqual(expected);
            const values = found.top_items.map(({ value }) => value);
            expect(values, what).toEqual(values.toSorted((a, b) => b - a));
            expect(found.total_items, what).toBe(expected.size);
            expect(found.has_more, what).toBe(false);
          }
        }
      }
    },
  );

  it('knows as of a day nothing that was said later', async () => {
    const asOf = dayAgo(60);
    const insight = stack.services.insight;
    for (const dimension of dimensions) {
      const [row, column] = axes[dimension];
      for (const metric of metrics) {
        const byRow = metric === 'customer_count' && column === 'customer';
        for (const since of [undefined, dayAgo(120)]) {
          const found = await asTenant(tenant, () => insight.heatmap(tenant, { dimension, metric, limit: 100, dateFrom: since, asOf }));
          const expected = counted(row, byRow ? undefined : column, metric, since, asOf);
          expect(
            new Map(found.top_items.map((item) => [`${item.row}/${item.column ?? ''}`, item.value])),
            `${dimension} by ${metric}`,
          ).toEqual(expected);
        }
      }
    }
    const within = (from: number, to: number, name: string): number =>
      signals.filter(({ at, about }) => at.slice(0, 10) > dayAgo(from) && at.slice(0, 10) <= dayAgo(to) && about!['issue']!.includes(name))
        .length;
    const { trends } = await asTenant(tenant, () => insight.trends(tenant, { type: 'issue', windowDays: 28, limit: 100, asOf }));
    for (const { name, current_count, previous_count } of trends)
      expect([current_count, previous_count], name).toEqual([within(88, 60, name), within(116, 88, name)]);
    expect(trends.length).toBeGreaterThan(3);
    const [name] = named('customer');
    const profile = await asTenant(tenant, () => insight.customer(tenant, name!, asOf));
    const told = signals.filter(({ at, about }) => at.slice(0, 10) <= asOf && about!['customer']!.includes(name!));
    expect(profile.totals.signals).toBe(told.length);
    expect(profile.signal_history.every(({ occurred_at }) => occurred_at.slice(0, 10) <= asOf)).toBe(true);
    expect(profile.missing.join()).toContain(`As of ${asOf}`);
    for (const bad of ['2100-01-01', '0000-01-01'])
      await expect(asTenant(tenant, () => insight.customer(tenant, name!, bad))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const empty = { dimension: 'issues_by_feature' as const, metric: 'signal_count' as const, limit: 5, dateFrom: dayAgo(3), asOf };
    await expect(asTenant(tenant, () => insight.heatmap(tenant, empty))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('finds the biggest since a day also from the biggest of all time down', async () => {
    let compared = 0;
    for (const metric of metrics) {
      for (const kind of ['issue/feature', 'issue', 'theme', 'issue/customer']) {
        if (kind === 'issue/customer' && metric === 'customer_count') continue;
        for (const since of [dayAgo(120), dayAgo(40), dayAgo(0)]) {
          const ask = (few?: number) =>
            asTenant(tenant, () => biggest(stack.db.query, tenant, { kind, metric, since, limit: 5 }, ...(few === undefined ? [] : [few])));
          const [added, sought] = [await ask(), await ask(-1)];
          expect(sought.cells.map(({ value }) => value)).toEqual(added.cells.map(({ value }) => value));
          if (since < dayAgo(0)) expect(added.cells).toHaveLength(Math.min(5, added.total));
          compared += added.cells.length;
        }
      }
    }
    expect(compared).toBeGreaterThan(80);
  });

  it('discloses a heatmap step by step', async () => {
    const answer = await stack.call(pam, 'get_heatmap', { dimension: 'issues_by_feature', limit: 3 });
    const data = answer.data as Record<string, any>;
    const expected = counted('issue', 'feature', 'customer_count', undefined);
    expect(data['top_items'].map((each: { value: number }) => each.value)).toEqual(
      [...expected.values()].toSorted((a, b) => b - a).slice(0, 3),
    );
    expect(data).toMatchObject({
      total_items: expected.size,
      has_more: true,
      drill_down_hint: expect.stringContaining('get_issue_impact'),
    });
    expect(data['summary']).toContain(
      `${named('issue').length} issues, ${named('feature').length} features, ${named('customer').length} customers`,
    );
    const { top_items } = await stack.ok<{ top_items: { row: string; value: number; customers: { name: string; signals: number }[] }[] }>(
      pam,
      'get_heatmap',
      { dimension: 'issues_by_customer', limit: 2 },
    );
    const first = top_items[0]!;
    for (const { name, signals: n } of first.customers) {
      expect(n).toBe(signals.filter((each) => each.about!['issue']!.includes(first.row) && each.about!['customer']!.includes(name)).length);
    }
    expect(first.customers.length).toBe(Math.min(5, first.value));
  });

  it('refuses a date to come, and tells what lacks when nothing was said', async () => {
    const refused = await stack.call(pam, 'get_heatmap', { dimension: 'issues_by_feature', date_from: '2999-01-01' });
    expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR', hint: expect.stringContaining(today) });
    expect((await stack.call(pam, 'get_heatmap', { dimension: 'issues_by_feature', date_from: 'soon' })).error?.code).toBe(
      'VALIDATION_ERROR',
    );
    const stranger = await stack.caller({ tenant: 'nobody', role: 'admin' });
    for (const [tool, args] of [
      ['get_heatmap', { dimension: 'issues_by_feature' }],
      ['get_trends', { entity_type: 'issue' }],
      ['get_strategic_insights', {}],
      ['get_strategic_insights', { focus_area: 'security' }],
    ] as const) {
      const { error, envelope } = await stack.call(stranger, tool, args);
      expect(error ?? null, tool).toBeNull();
      expect(JSON.stringify(envelope.warnings), tool).toContain('Not enough evidence');
    }
  });

  it.each(['customer', 'feature', 'issue', 'theme'])('tells how each %s moves, with its series', async (type) => {
    for (const window of [7, 28, 75]) {
      const within = (name: string, from: number, to: number): number =>
        signals.filter(
          (each) => each.about![type]!.includes(name) && each.at.slice(0, 10) > dayAgo(from) && each.at.slice(0, 10) <= dayAgo(to),
        ).length;
      for (const scope of [null, all]) {
        const { trends, total, series_days } = await asScoped(tenant, scope, () =>
          stack.services.insight.trends(tenant, { type, windowDays: window, limit: 100 }),
        );
        const moving = named(type).filter((name) => within(name, 2 * window, 0) > 0);
        expect(trends.map(({ name }) => name).toSorted()).toEqual(moving);
        expect(total).toBe(moving.length);
        for (const trend of trends) {
          const [current, previous] = [within(trend.name, window, 0), within(trend.name, 2 * window, window)];
          expect(trend).toMatchObject({ current_count: current, previous_count: previous });
          const change = previous === 0 ? null : (current - previous) / previous;
          expect(trend.direction).toBe(change === null ? 'emerging' : change >= 0.2 ? 'growing' : change <= -0.2 ? 'declining' : 'stable');
          expect(trend.series).toHaveLength(Math.ceil(window / series_days));
          expect(sum(trend.series)).toBe(current);
          expect(trend.series.at(-1)).toBe(within(trend.name, series_days, 0));
          expect(trend.previous_series).toHaveLength(trend.series.length);
          expect(sum(trend.previous_series)).toBe(previous);
        }
        for (const direction of ['emerging', 'growing', 'declining', 'stable'] as const) {
          const some = await asScoped(tenant, scope, () =>
            stack.services.insight.trends(tenant, { type, direction, windowDays: window, limit: 100 }),
          );
          expect(some.trends.map(({ entity_id }) => entity_id)).toEqual(
            trends.filter((each) => each.direction === direction).map(({ entity_id }) => entity_id),
          );
        }
      }
    }
  });

  it('draws a customer, a feature and an issue from signals and facts', async () => {
    const relate = (source: string, kind: string, target: string) =>
      asTenant(tenant, () =>
        stack.db.query(
          'insert into entity_relations (tenant_id, source_id, target_id, kind, passages, documents) values ($1, $2, $3, $4, 1, 1)',
          [tenant, source, target, kind],
        ),
      );
    const id = (type: string, name: string): string => entityIdOf(tenant, type, name);
    await writeSignals(stack.db, tenant, [
      { statement: 'Uma asks for exports.', class: 'request', at: ago(2), about: { customer: ['Uma'], feature: ['Exports'] } },
      { statement: 'Vic likes exports.', class: 'praise', sentiment: 0.8, at: ago(1), about: { customer: ['Vic'], feature: ['Exports'] } },
      {
        statement: 'Exports are slow for Vic.',
        class: 'bug',
        severity: 'high',
        sentiment: -0.5,
        at: ago(40),
        about: { customer: ['Vic'], feature: ['Exports'], issue: ['Slow exports'] },
      },
      {
        statement: 'Once exports were broken.',
        class: 'bug',
        severity: 'low',
        at: ago(3),
        about: { feature: ['Exports'], issue: ['Old break'] },
      },
      { statement: 'Wes says reports are fine.', class: 'praise', at: ago(3), about: { customer: ['Wes'], feature: ['Reports'] } },
    ]);
    await asTenant(tenant, () =>
      stack.db.query(`update entities set state = 'Fixed' where tenant_id = $1 and id = $2`, [tenant, id('issue', 'Old break')]),
    );
    await relate(id('customer', 'Wes'), 'uses', id('feature', 'Exports'));
    await relate(id('feature', 'Exports'), 'depends_on', id('feature', 'feature 0'));
    await relate(id('feature', 'Reports'), 'depends_on', id('feature', 'Exports'));
    await relate(id('feature', 'Reports'), 'blocks', id('issue', 'issue 0'));
    await relate(id('issue', 'Old break'), 'mentioned_with', id('issue', 'Slow exports'));

    const vic = await stack.ok(pam, 'get_customer_profile', { customer_name: 'vic' });
    expect(vic).toMatchObject({
      customer: { name: 'Vic' },
      features_used: [{ name: 'Exports', signals: 2, sentiment: 0.15, known_by: ['signals'] }],
      features_requested: [],
      issues_reported: [{ name: 'Slow exports', signals: 1, severity: 'high', last_said_on: dayAgo(40) }],
      totals: { signals: 2, sentiment: 0.15, last_said_on: dayAgo(1) },
      missing: [],
    });
    expect(vic['signal_history'].map((each: { snippet: string }) => each.snippet)).toEqual([
      'Vic likes exports.',
      'Exports are slow for Vic.',
    ]);
    expect(vic['signal_history'][0].ref).toMatch(/^doc_.+#0$/);
    expect(vic['sentiment_trend']).toEqual([
      { month: dayAgo(40).slice(0, 7), sentiment: -0.5, signals: 1 },
      { month: dayAgo(1).slice(0, 7), sentiment: 0.8, signals: 1 },
    ]);

    const health = await stack.ok(pam, 'get_feature_health', { feature_name: 'Exports' });
    expect(health).toMatchObject({
      adoption_count: 2,
      adopters: [
        { name: 'Vic', known_by: ['signals'] },
        { name: 'Wes', signals: 0, known_by: ['fact'] },
      ],
      open_issues: [{ name: 'Slow exports' }],
      customer_sentiment: { signals: 4, average: 0.08 },
      trend: { direction: 'growing', current_count: 3, previous_count: 1 },
    });
    expect(health['open_issues']).toHaveLength(1);
    expect(health['dependencies'].map((each: Record<string, string>) => `${each['direction']} ${each['name']}`).toSorted()).toEqual([
      'needed_by Reports',
      'needs feature 0',
    ]);

    const impact = await stack.ok(pam, 'get_issue_impact', { issue_name: 'slow exports' });
    expect(impact).toMatchObject({
      affected_customer_count: 1,
      affected_customers: [{ name: 'Vic' }],
      severity: 'high',
      frequency: { signals: 1, per_week: 0, last_28_days: 0, previous_28_days: 1 },
      trend_direction: 'declining',
      affected_features: [{ name: 'Exports' }],
      related_issues: [{ name: 'Old break', state: 'Fixed', relations: ['mentioned_with'] }],
    });

    const wrong = await stack.call(pam, 'get_issue_impact', { issue_name: 'Exports' });
    expect(wrong.error).toMatchObject({ code: 'NOT_FOUND' });
    expect(JSON.stringify(wrong.error?.alternatives)).toContain('Exports');

    const build = await stack.ok(pam, 'what_if_analysis', { action: 'build_feature', entity_name: 'Exports' });
    expect(build).toMatchObject({ affected_customers: [{ name: 'Uma' }], related_issues: [{ name: 'Slow exports', shown_by: 1 }] });
    expect(build['missing']).toEqual([expect.stringContaining('may exist already')]);
    const drop = await stack.ok(pam, 'what_if_analysis', { action: 'deprecate_feature', entity_name: 'Exports' });
    expect(drop['affected_customers'].map((each: { name: string }) => each.name)).toEqual(['Vic', 'Wes']);
    expect(drop['downstream_dependencies']).toEqual([
      expect.objectContaining({ name: 'Reports', hops: 1, path: ['Exports', 'Reports'], relations: ['depends_on'] }),
      expect.objectContaining({ name: 'issue 0', hops: 2, path: ['Exports', 'Reports', 'issue 0'], relations: ['depends_on', 'blocks'] }),
    ]);
    const fix = await stack.ok(pam, 'what_if_analysis', { action: 'fix_issue', entity_name: 'Slow exports' });
    expect(fix).toMatchObject({ affected_customer_count: 1, related_issues: [{ name: 'Old break' }] });
    expect(fix['downstream_dependencies'].map((each: { name: string }) => each.name)).toEqual(['Exports', 'Reports', 'issue 0']);
  });

  it('counts for a team what it may see alone', async () => {
    const other = 'teams';
    await writeSignals(stack.db, other, [
      { statement: 'Maps fail for Ann.', class: 'bug', at: ago(1), area: 'Mobile', about: { issue: ['Maps fail'], customer: ['Ann'] } },
      { statement: 'Bills fail for Bob.', class: 'bug', at: ago(1), area: 'Billing', about: { issue: ['Bills fail'], customer: ['Bob'] } },
      { statement: 'Maps fail again.', class: 'bug', at: ago(1), area: 'Mobile', about: { issue: ['Maps fail'] } },
    ]);
    const see = (scope: RowScope | null) =>
      asScoped(other, scope, async () => {
        const { insight } = stack.services;
        const { top_items } = await insight.heatmap(other, { dimension: 'issues_by_customer', metric: 'customer_count', limit: 10 });
        const { trends } = await insight.trends(other, { type: 'issue', windowDays: 28, limit: 10 });
        return {
          rows: top_items.map(({ row, customers }) => [row, customers!.map(({ name }) => name)]),
          trends: trends.map(({ name, current_count }) => [name, current_count]),
        };
      });
    expect((await see(null)).trends).toEqual([
      ['Maps fail', 2],
      ['Bills fail', 1],
    ]);
    expect(await see({ ...all, areas: ['mobile'] })).toEqual({ rows: [['Maps fail', ['Ann']]], trends: [['Maps fail', 2]] });
    // Without customers nobody is hit.
    expect(await see({ ...all, types: ['issue'] })).toMatchObject({ rows: [] });
    // Everything was written just now.
    expect(await see({ ...all, minAgeHours: 24 })).toEqual({ rows: [], trends: [] });
    const hidden = asScoped(other, { ...all, areas: ['mobile'] }, () => stack.services.insight.issue(other, 'Bills fail'));
    await expect(hidden).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const own = await asScoped(other, { ...all, areas: ['mobile'] }, () => stack.services.insight.issue(other, 'Maps fail'));
    expect(own).toMatchObject({ affected_customer_count: 1, totals: { signals: 2 }, frequency: { last_28_days: 2 } });
  });
});
