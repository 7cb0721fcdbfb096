/** Features that statements are likely to be about, in links, counts and answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { relate } from '../../services/signals/relate.ts';
import { writeSignals } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pam: Caller;
let ids: string[];
const at = (day: number): string => new Date(Date.UTC(2026, 2, day, 12)).toISOString();
const statements = [
  { statement: 'Reminders do not arrive.', feature: 'Reminders', near: [1, 0] },
  { statement: 'Reminders came late again.', feature: 'Reminders', near: [1, 0] },
  { statement: 'Rooms are booked twice.', feature: 'Rooms', near: [0, 1] },
  { statement: 'Rooms show the wrong day.', feature: 'Rooms', near: [0, 1] },
  { statement: 'Nobody got a text on Friday.', feature: null, near: [0.7, 0.3] },
];

beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  pam = await stack.caller({ name: 'pam', kind: 'human' });
  ids = await writeSignals(
    stack.db,
    'acme',
    statements.map(({ statement, feature }, i) => ({
      statement,
      class: 'bug',
      at: at(1 + i),
      about: { customer: ['Alder'], ...(feature === null ? {} : { feature: [feature] }) },
    })),
  );
  await asTenant('acme', async () => {
    for (const [i, { feature, near }] of statements.entries()) {
      await lieAt(ids[i]!, near as [number, number]);
      await name(ids[i]!, 'customer', 'Alder');
      if (feature !== null) await name(ids[i]!, 'feature', feature);
    }
  });
});
afterAll(() => stack?.stop());

const name = (id: string, type: string, called: string) =>
  stack.db.query('insert into signal_names (tenant_id, signal_id, type, key, name) values ($1, $2, $3, lower($4), $4)', [
    'acme',
    id,
    type,
    called,
  ]);

/** Gives a signal the vector with these cosines to the statements about reminders and about rooms. */
async function lieAt(id: string, [reminders, rooms]: [number, number]): Promise<void> {
  const vector = [reminders, rooms, Math.sqrt(Math.max(0, 1 - reminders ** 2 - rooms ** 2)), ...Array<number>(381).fill(0)];
  await stack.db.query(`update signals set model = 'a-model', embedding = $3::halfvec where tenant_id = $1 and id = $2`, [
    'acme',
    id,
    JSON.stringify(vector),
  ]);
}
const relateAll = () => asTenant('acme', () => stack.db.transaction(async (query) => await relate(query, 'acme', ids)));
const features = async (): Promise<string[][]> => {
  const { signals } = await stack.ok<{ signals: { signal_id: string; features: string[] }[] }>(pam, 'signal.record.search', {
    customer: 'Alder',
  });
  return ids.map((id) => signals.find(({ signal_id }) => signal_id === id)!.features);
};
/** Signals of each feature: as the facets count them, and as the kept counts have them. */
const counts = async () => {
  const rows = await asTenant('acme', () =>
    stack.db.query<{ name: string; kind: string; signals: number }>(
      `select e.name, n.kind, sum(n.signals)::int as signals from insight_counts n join entities e on e.tenant_id = n.tenant_id and e.id = n.row_id
       where n.tenant_id = 'acme' and n.kind in ('feature', 'feature/customer') and n.grain = 'a' group by 1, 2`,
    ),
  );
  const { facets } = await stack.ok<{ facets: { feature: { value: string; count: number }[] } }>(pam, 'signal.facet.list', {});
  const told = Object.fromEntries(facets.feature.map(({ value, count }) => [value, count]));
  for (const kind of ['feature', 'feature/customer'])
    expect(Object.fromEntries(rows.filter((row) => row.kind === kind).map((row) => [row.name, row.signals]))).toEqual(told);
  return told;
};

describe('a statement that names no feature', () => {
  it('is linked to its likely one and counted once, however often it is related', async () => {
    expect(await counts()).toEqual({ Reminders: 2, Rooms: 2 });
    for (let time = 0; time < 3; time += 1) await relateAll();
    expect((await features())[4]).toEqual(['Reminders']);
    expect(await counts()).toEqual({ Reminders: 3, Rooms: 2 });
    const found = await stack.ok<{ signals: { signal_id: string }[] }>(pam, 'signal.record.search', {
      feature: 'Reminders',
    });
    expect(found.signals.map(({ signal_id }) => signal_id)).toContain(ids[4]);
  });

  it('follows what is said later, and loses it without a vector', async () => {
    await asTenant('acme', () => lieAt(ids[4]!, [0.3, 0.7]));
    await relateAll();
    expect((await features())[4]).toEqual(['Rooms']);
    expect(await counts()).toEqual({ Reminders: 2, Rooms: 3 });
    await asTenant('acme', () => stack.db.query('update signals set embedding = null where tenant_id = $1 and id = $2', ['acme', ids[4]]));
    await relateAll();
    expect((await features())[4]).toEqual([]);
    expect(await counts()).toEqual({ Reminders: 2, Rooms: 2 });
  });

  it('of several customers keeps none: what is likely for one need not be for the other', async () => {
    await asTenant('acme', () => lieAt(ids[4]!, [0.7, 0.3]));
    await relateAll();
    expect((await features())[4]).toEqual(['Reminders']);
    await asTenant('acme', () => name(ids[4]!, 'customer', 'Birch'));
    await relateAll();
    expect((await features())[4]).toEqual([]);
    expect(await counts()).toEqual({ Reminders: 2, Rooms: 2 });
  });
});
