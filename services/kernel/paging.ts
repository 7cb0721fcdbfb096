/** Lists by keyset pagination: each page begins after the last row of the page before, regardless of writes in between. */
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';

type Query = Database['query'];

/** The requested page. */
export interface Paging {
  limit: number;
  /** Opaque: `next` of the page before. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** Cursor of the next page; absent: this is the last page. */
  next?: string;
}

/** With the number of items on all pages. */
export interface CountedPage<T> extends Page<T> {
  total: number;
}

/** Types of sort keys. The patterns accept the texts that Postgres writes for each type, and only texts that Postgres can read. */
const forms = {
  text: /^/,
  boolean: /^(true|false)$/,
  int: /^-?\d{1,9}$/,
  bigint: /^-?\d{1,18}$/,
  real: /^-?\d{1,9}(\.\d{1,15})?(e[+-][0-2]\d)?$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^(?!0000)\d{4}-\d\d-\d\d$/,
  // Also ISO 8601, for older page tokens of A2A.
  timestamptz: /^(?!0000)\d{4}-\d\d-\d\d[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-5])(:[0-5]\d){0,2})$/,
};
type KeyType = keyof typeof forms;

/** A sort key: a column that is never null. */
interface Key {
  column: string;
  type: KeyType;
  desc: boolean;
}
export const up = (column: string, type: KeyType = 'text'): Key => ({ column, type, desc: false });
export const down = (column: string, type: KeyType = 'text'): Key => ({ column, type, desc: true });
/** Newest first, as in most lists. */
export const newest = (at: string, id: string): Key[] => [down(at, 'timestamptz'), down(id)];

/** Conditions in SQL, with the values of their parameters; `$1` is the tenant. */
export interface Matching {
  where: string;
  values: unknown[];
}

export interface List extends Matching {
  /** A `with` that the rest refers to. */
  given?: string;
  select: string;
  from: string;
  /**
   * In place of `from`, rows `t` in parts that share none: a page takes the first rows of each part by itself, because
   * Postgres would sort them whole.
   */
  parts?: readonly string[];
  /** Together they identify one row. */
  order: readonly Key[];
  /** The cursor is the value of the only key, as callers see it elsewhere. */
  plain?: boolean;
  /** The name of the cursor in error messages. */
  called?: string;
}

/**
 * Conditions as `{ 'tenant_id = $': tenant, 'status = $': status }`: `$` stands for the value, and without a value there
 * is no condition. One that has no `$` counts when its value is true. The tenant comes first, so it is `$1` in all SQL of the list.
 */
export function matching(conditions: Record<string, unknown>): Matching {
  const values: unknown[] = [];
  const parts = Object.entries(conditions).flatMap(([sql, value]) => {
    if (value === undefined || value === null) return [];
    if (!/\$(?!\d)/.test(sql)) return value === true ? [`(${sql})`] : [];
    values.push(value);
    return [`(${sql.replaceAll(/\$(?!\d)/g, () => `$${values.length}`)})`];
  });
  return { where: parts.join(' and '), values };
}

/**
 * The statement of one page, and its values; a row has `page_key` beside what is selected, and there is one row more when
 * there is another page.
 * @throws AppError VALIDATION_ERROR for a cursor that is not from a list with this order
 */
export function pageSql(list: List, { limit, cursor }: Paging): { sql: string; values: unknown[] } {
  const { given, select, parts, where, values, order, plain, called } = list;
  namesTenant(list);
  const types = order.map(({ type }) => type);
  const after = cursor === undefined ? [] : plain ? valid([cursor], types, called) : readCursor(cursor, types, called);
  const parameters = [...values, ...after];
  const matching = `where ${where}${after.length > 0 ? ` and ${beyond(order, values.length + 1)}` : ''}`;
  const first = `order by ${order.map(({ column, desc }) => `${column}${desc ? ' desc' : ''}`).join(', ')} limit $${parameters.length + 1}`;
  const rows = parts
    ? `(${parts.map((part) => `(select t.* from ${part} ${matching} ${first})`).join(' union all ')}) t`
    : `${list.from} ${matching}`;
  return {
    sql: `${withGiven(given)}select ${select}, array[${order.map(({ column }) => `(${column})::text`).join(', ')}] as page_key from ${rows} ${first}`,
    values: [...parameters, limit + 1],
  };
}

/** One page of a list, by one statement. @throws AppError VALIDATION_ERROR (cursor) */
export async function keysetPage<R extends Row, T>(query: Query, list: List, paging: Paging, view: (row: R) => T): Promise<Page<T>> {
  const { sql, values } = pageSql(list, paging);
  const rows = await query<R & { page_key: string[] }>(sql, values);
  return pageOf(rows, paging.limit, ({ page_key: _key, ...row }) => view(row as unknown as R), list.plain);
}

/** The page of the rows that `pageSql` gets. */
export function pageOf<R extends { page_key: string[] }, T>(
  rows: readonly R[],
  limit: number,
  view: (row: R) => T,
  plain = false,
): Page<T> {
  const page = cut(rows, limit, ({ page_key: key }) => (plain ? key[0]! : writeCursor(...key)));
  return { ...page, items: page.items.map(view) };
}

/** As `keysetPage`, with the total. @param upTo counts no further than this */
export async function countedPage<R extends Row, T>(
  query: Query,
  list: List,
  paging: Paging,
  view: (row: R) => T,
  upTo?: number,
): Promise<CountedPage<T>> {
  const total = await count(query, list, upTo);
  return { ...(await keysetPage(query, list, paging, view)), total };
}

const withGiven = (given: string | undefined): string => (given === undefined ? '' : `with ${given} `);

/** How many rows a list has. @param upTo counts no further than this */
export async function count(query: Query, list: Pick<List, 'given' | 'from' | 'where' | 'values'>, upTo?: number): Promise<number> {
  namesTenant(list);
  const bound = upTo === undefined ? '' : ` limit ${upTo}`;
  const [row] = await query<{ n: number }>(
    `${withGiven(list.given)}select count(*)::int as n from (select from ${list.from} where ${list.where}${bound}) counted`,
    list.values,
  );
  return row!.n;
}

/** A page of a ranked list in memory. The cursor is the number of items before it. @throws AppError VALIDATION_ERROR (cursor) */
export function rankedPage<T>(all: readonly T[], { limit, cursor }: Paging): CountedPage<T> {
  const from = cursor === undefined ? 0 : Number(readCursor(cursor, ['int'])[0]);
  if (from < 0) throw notOurs();
  return { ...cut(all.slice(from), limit, () => writeCursor(String(from + limit))), total: all.length };
}

/** The rows of a page. @param rows one more than the limit means that there is another page */
export function cut<R>(rows: readonly R[], limit: number, cursorOf: (last: R) => string): Page<R> {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`A page has at least one row, not ${limit}.`);
  const items = rows.slice(0, limit);
  return { items, ...(rows.length > limit ? { next: cursorOf(items.at(-1)!) } : {}) };
}

/** A statement without the tenant is a defect: only row-level security would restrict it. */
function namesTenant({ where, values }: Matching): void {
  if (!/^\(?(\w+\.)?tenant_id = \$1\b/.test(where) || typeof values[0] !== 'string') throw new Error('A list names its tenant first.');
}

/**
 * Rows after the position whose values begin at parameter `at`. Keys with the same direction are compared as a row, which
 * matches the index. Otherwise each key is compared separately, so that the index can at least use the first key.
 */
function beyond(order: readonly Key[], at: number): string {
  const value = ({ type }: Key, i: number): string => `$${at + i}::${type}`;
  const sign = order[0]!.desc ? '<' : '>';
  if (order.every(({ desc }) => desc === order[0]!.desc)) {
    return `(${order.map(({ column }) => column).join(', ')}) ${sign} (${order.map(value).join(', ')})`;
  }
  const [{ column }, ...rest] = order as [Key, ...Key[]];
  const first = value(order[0]!, 0);
  return `${column} ${sign}= ${first} and (${column} ${sign} ${first} or (${beyond(rest, at + 1)}))`;
}

/** The cursor of a page, opaque to callers. */
export const writeCursor = (...parts: string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** @param types of the parts that `writeCursor` was given. @throws AppError VALIDATION_ERROR */
export function readCursor(cursor: string, types: readonly KeyType[], called?: string): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw notOurs(called);
  }
  return valid(parts, types, called);
}

/** A part that Postgres would refuse cannot come from `writeCursor`. */
function valid(parts: unknown, types: readonly KeyType[], called?: string): string[] {
  const fits = (part: unknown, type: KeyType): boolean =>
    typeof part === 'string' &&
    !part.includes('\0') &&
    forms[type].test(part) &&
    ((type !== 'date' && type !== 'timestamptz') || isDay(part.slice(0, 10)));
  if (Array.isArray(parts) && parts.length === types.length && types.every((type, i) => fits(parts[i], type))) return parts as string[];
  throw notOurs(called);
}

/** Date.parse accepts the 31st of any month as a day of the next month. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const notOurs = (called = 'cursor'): AppError =>
  new AppError('VALIDATION_ERROR', `This ${called} is not from a page before.`, { hint: 'Leave it out to begin with the first page.' });
