import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asScoped, asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { severities, signalClasses } from '../../contracts/signals/signals.ts';
import { countSignals, recount } from '../../services/signals/insight/counting.ts';
import { entityIdOf, writeSignals, type TestSignal } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

/** Always the same numbers. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function randomSignals(roll: (sides: number) => number, n: number): TestSignal[] {
  const names = (type: string, most: number, of: number): string[] => [
    ...new Set(Array.from({ length: roll(most + 1) }, () => `${type} ${roll(of)}`)),
  ];
  return Array.from({ length: n }, (_, i) => ({
    statement: `Statement ${i} of ${roll(1_000_000)}`,
    class: signalClasses[roll(signalClasses.length)]!,
    at: new Date(Date.UTC(2026, roll(4), 1 + roll(28), roll(24))).toISOString(),
    sentiment: (roll(2001) - 1000) / 1000,
    severity: severities[roll(5)]!,
    about: { customer: names('customer', 2, 5), feature: names('feature', 2, 4), issue: names('issue', 2, 4), theme: names('theme', 1, 3) },
  }));
}

describe('counts of signals', () => {
  let stack: TestStack;
  let tenants = 0;
  const fresh = (): string => `counts-${(tenants += 1)}`;
  const inTenant = <T>(tenant: string, work: (query: Database['query']) => Promise<T>): Promise<T> =>
    asTenant(tenant, () => stack.db.transaction(work));
  const read = (tenant: string) =>
    asTenant(tenant, async () => ({
      counts: await stack.db.query('select * from insight_counts where tenant_id = $1 order by kind, row_id, column_id, grain, day', [
        tenant,
      ]),
      triples: await stack.db.query('select * from insight_triples where tenant_id = $1 order by row_id, column_id, customer_id', [tenant]),
    }));
  const recounted = async (tenant: string) => {
    await inTenant(tenant, (query) => recount(query, tenant));
    return await read(tenant);
  };
  const remove = (tenant: string, ids: string[]) =>
    inTenant(tenant, async (query) => {
      await countSignals(query, tenant, ids, -1);
      await query('delete from signals where tenant_id = $1 and id = any($2)', [tenant, ids]);
    });
  const merge = (tenant: string, from: string, into: string) =>
    inTenant(tenant, async (query) => {
      const rows = await query<{ signal_id: string }>('select signal_id from signal_entities where tenant_id = $1 and entity_id = $2', [
        tenant,
        from,
      ]);
      const ids = rows.map(({ signal_id }) => signal_id);
      await countSignals(query, tenant, ids, -1);
      await query(
        `insert into signal_entities select tenant_id, signal_id, $3, type, occurred_at from signal_entities where tenant_id = $1 and entity_id = $2 and signal_id = any($4)
         on conflict do nothing`,
        [tenant, from, into, ids],
      );
      await query('delete from signal_entities where tenant_id = $1 and entity_id = $2 and signal_id = any($3)', [tenant, from, ids]);
      await countSignals(query, tenant, ids, 1);
    });

  beforeAll(async () => {
    stack = await testStack({ model: false, workers: false });
  });
  afterAll(() => stack?.stop());

  it('are what a count by hand gives', async () => {
    const tenant = fresh();
    const roll = dice(3);
    const signals = randomSignals(roll, 60);
    await writeSignals(stack.db, tenant, signals);
    const { counts, triples } = await read(tenant);
    const find = (kind: string, row: string, column: string, grain: string, day: string) =>
      counts.find(
        (each) =>
          each['kind'] === kind &&
          each['row_id'] === row &&
          each['column_id'] === column &&
          each['grain'] === grain &&
          dayOf(each['day']) === day,
      );
    for (let issue = 0; issue < 4; issue += 1) {
      const about = signals.filter((each) => each.about!['issue']!.includes(`issue ${issue}`));
      const row = entityIdOf(tenant, 'issue', `issue ${issue}`);
      expect(find('issue', row, '', 'a', '0001-01-01')).toMatchObject({
        signals: about.length,
        severity: String(sum(about.map((each) => severities.indexOf(each.severity!)))),
        sentiment: String(sum(about.map((each) => Math.round(each.sentiment! * 1000)))),
        bug: about.filter((each) => each.class === 'bug').length,
        customers: new Set(about.flatMap((each) => each.about!['customer']!)).size,
      });
      const march = about.filter((each) => each.at.startsWith('2026-03'));
      expect(find('issue', row, '', 'm', '2026-03-01')?.['signals'] ?? 0).toBe(march.length);
      for (let feature = 0; feature < 4; feature += 1) {
        const both = about.filter((each) => each.about!['feature']!.includes(`feature ${feature}`));
        const column = entityIdOf(tenant, 'feature', `feature ${feature}`);
        const cell = find('issue/feature', row, column, 'a', '0001-01-01');
        expect(cell?.['signals'] ?? 0).toBe(both.length);
        expect(cell?.['customers'] ?? 0).toBe(new Set(both.flatMap((each) => each.about!['customer']!)).size);
        if (cell)
          expect(dayOf(cell['last_day'])).toBe(
            both
              .map(({ at }) => at.slice(0, 10))
              .toSorted()
              .at(-1),
          );
      }
    }
    expect(find('*', '', '', 'a', '0001-01-01')?.['signals']).toBe(60);
    expect(triples.length).toBeGreaterThan(10);
    expect(await recounted(tenant)).toEqual({ counts, triples });
  });

  it('stay exact over adds, removals and merges, and nothing is left of what is gone', async () => {
    const tenant = fresh();
    const roll = dice(11);
    let left: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      left.push(...(await writeSignals(stack.db, tenant, randomSignals(roll, 25))));
      const out = left.filter(() => roll(3) === 0);
      await remove(tenant, out);
      left = left.filter((id) => !out.includes(id));
      if (round % 2)
        await merge(tenant, entityIdOf(tenant, 'issue', `issue ${roll(4)}`), entityIdOf(tenant, 'issue', `issue ${roll(4)}`) + 'x');
      const kept = await read(tenant);
      expect(kept.counts.length).toBeGreaterThan(50);
      expect(kept, `round ${round}`).toEqual(await recounted(tenant));
    }
    await remove(tenant, left);
    expect(await read(tenant)).toEqual({ counts: [], triples: [] });
  });

  it('lose nothing to writers at the same time, who never wait for each other in a circle', async () => {
    const tenant = fresh();
    const first = await writeSignals(stack.db, tenant, randomSignals(dice(1), 40));
    const writers = Array.from({ length: 6 }, async (_, i) => {
      const ids = await writeSignals(stack.db, tenant, randomSignals(dice(100 + i), 15));
      await remove(tenant, [...ids.slice(0, 5), ...first.slice(i * 5, i * 5 + 5)]);
      await merge(tenant, entityIdOf(tenant, 'customer', `customer ${i % 5}`), entityIdOf(tenant, 'customer', 'customer 4') + 'm');
    });
    await Promise.all(writers);
    const kept = await read(tenant);
    expect(kept.counts.find((each) => each['kind'] === '*' && each['grain'] === 'a')?.['signals']).toBe(40 + 6 * 15 - 6 * 10);
    expect(kept).toEqual(await recounted(tenant));
  });

  it('are set right by a recount, and only what was wrong is written', async () => {
    const tenant = fresh();
    await writeSignals(stack.db, tenant, randomSignals(dice(21), 80));
    const right = await read(tenant);
    const rebuild = async () => stack.ok(await stack.caller({ tenant, kind: 'human' }), 'insight.count.rebuild');
    const whole = { signals: 80, counts: right.counts.length };
    expect(await rebuild()).toEqual({ ...whole, corrected: 0 });
    const damage: string[] = [
      `update insight_counts set signals = signals + 7 where tenant_id = $1 and kind = 'issue' and grain = 'm'`,
      `update insight_counts set customers = 0, last_day = null where tenant_id = $1 and kind = 'issue/feature' and grain = 'a'`,
      `delete from insight_counts where tenant_id = $1 and kind = '*'`,
      `update insight_counts set row_id = row_id || 'x' where tenant_id = $1 and kind = 'theme'`,
      `update insight_triples set customer_id = 'ent_nobody' where tenant_id = $1 and ctid = (select min(ctid) from insight_triples where tenant_id = $1)`,
    ];
    const touched = await inTenant(tenant, async (query) => {
      let rows = 0;
      for (const each of damage) rows += (await query(`${each} returning 1`, [tenant])).length;
      return rows;
    });
    const { corrected } = await rebuild();
    // What was renamed is both missing and too many.
    const renamed = right.counts.filter((each) => each['kind'] === 'theme').length + 1;
    expect(corrected).toBe(touched + renamed);
    expect(await read(tenant)).toEqual(right);
    expect(await rebuild()).toEqual({ ...whole, corrected: 0 });
  });

  it('are right after a recount in the midst of writers', async () => {
    const tenant = fresh();
    const first = await writeSignals(stack.db, tenant, randomSignals(dice(31), 40));
    await inTenant(tenant, (query) =>
      query('update insight_counts set signals = signals * 2, bug = bug + 1 where tenant_id = $1', [tenant]),
    );
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, i) => {
      for (let round = 0; round < 4; round += 1) {
        const ids = await writeSignals(stack.db, tenant, randomSignals(dice(500 + 10 * i + round), 8));
        await remove(tenant, [...ids.slice(0, 2), first[4 * i + round]!]);
        await merge(tenant, entityIdOf(tenant, 'issue', `issue ${i}`), entityIdOf(tenant, 'issue', `issue ${(i + 1) % 4}`));
      }
    });
    let recounts = 0;
    const counter = async () => {
      while (writing) {
        await asTenant(tenant, () => stack.services.insight.recount(tenant));
        recounts += 1;
      }
    };
    await Promise.all([Promise.all(writers).finally(() => (writing = false)), counter()]);
    expect(recounts).toBeGreaterThan(1);
    const kept = await read(tenant);
    expect(kept.counts.find((each) => each['kind'] === '*' && each['grain'] === 'a')?.['signals']).toBe(40 + 16 * 8 - 16 * 3);
    expect(await inTenant(tenant, (query) => recount(query, tenant))).toMatchObject({ corrected: 0 });
    expect(await read(tenant)).toEqual(kept);
  });

  it('are hidden from teams and from other tenants', async () => {
    const tenant = fresh();
    await writeSignals(stack.db, tenant, randomSignals(dice(7), 5));
    const seen = (as: string, scope: Parameters<typeof asScoped>[1]) =>
      asScoped(as, scope, () => stack.db.query('select from insight_counts'));
    expect((await seen(tenant, null)).length).toBeGreaterThan(0);
    expect(await seen(tenant, { areas: [], types: [], minAgeHours: 0 })).toEqual([]);
    expect(await seen('stranger', null)).toEqual([]);
  });
});

const sum = (values: number[]): number => values.reduce((total, each) => total + each, 0);
/** Dates come in local time. */
const dayOf = (value: unknown): string =>
  new Date((value as Date).getTime() - (value as Date).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
