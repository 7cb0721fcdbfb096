import type { Database } from '../../../adapters/postgres/database.ts';
import type { EntityRef } from '../../../contracts/graph/graph.ts';
import { refView } from '../../graph/index.ts';
import { directionSql, trendOf, type Direction, type Trend } from '../../kernel/trends.ts';
import { about, countedSql, saidBefore, saidSince } from './counted.ts';
import { addDays, cover, type Day } from './days.ts';

type Query = Database['query'];

export interface TrendWish {
  type: string;
  /** Undefined: any. */
  direction?: Direction | undefined;
  windowDays: number;
  limit: number;
  /** The window's last day. */
  today: Day;
}

export interface SignalTrend extends Trend, EntityRef {
  /** Signals per step, oldest first; the last one ends today. */
  series: number[];
  /** The same of the window before. */
  previous_series: number[];
}

export interface Trends {
  trends: SignalTrend[];
  total: number;
  window_days: number;
  /** Days per step. */
  series_days: number;
  /** Days of the window, both inclusive. */
  from: Day;
  to: Day;
}

/** Trends of the entities of a type; largest change first. */
export async function signalTrends(query: Query, tenant: string, wanted: TrendWish): Promise<Trends> {
  const { type, direction, windowDays, limit, today } = wanted;
  const end = addDays(today, 1);
  const start = addDays(end, -windowDays);
  const before = addDays(start, -windowDays);
  const ranges = [
    ...cover(start, end).map((range) => ({ ...range, current: true })),
    ...cover(before, start).map((range) => ({ ...range, current: false })),
  ];
  const rows = await query<{
    id: string;
    name: string;
    type: string;
    signal_count: number;
    current: number;
    previous: number;
    total: number;
  }>(
    `${countedSql(`${saidSince(before)} and ${saidBefore(end)}`)},
     moved as (
       select n.row_id, coalesce(sum(n.signals) filter (where r.current), 0)::int as current,
         coalesce(sum(n.signals) filter (where not r.current), 0)::int as previous
       from jsonb_to_recordset($2::jsonb) r(grain text, "from" date, "to" date, current boolean)
       cross join lateral (select c.row_id, c.signals from counted c
         where c.kind = $3 and c.grain = r.grain and c.day >= r."from" and c.day < r."to" offset 0) n group by 1)
     select e.id, e.name, e.type, e.signal_count, m.current, m.previous, count(*) over ()::int as total from moved m
     join entities e on e.tenant_id = $1 and e.id = m.row_id and e.status = 'active'
     where ($4::text is null or ${directionSql('m.current', 'm.previous')} = $4)
     order by abs(m.current - m.previous) desc, m.current + m.previous desc, e.id limit $5`,
    [tenant, JSON.stringify(ranges), type, direction ?? null, limit],
  );
  const step = stepOf(windowDays);
  const ids = rows.map(({ id }) => id);
  const series = await seriesOf(query, tenant, type, ids, { start, end, step });
  const former = await seriesOf(query, tenant, type, ids, { start: before, end: start, step });
  return {
    trends: rows.map(({ current, previous, total: _, ...entity }) => ({
      ...refView(entity),
      ...trendOf(current, previous),
      series: series.get(entity.id)!,
      previous_series: former.get(entity.id)!,
    })),
    total: rows[0]?.total ?? 0,
    window_days: windowDays,
    series_days: step,
    from: start,
    to: today,
  };
}

/** At most about thirty steps. */
const stepOf = (windowDays: number): number => (windowDays <= 31 ? 1 : windowDays <= 217 ? 7 : 30);

/** Signals per step of the window, counted back from its end. */
export async function seriesOf(
  query: Query,
  tenant: string,
  type: string,
  ids: string[],
  { start, end, step }: { start: Day; end: Day; step: number },
): Promise<Map<string, number[]>> {
  const rows = await query<{ row_id: string; back: number; n: number }>(
    `${countedSql(`${about('$2')} and ${saidSince(start)} and ${saidBefore(end)}`)}
     select row_id, ($5::date - 1 - day) / $6::int as back, sum(signals)::int as n from counted
     where kind = $3 and row_id = any($2) and column_id = '' and grain = 'd' and day >= $4 and day < $5::date group by 1, 2`,
    [tenant, ids, type, start, end, step],
  );
  const days = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000);
  const steps = Math.ceil(days / step);
  const series = new Map(ids.map((id) => [id, Array.from({ length: steps }, () => 0)]));
  for (const { row_id, back, n } of rows) series.get(row_id)![steps - 1 - back] = n;
  return series;
}
