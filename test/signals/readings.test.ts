/** What was understood of a document, for whoever handed it in; corrected in one step, and learnt from. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { takeIn, upToDate } from '../setup/evidence.ts';

vi.setConfig({ testTimeout: 120_000 });

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false });
});
afterAll(() => stack?.stop());

let tenants = 0;
const alone = (): Promise<Caller> => stack.caller({ tenant: `readings${(tenants += 1)}`, name: 'pm', role: 'pm', kind: 'human' });

const call = (day: string) => `Call of ${day}

Ida Moe: The crew list is empty after every update, and we need it every morning.
Jon Lake: Thank you, I will look into it.
Ida Moe: We also miss a dark mode.
Jon Lake: Noted.
`;

interface Reading {
  customers: Record<string, number>;
  participants: { name: string; side: string; customer: string | null }[];
  said_at: string;
  said_by: string;
  statements: number;
  left: { why: string; count: number }[];
  corrected: Record<string, unknown>;
  says: string;
  pending: boolean;
}
const reading = (me: Caller, id: string) => stack.ok<Reading & Record<string, unknown>>(me, 'signal.reading.get', { id });
/** The reading, once it is as expected. */
const read = (me: Caller, id: string, what: string, as: (it: Reading) => boolean): Promise<Reading> =>
  eventually(what, async () => {
    const found = await reading(me, id);
    return !found.pending && as(found) ? found : null;
  });
/** Customers of the statements, as the search finds them. */
const found = async (me: Caller, customer: string): Promise<number> => {
  const answer = await stack.call(me, 'signal.record.search', { customer });
  if (answer.error?.code === 'NOT_FOUND') return 0;
  return (answer.data as { signals: unknown[] }).signals.length;
};

describe('a reading', () => {
  it('tells who spoke, when, what was found and what was left out, by source and by document', async () => {
    const me = await alone();
    const { source_id, document_id, result } = await takeIn(stack, me, 'Weekly call', call('4 May 2026'), {
      customer: 'Brandvoll Ferries',
    });
    const told = await reading(me, source_id);
    expect(told).toMatchObject({
      document_id,
      kind: 'call',
      said_by: 'text',
      customers: { 'Brandvoll Ferries': told.statements },
      unassigned: 0,
      corrected: {},
    });
    expect(told.said_at.slice(0, 10)).toBe('2026-05-04');
    expect(told.participants.map(({ name }) => name).sort()).toEqual(['Ida Moe', 'Jon Lake']);
    expect(await reading(me, document_id)).toEqual(told);
    // The job says the same in figures.
    expect(result).toMatchObject({ statement_count: told.statements });
    expect(result['left_out']).toEqual(Object.fromEntries(told.left.map(({ why, count }) => [why, count])));
  });

  it('says why there is no statement', async () => {
    const me = await alone();
    const { source_id, result } = await takeIn(
      stack,
      me,
      'Capital',
      'Paris is the capital of France. It lies on the Seine, and ships have moored there since the Romans came.',
    );
    const told = await reading(me, source_id);
    expect(told.statements).toBe(0);
    expect(told.says).toMatch(/no statement of a customer\. Left out: \d+ small talk/);
    expect(result).toMatchObject({ statement_count: 0, left_out: { small_talk: expect.any(Number) as unknown } });
  });

  it('is the tenant’s own', async () => {
    const me = await alone();
    const { source_id } = await takeIn(stack, me, 'Weekly call', call('4 May 2026'), { customer: 'Brandvoll Ferries' });
    const eve = await alone();
    for (const [tool, args] of [
      ['signal.reading.get', {}],
      ['signal.reading.correct', { customer: 'Eve Ltd' }],
    ] as const) {
      expect((await stack.call(eve, tool, { id: source_id, ...args })).error).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await reading(me, source_id)).corrected).toEqual({});
  });
});

describe('a correction', () => {
  it('of the customer and the date stays for a new version, and is taken back', async () => {
    const me = await alone();
    const { source_id } = await takeIn(stack, me, 'Weekly call', call('4 May 2026'), { customer: 'Brandvoll Ferries' });
    await stack.ok(me, 'signal.reading.correct', { id: source_id, customer: 'Skagen Lines', date: '2026-05-11' });
    const corrected = await read(me, source_id, 'it is read as corrected', ({ customers }) => 'Skagen Lines' in customers);
    expect(corrected).toMatchObject({ said_by: 'submission', corrected: { customer: 'Skagen Lines', date: '2026-05-11' } });
    expect(corrected.said_at.slice(0, 10)).toBe('2026-05-11');
    expect(Object.keys(corrected.customers)).toEqual(['Skagen Lines']);
    expect(await found(me, 'Skagen Lines')).toBe(corrected.statements);
    expect(await found(me, 'Brandvoll Ferries')).toBe(0);

    const again = await takeIn(stack, me, 'Weekly call', `${call('4 May 2026')}Ida Moe: The gangway report is wrong since Monday.\n`, {
      customer: 'Brandvoll Ferries',
    });
    expect(again.source_id).toBe(source_id);
    const renewed = await read(me, source_id, 'the new version is read', ({ statements }) => statements > corrected.statements);
    expect(Object.keys(renewed.customers)).toEqual(['Skagen Lines']);
    expect(renewed.said_at.slice(0, 10)).toBe('2026-05-11');

    await stack.ok(me, 'signal.reading.correct', { id: source_id, customer: null, date: null });
    const back = await read(me, source_id, 'it is read as before', ({ customers }) => 'Brandvoll Ferries' in customers);
    expect(back).toMatchObject({ said_by: 'text', corrected: {} });
    expect(back.said_at.slice(0, 10)).toBe('2026-05-04');
  });

  it('of a person holds for the document, and everywhere for the others', async () => {
    const me = await alone();
    const first = await takeIn(stack, me, 'Monday', call('4 May 2026'));
    const second = await takeIn(stack, me, 'Friday', call('8 May 2026'));
    const vendor = { name: 'Jon Lake', side: 'vendor' };
    const theirs = { name: 'ida moe', side: 'customer', customer: 'Skagen Lines' };

    await stack.ok(me, 'signal.reading.correct', { id: first.source_id, people: [vendor, theirs] });
    const one = await read(me, first.source_id, 'the first is read as corrected', ({ customers }) => 'Skagen Lines' in customers);
    expect(Object.keys(one.customers)).toEqual(['Skagen Lines']);
    expect(one.participants).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'Jon Lake', side: 'vendor', customer: null }),
        expect.objectContaining({ name: 'Ida Moe', side: 'customer', customer: 'Skagen Lines' }),
      ]),
    );
    expect(one.left).toEqual(expect.arrayContaining([expect.objectContaining({ why: 'vendor', count: 2 })]));
    expect(await found(me, 'Skagen Lines')).toBe(one.statements);
    await upToDate(stack, me.tenant);
    expect((await reading(me, second.source_id)).customers).toEqual({});

    await stack.ok(me, 'signal.reading.correct', { id: first.source_id, people: [vendor, theirs], everywhere: true });
    const other = await read(me, second.source_id, 'the second follows', ({ customers }) => 'Skagen Lines' in customers);
    expect(other.corrected).toEqual({});
    expect(other.left).toEqual(expect.arrayContaining([expect.objectContaining({ why: 'vendor', count: 2 })]));
    const third = await takeIn(stack, me, 'Later', call('15 May 2026'));
    expect(Object.keys((await reading(me, third.source_id)).customers)).toEqual(['Skagen Lines']);

    const nobody = [
      { ...vendor, side: null },
      { name: 'Ida Moe', side: null },
    ];
    await stack.ok(me, 'signal.reading.correct', { id: first.source_id, people: nobody, everywhere: true });
    await read(me, second.source_id, 'it is taken back', ({ customers }) => !('Skagen Lines' in customers));
    expect(await read(me, first.source_id, 'the first, too', ({ customers }) => !('Skagen Lines' in customers))).toMatchObject({
      corrected: {},
    });
  });

  it('is refused if it says nothing, or of somebody who is not there', async () => {
    const me = await alone();
    const { source_id: id } = await takeIn(stack, me, 'Weekly call', call('4 May 2026'));
    const refused = async (args: object) => (await stack.call(me, 'signal.reading.correct', { id, ...args })).error;
    expect(await refused({})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await refused({ people: [{ name: 'Ole Dahl', side: 'vendor' }] })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'The document does not name Ole Dahl.',
    });
    expect(await refused({ people: [{ name: 'Ida Moe', side: 'customer' }], everywhere: true })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await refused({ date: 'yesterday' })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const left = await asTenant(me.tenant, () => stack.db.query('select 1 from reading_corrections where tenant_id = $1', [me.tenant]));
    expect(left).toEqual([]);
  });

  it('waits for a person when an agent says it', async () => {
    const me = await alone();
    const { source_id } = await takeIn(stack, me, 'Weekly call', call('4 May 2026'), { customer: 'Brandvoll Ferries' });
    const bot = await stack.caller({ tenant: me.tenant, role: 'pm', kind: 'agent', name: 'bot' });
    const answer = await stack.call(bot, 'signal.reading.correct', { id: source_id, customer: 'Skagen Lines' });
    expect(answer.envelope.status).toBe('pending_approval');
    expect((await reading(me, source_id)).corrected).toEqual({});
  });
});
