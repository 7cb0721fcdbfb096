import type { Database } from '../../../adapters/postgres/database.ts';
import type { Content } from './contents.ts';

type Query = Database['query'];

/** UTC instants; `to` is exclusive. */
export interface Range {
  from: string | null;
  to: string | null;
}

/** A table with its columns. */
export interface Table {
  name: string;
  columns: string[];
  rows: number;
  /** Its rows as JSON objects, ordered by primary key, in slices. Must be read before the next table. */
  slices(): AsyncGenerator<string[]>;
}

const perSlice = 500;
const perLargeSlice = 20;

/**
 * Runs `work` in one snapshot of the database, however long it takes. Read-only, so it delays neither writers nor
 * readers of the outbox.
 */
export function atOneMoment<T>(db: Database, work: (query: Query) => Promise<T>): Promise<T> {
  return db.transaction(async (query) => {
    await query('set transaction isolation level repeatable read, read only');
    await query(`set local timezone = 'UTC'`);
    return await work(query);
  });
}

/**
 * The tables in this snapshot, with row counts.
 * @param query inside `atOneMoment`
 * @param signal an abort between two slices rejects with its reason
 */
export async function openTables(
  query: Query,
  tenant: string,
  contents: readonly Content[],
  { from, to }: Range,
  signal: AbortSignal,
): Promise<Table[]> {
  const catalog = await columnsOf(query, contents);
  const tables: Table[] = [];
  for (const content of contents) {
    const all = catalog.filter(({ table }) => table === content.table);
    if (all.length === 0) throw new Error(`there is no table ${content.table}`);
    const columns = all.map(({ column }) => column).filter((column) => !content.without?.includes(column));
    const key = all.filter(({ place }) => place !== null).toSorted((a, b) => a.place! - b.place!);
    const where = `from ${content.table} t where t.tenant_id = $1${content.where === undefined ? '' : ` and (${content.where})`}${content.at === null ? '' : ` and ($2::timestamptz is null or ${content.at} >= $2) and ($3::timestamptz is null or ${content.at} < $3)`}`;
    const values = content.at === null ? [tenant] : [tenant, from, to];
    const [counted] = await query<{ rows: number }>(`select count(*)::float8 as rows ${where}`, values);
    const select = `select row_to_json(r)::text as line from
      (select ${columns.map((column) => `t."${column}"`).join(', ')} ${where} order by ${key.map(({ column }) => `t."${column}"`).join(', ')}) r`;
    const slices = () => cursor(query, select, values, content.large ? perLargeSlice : perSlice, signal);
    tables.push({ name: content.table, columns, rows: counted!.rows, slices });
  }
  return tables;
}

async function* cursor(query: Query, select: string, values: unknown[], count: number, signal: AbortSignal): AsyncGenerator<string[]> {
  for await (const rows of sliced<{ line: string }>(query, select, values, count, signal)) yield rows.map(({ line }) => line);
}

/** Rows of a statement, in slices. One at a time inside a transaction. */
export async function* sliced<T extends Record<string, unknown>>(
  query: Query,
  select: string,
  values: unknown[],
  count: number,
  signal: AbortSignal,
): AsyncGenerator<T[]> {
  await query(`declare exported no scroll cursor for ${select}`, values);
  for (;;) {
    signal.throwIfAborted();
    const rows = await query<T>(`fetch ${count} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
  }
  await query('close exported');
}

/** Columns in order of creation; `place` is the position in the primary key. */
const columnsOf = (query: Query, contents: readonly Content[]) =>
  query<{ table: string; column: string; place: number | null }>(
    `select c.relname::text as table, a.attname::text as column, array_position(i.indkey::int2[], a.attnum) as place
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_index i on i.indrelid = c.oid and i.indisprimary
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1) order by c.relname, a.attnum`,
    [contents.map(({ table }) => table)],
  );
