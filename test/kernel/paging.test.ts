/** Pages of lists on a real Postgres: each row once, in order, whichever way the keys run. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { countedPage, down, matching, newest, up, type List } from '../../services/kernel/paging.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
});
afterAll(() => stack?.stop());

/** Thirty rows: three share a time, or are microseconds apart; ten share a name and a score. */
const rows = `(select 'acme' as tenant_id, 'id-' || n as id, n, md5(n::text)::uuid as uid, chr(65 + n % 3) as name, n % 2 = 0 as read, ((n % 3) / 3e3)::real as score,
  date '2026-03-01' + n % 4 as day, timestamptz '2026-03-01 10:00:00+00' + make_interval(secs => (n % 10) / 1e6) as at from generate_series(1, 30) n) t`;

const orders: [string, List['order']][] = [
  ['time and id, descending', newest('at', 'id')],
  ['time and id, ascending', [up('at', 'timestamptz'), up('id')]],
  ['time descending, id ascending', [down('at', 'timestamptz'), up('id')]],
  ['name ascending, time and id descending', [up('name collate "C"'), down('at', 'timestamptz'), down('id')]],
  ['time descending, id and name ascending', [down('at', 'timestamptz'), up('id'), up('name')]],
  ['a fraction, then a uuid', [down('score', 'real'), up('uid', 'uuid')]],
  ['a day, then a number', [down('day', 'date'), down('n', 'int')]],
  ['a condition, then a number', [up('(read is true)', 'boolean'), up('n', 'bigint')]],
];

it.each(orders)('%s', async (_name, order) => {
  const list = { select: '*', from: rows, ...matching({ 'tenant_id = $': 'acme', 'n <> $': 13 }), order };
  const page = (limit: number, cursor?: string) =>
    asTenant('acme', () => countedPage(stack.db.query, list, { limit, cursor }, ({ id }: { id: string }) => id));
  const all = await page(100);
  expect(all).toMatchObject({ total: 29 });
  expect(all).not.toHaveProperty('next');
  expect(new Set(all.items).size).toBe(29);
  for (const limit of [1, 4, 28, 29]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, total, next } = await page(limit, cursor);
      expect(items.length).toBe(Math.min(limit, 29 - seen.length));
      expect(total).toBe(29);
      seen.push(...items);
      cursor = next;
    } while (cursor !== undefined);
    expect(seen, `${limit} at once`).toEqual(all.items);
  }
});
