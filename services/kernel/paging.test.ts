import { describe, expect, it } from 'vitest';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { count, cut, down, keysetPage, matching, newest, rankedPage, readCursor, up, writeCursor, type List } from './paging.ts';

const refused = expect.objectContaining({ code: 'VALIDATION_ERROR', hint: 'Leave it out to begin with the first page.' }) as Error;

/** Answers each statement with the given rows, and keeps what was asked. */
function asked(rows: Row[] = []): { query: Database['query']; statements: { text: string; values: unknown[] }[] } {
  const statements: { text: string; values: unknown[] }[] = [];
  const query = (text: string, values: unknown[] = []) => {
    statements.push({ text: text.replaceAll(/\s+/g, ' '), values });
    return Promise.resolve(rows);
  };
  return { query: query as Database['query'], statements };
}

const list = (more: Partial<List> = {}): List => ({
  select: '*',
  from: 'things',
  ...matching({ 'tenant_id = $': 'acme' }),
  order: newest('at', 'id'),
  ...more,
});
const same = (row: Row): Row => row;

describe('conditions', () => {
  it('have a parameter for each value, and leave out what is not asked for', () => {
    const found = matching({
      't.tenant_id = $': 'acme',
      'status = $': undefined,
      'line = $': null,
      'a = $ or b = $': 'x',
      'open is null': true,
      'closed is null': false,
      'on = $': false,
      'exists (select from tags where tenant_id = $1 and tag = $)': 'y',
    });
    expect(found).toEqual({
      where:
        '(t.tenant_id = $1) and (a = $2 or b = $2) and (open is null) and (on = $3) and (exists (select from tags where tenant_id = $1 and tag = $4))',
      values: ['acme', 'x', false, 'y'],
    });
  });

  it('name the tenant first, or no statement is made', async () => {
    const { query, statements } = asked();
    const without = [
      matching({ 'id = $': 'x', 'tenant_id = $': 'acme' }),
      matching({ 'tenant_id = $': undefined, 'id = $': 'x' }),
      matching({}),
    ];
    for (const conditions of without) {
      await expect(keysetPage(query, list(conditions), { limit: 1 }, same)).rejects.toThrow('names its tenant');
      await expect(count(query, list(conditions))).rejects.toThrow('names its tenant');
    }
    expect(statements).toEqual([]);
  });
});

describe('a page', () => {
  const key = ['2026-01-02 03:04:05.123456+00', 'b'];
  const rows = [
    { id: 'c', page_key: ['2026-01-02 03:04:06+00', 'c'] },
    { id: 'b', page_key: key },
    { id: 'a', page_key: ['2026-01-01 00:00:00+00', 'a'] },
  ];

  it('has as many rows as were asked for, and a cursor only where there are more', async () => {
    expect(await keysetPage(asked(rows).query, list(), { limit: 2 }, same)).toEqual({
      items: [{ id: 'c' }, { id: 'b' }],
      next: writeCursor(...key),
    });
    expect(await keysetPage(asked(rows).query, list(), { limit: 3 }, same)).toEqual({ items: [{ id: 'c' }, { id: 'b' }, { id: 'a' }] });
    expect(await keysetPage(asked().query, list(), { limit: 3 }, same)).toEqual({ items: [] });
  });

  it('has one row or more: anything else is a defect', async () => {
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(keysetPage(asked(rows).query, list(), { limit }, same)).rejects.toThrow(RangeError);
      expect(() => cut([1, 2], limit, String)).toThrow(RangeError);
    }
    expect(cut([1, 2], 1, String)).toEqual({ items: [1], next: '1' });
  });

  it('begins after the place of its cursor, to the microsecond, as a row of the index', async () => {
    const { query, statements } = asked(rows);
    await keysetPage(query, list(), { limit: 2 }, same);
    await keysetPage(query, list(), { limit: 2, cursor: writeCursor(...key) }, same);
    expect(statements).toEqual([
      {
        text: 'select *, array[(at)::text, (id)::text] as page_key from things where (tenant_id = $1) order by at desc, id desc limit $2',
        values: ['acme', 3],
      },
      {
        text:
          'select *, array[(at)::text, (id)::text] as page_key from things where (tenant_id = $1) and (at, id) < ($2::timestamptz, $3::text)' +
          ' order by at desc, id desc limit $4',
        values: ['acme', ...key, 3],
      },
    ]);
  });

  it('is bounded by each key where the keys run both ways', async () => {
    const { query, statements } = asked(rows);
    const order = [up('name'), down('at', 'timestamptz'), down('id', 'int')];
    await keysetPage(query, list({ order }), { limit: 2, cursor: writeCursor('n', key[0]!, '7') }, same);
    expect(statements[0]!.text).toContain(
      'and name >= $2::text and (name > $2::text or ((at, id) < ($3::timestamptz, $4::int))) order by name, at desc, id desc',
    );
  });

  it('may take the value of its only key as the cursor', async () => {
    const { query, statements } = asked([{ page_key: ['9'] }, { page_key: ['8'] }]);
    const plain = list({ order: [down('id', 'bigint')], plain: true });
    expect((await keysetPage(query, plain, { limit: 1, cursor: '12' }, same)).next).toBe('9');
    expect(statements[0]!.values).toEqual(['acme', '12', 2]);
    await expect(keysetPage(query, plain, { limit: 1, cursor: 'x' }, same)).rejects.toEqual(refused);
  });
});

describe('a cursor', () => {
  const time = '2026-01-02 03:04:05+00';
  const raw = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('is refused when it is invented or from another list', async () => {
    const { query, statements } = asked();
    const foreign = ['', 'nonsense', raw({}), raw('x'), raw([time, 1]), raw([time, 'a\0']), writeCursor(time), writeCursor(time, 'x', 'y')];
    for (const cursor of [...foreign, writeCursor('12', 'x'), writeCursor('x', time)]) {
      await expect(keysetPage(query, list(), { limit: 1, cursor }, same)).rejects.toEqual(refused);
    }
    expect(statements).toEqual([]);
  });

  it('is called by the name that callers know', async () => {
    const called = keysetPage(asked().query, list({ called: 'pageToken' }), { limit: 1, cursor: 'x' }, same);
    await expect(called).rejects.toThrow('This pageToken is not from a page before.');
  });

  it.each([
    ['int', ['0', '-5', '123456789'], ['', '1.5', '1234567890', 'x']],
    ['bigint', ['123456789012345678'], ['1234567890123456789', '1e3']],
    ['real', ['4.2', '0', '1e-05', '-3.25', '1e+20'], ['NaN', 'Infinity', '1e+40', '']],
    ['boolean', ['true', 'false'], ['t', '1']],
    ['uuid', ['01234567-89ab-cdef-0123-456789abcdef'], ['01234567', 'x']],
    ['date', ['2024-02-29'], ['2026-02-29', '2026-13-01', '0000-01-01', '2026-01-01 00:00:00+00']],
    [
      'timestamptz',
      [time, '2026-01-02 03:04:05.000001+05:30', '2026-01-02T03:04:05.123Z'],
      ['2026-02-30 12:00:00+00', '2026-01-01 25:00:00+00', '2026-01-01'],
    ],
    ['text', ['', 'ä"\\'], ['\0']],
  ] as const)('of %s holds only what Postgres reads', (type, good, bad) => {
    for (const value of good) expect(readCursor(writeCursor(value), [type])).toEqual([value]);
    for (const value of bad) expect(() => readCursor(writeCursor(value), [type]), value).toThrow(refused);
  });
});

it('a ranking is cut into pages without a gap', () => {
  const all = [1, 2, 3, 4, 5];
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const { items, total, next } = rankedPage(all, { limit: 2, cursor });
    expect(total).toBe(5);
    pages.push(items);
    cursor = next;
  } while (cursor !== undefined);
  expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  expect(rankedPage(all, { limit: 2, cursor: writeCursor('9') })).toEqual({ items: [], total: 5 });
  for (const bad of ['x', writeCursor('-1'), writeCursor('1', 'x')])
    expect(() => rankedPage(all, { limit: 2, cursor: bad })).toThrow(refused);
});
