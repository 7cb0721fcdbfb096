import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { cellsSql, everything, grainsSql, triplesSql } from './cells.ts';
import { isCountedLive, saidSince, saidUntil } from './counted.ts';
import { cover, openEnd, type Day } from './days.ts';

type Query = Database['query'];

export const metrics = ['customer_count', 'signal_count', 'severity_weighted'] as const;
export type Metric = (typeof metrics)[number];

export interface Cell {
  row_id: string;
  /** '': the whole row. */
  column_id: string;
  value: number;
}

interface Candidate extends Cell {
  /** Its value over all time: an upper bound of `value`. */
  most: number;
}

export interface Ranked {
  /** A kind of insight_counts. */
  kind: string;
  metric: Metric;
  /** Signals since that day; null: all. */
  since: Day | null;
  /** Signals until that day; null or absent: today. */
  asOf?: Day | null;
  limit: number;
}

const columnOf: Record<Metric, 'customers' | 'signals' | 'severity'> = {
  customer_count: 'customers',
  signal_count: 'signals',
  severity_weighted: 'severity',
};
/** With fewer signals in the window, all of them are summed. */
const fewSignals = 30_000;
/** The largest of all time are read in batches, each twice as large; after this many, everything is summed. */
const firstBatch = 400;
const mostLooked = 25_000;

export interface Biggest {
  cells: Cell[];
  /** Non-zero cells; in a window where not all are read, an upper bound. */
  total: number;
}

/**
 * The largest cells of a kind, without zeros.
 * @param few maximum signals in the window that are summed directly
 */
export async function biggest(query: Query, tenant: string, wanted: Ranked, few = fewSignals): Promise<Biggest> {
  if (isCountedLive(wanted.asOf ?? null)) return await addedLive(query, tenant, wanted);
  const cells = await keptBiggest(query, tenant, wanted, few);
  return { cells, total: cells.length < wanted.limit ? cells.length : await howMany(query, tenant, wanted) };
}

async function keptBiggest(query: Query, tenant: string, wanted: Ranked, few: number): Promise<Cell[]> {
  const { since } = wanted;
  if (since === null) return await overAllTime(query, tenant, wanted, 0, wanted.limit);
  if ((await signalsSince(query, tenant, since)) <= few) return await addedUp(query, tenant, wanted, since);
  return (await threshold(query, tenant, wanted, since)) ?? (await addedUp(query, tenant, wanted, since));
}

async function overAllTime(query: Query, tenant: string, { kind, metric }: Ranked, offset: number, limit: number): Promise<Cell[]> {
  const column = columnOf[metric];
  return await query<Cell & Row>(
    `select row_id, column_id, ${column}::float8 as value from insight_counts where tenant_id = $1 and kind = $2 and grain = 'a' and ${column} > 0
     order by ${column} desc, row_id, column_id offset $3 limit $4`,
    [tenant, kind, offset, limit],
  );
}

/**
 * A count since a day is never larger than over all time: read from the largest of all time down, until the rest
 * cannot be among the first.
 * @returns null when that takes too many
 */
async function threshold(query: Query, tenant: string, wanted: Ranked, since: Day): Promise<Cell[] | null> {
  let best: Candidate[] = [];
  for (let offset = 0, size = firstBatch; offset < mostLooked; offset += size, size *= 2) {
    const batch = await overAllTime(query, tenant, wanted, offset, size);
    best = [...best, ...(await exactly(query, tenant, wanted, since, batch))].toSorted(inOrder).slice(0, wanted.limit);
    const next = batch.length < size ? 0 : batch.at(-1)!.value;
    if (next === 0 || (best.length === wanted.limit && best.at(-1)!.value >= next)) return best.map(cell);
  }
  return null;
}

const inOrder = (a: Candidate, b: Candidate): number =>
  b.value - a.value || b.most - a.most || (a.row_id < b.row_id ? -1 : a.row_id > b.row_id ? 1 : a.column_id < b.column_id ? -1 : 1);
const cell = ({ row_id, column_id, value }: Cell): Cell => ({ row_id, column_id, value });

async function exactly(query: Query, tenant: string, { kind, metric }: Ranked, since: Day, batch: readonly Cell[]): Promise<Candidate[]> {
  const ranges = cover(since, openEnd);
  const value =
    metric !== 'customer_count'
      ? `select sum(n.value)::float8 from ${rangesSql('$4')} cross join lateral (
           select i.${columnOf[metric]} as value from insight_counts i where i.tenant_id = $1 and i.kind = '${kind}'
             and i.row_id = b.row_id and i.column_id = b.column_id and i.grain = r.grain and i.day >= r.lo and i.day < r.hi offset 0) n`
      : kind.includes('/')
        ? `select count(*)::float8 from insight_triples n where n.tenant_id = $1 and n.row_id = b.row_id and n.column_id = b.column_id and n.last_day >= $4`
        : `select count(*)::float8 from insight_counts n where n.tenant_id = $1 and n.kind = '${kind}/customer' and n.row_id = b.row_id
             and n.grain = 'a' and n.last_day >= $4`;
  const rows = await query<{ at: number; value: number | null }>(
    `select b.at::int as at, (${value}) as value from unnest($2::text[], $3::text[]) with ordinality b(row_id, column_id, at)`,
    [
      tenant,
      batch.map(({ row_id }) => row_id),
      batch.map(({ column_id }) => column_id),
      metric === 'customer_count' ? since : JSON.stringify(ranges),
    ],
  );
  return rows.flatMap(({ at, value: now }) => (now ? [{ ...batch[at - 1]!, value: now, most: batch[at - 1]!.value }] : []));
}

/**
 * Joined by lateral subqueries with "offset 0", so that each range is read by its index.
 * @param parameter with ranges, as JSON
 */
const rangesSql = (parameter: string): string =>
  `(select grain, "from" as lo, "to" as hi from jsonb_to_recordset(${parameter}::jsonb) as j(grain text, "from" date, "to" date)) r`;

async function addedUp(query: Query, tenant: string, { kind, metric, limit }: Ranked, since: Day): Promise<Cell[]> {
  if (metric !== 'customer_count') {
    return await query<Cell & Row>(
      `select n.row_id, n.column_id, sum(n.value)::float8 as value from ${rangesSql('$3')} cross join lateral (
         select i.row_id, i.column_id, i.${columnOf[metric]} as value from insight_counts i
         where i.tenant_id = $1 and i.kind = $2 and i.grain = r.grain and i.day >= r.lo and i.day < r.hi offset 0) n
       group by 1, 2 having sum(n.value) > 0 order by value desc, 1, 2 limit $4`,
      [tenant, kind, JSON.stringify(cover(since, openEnd)), limit],
    );
  }
  return kind.includes('/')
    ? await query<Cell & Row>(
        `select row_id, column_id, count(*)::float8 as value from insight_triples where tenant_id = $1 and last_day >= $2
         group by 1, 2 order by value desc, 1, 2 limit $3`,
        [tenant, since, limit],
      )
    : await query<Cell & Row>(
        `select row_id, '' as column_id, count(*)::float8 as value from insight_counts
         where tenant_id = $1 and kind = $2 || '/customer' and grain = 'a' and last_day >= $3
         group by 1 order by value desc, 1 limit $4`,
        [tenant, kind, since, limit],
      );
}

/** From the signals themselves: those visible to a team, or said until a day. */
async function addedLive(query: Query, tenant: string, { kind, metric, since, asOf = null, limit }: Ranked): Promise<Biggest> {
  const customers = kind.includes('/')
    ? 'select row_id, column_id, count(*) as customers from triples group by 1, 2'
    : `select row_id, '' as column_id, count(*) as customers from grains where kind = $2 || '/customer' and grain = 'a' group by 1`;
  const rows = await query<Row & Cell & { total: number }>(
    `with ${cellsSql(`${since === null ? 'true' : saidSince(since)} and ${saidUntil(asOf)}`)}, ${grainsSql}, ${triplesSql},
     valued as (${
       metric === 'customer_count'
         ? `select row_id, column_id, customers::float8 as value from (${customers}) c where $2::text is not null`
         : `select row_id, column_id, ${columnOf[metric]}::float8 as value from grains where kind = $2 and grain = 'a'`
     })
     select row_id, column_id, value, count(*) over ()::int as total from valued
     where value > 0 order by value desc, row_id, column_id limit $3`,
    [tenant, kind, limit],
  );
  return { cells: rows.map(cell), total: rows[0]?.total ?? 0 };
}

/** Upper bound for a window: a cell may have all its counts before it. */
async function howMany(query: Query, tenant: string, { kind, metric, since }: Ranked): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from insight_counts where tenant_id = $1 and kind = $2 and grain = 'a' and ${columnOf[metric]} > 0
       ${since === null ? '' : 'and last_day >= $3'}`,
    since === null ? [tenant, kind] : [tenant, kind, since],
  );
  return row!.n;
}

/** Number of signals, whatever their entities. */
async function signalsSince(query: Query, tenant: string, since: Day): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select coalesce(sum(n.signals), 0)::int as n from ${rangesSql('$2')} cross join lateral (
       select i.signals from insight_counts i
       where i.tenant_id = $1 and i.kind = '${everything}' and i.grain = r.grain and i.day >= r.lo and i.day < r.hi offset 0) n`,
    [tenant, JSON.stringify(cover(since, openEnd))],
  );
  return row!.n;
}
