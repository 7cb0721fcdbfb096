import type { Database } from '../../../adapters/postgres/database.ts';
import { countsLine, disclose, plural, type Disclosed } from '../../kernel/disclosure.ts';
import { activeEntities } from '../../graph/index.ts';
import { about, countedSql, isCountedLive, saidSince, saidUntil } from './counted.ts';
import { allTime } from './cells.ts';
import type { Day } from './days.ts';
import { biggest, type Cell, type Metric } from './ranking.ts';

type Query = Database['query'];

export const dimensions = ['issues_by_feature', 'issues_by_customer', 'features_by_customer', 'themes_by_signal_volume'] as const;
export type Dimension = (typeof dimensions)[number];

export interface HeatmapItem {
  row: string;
  row_id: string;
  column?: string;
  column_id?: string;
  value: number;
  metric: Metric;
  /** If rows are ranked by customers: those with most signals about it. */
  customers?: { name: string; entity_id: string; signals: number }[];
}

export interface Heatmap extends Disclosed<HeatmapItem> {
  dimension: Dimension;
  metric: Metric;
  /** Null: all signals. */
  since: Day | null;
  /** Null: today. */
  as_of: Day | null;
}

export const axes: Record<Dimension, { row: string; column?: string; hint: string }> = {
  issues_by_feature: { row: 'issue', column: 'feature', hint: 'get_issue_impact with the name of a row tells who is hit and how badly.' },
  issues_by_customer: { row: 'issue', column: 'customer', hint: 'get_issue_impact with the name of a row tells who is hit and how badly.' },
  features_by_customer: {
    row: 'feature',
    column: 'customer',
    hint: 'get_feature_health with the name of a row tells its issues and what customers feel.',
  },
  themes_by_signal_volume: { row: 'theme', hint: 'search_signals with theme set to the name of a row shows what was said.' },
};
const shownCustomers = 5;

export interface HeatmapWish {
  dimension: Dimension;
  metric: Metric;
  since: Day | null;
  /** Nothing said later counts; null: today. */
  asOf: Day | null;
  limit: number;
}

/** The largest counts: cells of two dimensions, or rows of one. */
export async function heatmap(query: Query, tenant: string, { dimension, metric, since, asOf, limit }: HeatmapWish): Promise<Heatmap> {
  const { row, column, hint } = axes[dimension];
  // A cell of one customer has one customer: by that metric rows are ranked, and their customers listed.
  const wholeRows = column === undefined || (column === 'customer' && metric === 'customer_count');
  const kind = wholeRows ? row : `${row}/${column}`;
  const { cells, total: known } = await biggest(query, tenant, { kind, metric, since, asOf, limit });
  const counts = await live(query, tenant, [...new Set([row, column ?? row, 'customer'])], { since, asOf });
  const names = await activeEntities(query, tenant, [...new Set(cells.flatMap(({ row_id, column_id }) => [row_id, column_id]))]);
  const customers = wholeRows && column === 'customer' ? await customersOf(query, tenant, row, cells, { since, asOf }) : undefined;
  const items = cells.flatMap(({ row_id, column_id, value }): HeatmapItem[] => {
    const [of, by] = [names.get(row_id), names.get(column_id)];
    if (!of || (column_id !== '' && !by)) return [];
    return [
      {
        row: of.name,
        row_id,
        ...(by ? { column: by.name, column_id } : {}),
        value,
        metric,
        ...(customers ? { customers: customers.get(row_id) ?? [] } : {}),
      },
    ];
  });
  const total = cells.length < limit ? items.length : known;
  const told = Object.fromEntries([row, column ?? row, 'customer'].map((type) => [type, counts[type] ?? 0]));
  return {
    dimension,
    metric,
    since,
    as_of: asOf,
    ...disclose(items, {
      summary: `${since === null ? 'In all signals' : `Since ${since}`}${asOf === null ? '' : ` until ${asOf}`}: ${countsLine(told)}; ${total} ${total === 1 ? 'item' : 'items'} of ${plural(row)}${wholeRows ? '' : ` by ${column}`} in total.`,
      hint:
        items.length > 0 ? hint : 'ingest_transcript and ingest_document bring customer statements in; search_signals shows what there is.',
      total,
      top: limit,
    }),
  };
}

/** Days between which signals count. */
type Between = Pick<HeatmapWish, 'since' | 'asOf'>;

const between = ({ since, asOf }: Between): string => `${since === null ? 'true' : saidSince(since)} and ${saidUntil(asOf)}`;

/** Number of entities of each kind with signals. */
async function live(query: Query, tenant: string, kinds: string[], days: Between): Promise<Record<string, number>> {
  const rows = await query<{ kind: string; n: number }>(
    `${countedSql(between(days), isCountedLive(days.asOf))}
     select kind, count(*)::int as n from counted where grain = 'a' and kind = any($2) and last_day >= $3 group by kind`,
    [tenant, kinds, days.since ?? allTime],
  );
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]));
}

async function customersOf(
  query: Query,
  tenant: string,
  row: string,
  cells: readonly Cell[],
  days: Between,
): Promise<Map<string, { name: string; entity_id: string; signals: number }[]>> {
  const rows = await query<{ row_id: string; entity_id: string; name: string; signals: number }>(
    `${countedSql(`${about('$2')} and ${between(days)}`, isCountedLive(days.asOf))}
     select w.id as row_id, e.id as entity_id, e.name, n.signals::int from unnest($2::text[]) w(id) cross join lateral (
       select column_id, signals from counted where kind = $3 and row_id = w.id and grain = 'a' and last_day >= $4
       order by signals desc, column_id limit ${shownCustomers}) n
     join entities e on e.tenant_id = $1 and e.id = n.column_id and e.status = 'active' order by n.signals desc, e.name`,
    [tenant, cells.map(({ row_id }) => row_id), `${row}/customer`, days.since ?? allTime],
  );
  const found = new Map<string, { name: string; entity_id: string; signals: number }[]>();
  for (const { row_id, ...customer } of rows) found.set(row_id, [...(found.get(row_id) ?? []), customer]);
  return found;
}
