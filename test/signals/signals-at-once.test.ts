/** Signals that are read and corrected at once, and how they are found by who said them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { correctIn } from '../../services/signals/correct.ts';
import { whereOf, type SignalFilters } from '../../services/signals/filters.ts';
import { publishCall } from '../setup/calls.ts';
import { writeSignals } from '../setup/signals.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const reading = { beat: () => {}, signal: new AbortController().signal };
let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
});
afterAll(() => stack?.stop());

it('a correction of a document that is written later in the same transaction does not stop it', async () => {
  const ids = [
    await publishCall(stack.db, 'acme', 'src_1', ['The export crashes every Friday.']),
    await publishCall(stack.db, 'acme', 'src_2', ['The import crashes every Monday.']),
  ].sort();
  const read = (again: boolean) => asTenant('acme', () => stack.services.signals.read('acme', ids, { ...reading, again }));
  expect(await read(false)).toEqual({ documents: 2, signals: 2 });
  await asTenant('acme', async () => {
    const [last] = await stack.db.query<{ id: string }>('select id from signals where tenant_id = $1 and document_id = $2', [
      'acme',
      ids[1],
    ]);
    let again: Promise<unknown> = Promise.resolve();
    await stack.db.transaction(async (query) => {
      await query('select 1 from signals where tenant_id = $1 and id = $2 for update', ['acme', last!.id]);
      again = read(true);
      await eventually('the reader waits', async () => {
        const waiting = await stack.db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      expect(await correctIn(query, 'acme', last!.id, { class: 'praise' }, 'ann')).toBe(true);
    });
    expect(await again).toEqual({ documents: 2, signals: 2 });
    expect(await stack.db.query('select class from signals where tenant_id = $1 and id = $2', ['acme', last!.id])).toEqual([
      { class: 'praise' },
    ]);
  });
});

it('of an author or an area are looked up, the newest first', async () => {
  await writeSignals(
    stack.db,
    'many',
    Array.from({ length: 60 }, (_, i) => ({
      statement: `Statement ${i}.`,
      class: 'information' as const,
      at: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
      author: `Author ${i}`,
      area: `Area ${i}`,
    })),
  );
  const planOf = async (filters: SignalFilters): Promise<string> =>
    await asTenant('many', () =>
      stack.db.transaction(async (query) => {
        const { where, values } = whereOf(filters, 'many');
        // Few rows are read faster as a whole.
        await query(`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`);
        const plan = await query<{ 'QUERY PLAN': string }>(
          `explain select s.id from signals s where ${where} order by s.occurred_at desc, s.id desc limit 5`,
          values,
        );
        return plan.map((row) => row['QUERY PLAN']).join('\n');
      }),
    );
  expect(await planOf({ author: 'AUTHOR 7' })).toMatch(/Scan using signals_author on[^]*Index Cond: .*author_key = 'author 7'/);
  expect(await planOf({ area: 'Area 7' })).toMatch(/Scan using signals_area on[^]*Index Cond: .*area_key = 'area 7'/);
  const caller = await stack.caller({ tenant: 'many', name: 'm' });
  const found = await stack.ok<{ signals: { author: string }[] }>(caller, 'signal.record.search', { author: 'aUTHOR 7', area: 'area 7' });
  expect(found.signals.map(({ author }) => author)).toEqual(['Author 7']);
});
