import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { activeEntities } from '../../graph/index.ts';
import { allTime, cellsSql, triplesSql } from './cells.ts';
import { countedSql, isCountedLive, saidSince, saidUntil } from './counted.ts';
import { cover, openEnd, type Day } from './days.ts';
import { axes, type Dimension, type HeatmapWish } from './heatmap.ts';
import { biggest, type Metric } from './ranking.ts';

type Query = Database['query'];

export interface MatrixAxis {
  entity_id: string;
  name: string;
}

export interface Matrix {
  dimension: Dimension;
  metric: Metric;
  /** What a cell counts: a cell of one customer counts its signals. */
  cell_metric: Metric;
  row_type: string;
  column_type: string;
  rows: (MatrixAxis & { total: number; cells: number[] })[];
  columns: MatrixAxis[];
  /** Rows and columns there are. */
  total_rows: number;
  total_columns: number;
  since: Day | null;
  as_of: Day | null;
}

export type MatrixWish = Omit<HeatmapWish, 'limit'> & { rows: number; columns: number };

interface CellRow extends Row {
  row_id: string;
  column_id: string;
  value: number;
  columns: number;
}

/** The rows with the largest counts beside the columns that these have most, every cell counted. */
export async function matrix(query: Query, tenant: string, wanted: MatrixWish): Promise<Matrix> {
  const { dimension, metric, since, asOf } = wanted;
  const { row, column = 'customer' } = axes[dimension];
  const cellMetric = metric === 'customer_count' && column === 'customer' ? 'signal_count' : metric;
  const { cells: largest, total } = await biggest(query, tenant, { kind: row, metric, since, asOf, limit: wanted.rows });
  const ids = largest.map(({ row_id }) => row_id);
  const cells =
    cellMetric === 'customer_count'
      ? await customersIn(query, tenant, ids, wanted)
      : await sumsIn(query, tenant, `${row}/${column}`, cellMetric, ids, wanted);
  const names = await activeEntities(query, tenant, [...new Set([...ids, ...cells.map(({ column_id }) => column_id)])]);
  const named = (id: string): MatrixAxis[] => (names.has(id) ? [{ entity_id: id, name: names.get(id)!.name }] : []);
  const columns = [...new Set(cells.map(({ column_id }) => column_id))].flatMap(named);
  const values = new Map(cells.map(({ row_id, column_id, value }) => [`${row_id} ${column_id}`, value]));
  const rows = largest.flatMap(({ row_id, value }) =>
    named(row_id).map((each) => ({
      ...each,
      total: value,
      cells: columns.map(({ entity_id }) => values.get(`${row_id} ${entity_id}`) ?? 0),
    })),
  );
  return {
    dimension,
    metric,
    cell_metric: cellMetric,
    row_type: row,
    column_type: column,
    rows,
    columns,
    total_rows: rows.length < wanted.rows ? rows.length : total,
    total_columns: cells[0]?.columns ?? 0,
    since,
    as_of: asOf,
  };
}

/** Cells of the columns with the largest sums; the largest column first. $2 are the rows, $3 is the number of columns. */
const largestColumns = `
  summed as (select column_id, sum(value) as sum from valued group by 1 having sum(value) > 0),
  chosen as (select * from summed order by sum desc, column_id limit $3)
  select v.row_id, v.column_id, v.value::float8 as value, (select count(*)::int from summed) as columns
  from valued v join chosen c using (column_id) order by c.sum desc, c.column_id, v.row_id`;

async function sumsIn(
  query: Query,
  tenant: string,
  kind: string,
  metric: 'signal_count' | 'severity_weighted',
  ids: readonly string[],
  { since, asOf, columns }: MatrixWish,
): Promise<CellRow[]> {
  const live = isCountedLive(asOf);
  const sum = metric === 'signal_count' ? 'signals' : 'severity';
  // Live counts are of the period already.
  const ranges = live || since === null ? [{ grain: 'a', from: allTime, to: openEnd }] : cover(since, openEnd);
  return await query<CellRow>(
    `${countedSql(`${since === null ? 'true' : saidSince(since)} and ${saidUntil(asOf)}`, live)},
     valued as (
       select n.row_id, n.column_id, sum(n.value) as value from jsonb_to_recordset($5::jsonb) r(grain text, "from" date, "to" date)
       cross join lateral (select c.row_id, c.column_id, c.${sum} as value from counted c
         where c.kind = $4 and c.row_id = any($2) and c.grain = r.grain and c.day >= r."from" and c.day < r."to" offset 0) n group by 1, 2),
     ${largestColumns}`,
    [tenant, ids, columns, kind, JSON.stringify(ranges)],
  );
}

/** Different customers who mention an issue with a feature. */
async function customersIn(query: Query, tenant: string, ids: readonly string[], { since, asOf, columns }: MatrixWish): Promise<CellRow[]> {
  const from = isCountedLive(asOf)
    ? `with ${cellsSql(`${since === null ? 'true' : saidSince(since)} and ${saidUntil(asOf)}`)}, ${triplesSql}`
    : 'with triples as not materialized (select * from insight_triples where tenant_id = $1)';
  return await query<CellRow>(
    `${from}, valued as (
       select row_id, column_id, count(*) as value from triples where row_id = any($2) and last_day >= $4 group by 1, 2),
     ${largestColumns}`,
    [tenant, ids, columns, since ?? allTime],
  );
}
