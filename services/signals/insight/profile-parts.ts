import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { severities, signalClasses, type Severity, type SignalClass } from '../../../contracts/signals/signals.ts';
import { trendOf, type Trend } from '../../kernel/trends.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { about, countedSql, isCountedLive, saidBefore, saidSince, saidUntil } from './counted.ts';
import { addDays, cover, type Day } from './days.ts';

type Query = Database['query'];

export interface Totals {
  signals: number;
  /** Mean, -1 to 1; null: no signals. */
  sentiment: number | null;
  /** Mean, 0 to 4. */
  severity: number;
  classes: Record<SignalClass, number>;
  last_said_on: Day | null;
}

/** Begins a query about one entity ($2), as of a day. */
const countedAbout = (asOf: Day | null): string => countedSql(`${about('$2')} and ${saidUntil(asOf)}`, isCountedLive(asOf));

/** Totals of an entity. */
export async function totalsOf(query: Query, tenant: string, entity: { id: string; type: string }, asOf: Day | null): Promise<Totals> {
  const [row] = await query<Record<string, number> & { last_said_on: string }>(
    `${countedAbout(asOf)}
     select signals::int, severity::float8 as severity, sentiment::float8 as sentiment, last_day::text as last_said_on,
       ${signalClasses.map((each) => `${each}::int`).join(', ')}
     from counted where kind = $3 and row_id = any($2) and column_id = '' and grain = 'a'`,
    [tenant, [entity.id], entity.type],
  );
  const signals = row?.['signals'] ?? 0;
  return {
    signals,
    sentiment: row ? meanSentiment(row['sentiment']!, signals) : null,
    severity: row ? round(row['severity']! / signals) : 0,
    classes: Object.fromEntries(signalClasses.map((each) => [each, row?.[each] ?? 0])) as Record<SignalClass, number>,
    last_said_on: row?.last_said_on ?? null,
  };
}

export interface MonthOf {
  month: string;
  sentiment: number;
  signals: number;
}

/** For the last months with signals, oldest first. */
export async function sentimentByMonth(
  query: Query,
  tenant: string,
  entity: { id: string; type: string },
  asOf: Day | null,
  months = 12,
): Promise<MonthOf[]> {
  const rows = await query<{ month: string; sentiment: number; signals: number }>(
    `${countedAbout(asOf)}
     select to_char(day, 'YYYY-MM') as month, sentiment::float8 as sentiment, signals::int from counted
     where kind = $3 and row_id = any($2) and column_id = '' and grain = 'm' order by day desc limit $4`,
    [tenant, [entity.id], entity.type, months],
  );
  return rows.toReversed().map(({ sentiment, ...row }) => ({ ...row, sentiment: meanSentiment(sentiment, row.signals) }));
}

/** Entities mentioned together with it. */
export interface Told extends Row {
  id: string;
  name: string;
  state: string | null;
  signals: number;
  requests: number;
  severity: number;
  sentiment: number;
  last: Day;
}

/** @param side position of the entity in the kind of pair */
export async function toldWith(
  query: Query,
  tenant: string,
  id: string,
  { kind, side, limit, asOf = null }: { kind: string; side: 'row' | 'column'; limit: number; asOf?: Day | null },
): Promise<{ told: Told[]; total: number }> {
  const other = side === 'row' ? 'column' : 'row';
  const rows = await query<Told & { total: number }>(
    `${countedAbout(asOf)}
     select e.id, e.name, e.state, n.signals::int, n.request::int as requests, n.severity::float8 as severity,
       n.sentiment::float8 as sentiment, n.last_day::text as last, count(*) over ()::int as total
     from counted n join entities e on e.tenant_id = $1 and e.id = n.${other}_id and e.status = 'active'
     where n.kind = $3 and n.grain = 'a' and n.column_id <> '' and n.${side}_id = any($2)
     order by n.signals desc, e.name, e.id limit $4`,
    [tenant, [id], kind, limit],
  );
  return {
    total: rows[0]?.total ?? 0,
    told: rows.map(({ total: _, severity, sentiment, ...row }) => ({
      ...row,
      severity: round(severity / row.signals),
      sentiment: meanSentiment(sentiment, row.signals),
    })),
  };
}

/** A current fact between the entity and another. */
export interface Joined extends Row, Columns<'entities', 'id' | 'name' | 'type' | 'state'> {
  kind: string;
  /** out: the entity is the fact's subject. */
  way: 'out' | 'in';
  passages: number;
}

/**
 * @param kinds of the facts, by direction
 * @param types of the other entities
 */
export async function joinedWith(
  query: Query,
  tenant: string,
  id: string,
  { out = [], into = [], types }: { out?: readonly string[]; into?: readonly string[]; types?: readonly string[] },
): Promise<Joined[]> {
  return await query<Joined>(
    `select e.id, e.name, e.type, e.state, r.kind, r.way, r.passages from (
       select target_id as id, kind, 'out' as way, passages from entity_relations
       where tenant_id = $1 and source_id = $2 and passages > 0 and kind = any($3)
       union all
       select source_id, kind, 'in', passages from entity_relations
       where tenant_id = $1 and target_id = $2 and passages > 0 and kind = any($4)) r
     -- One look-up by key for each: by the statistics of a new tenant the planner would begin with all its entities.
     join lateral (select * from entities where tenant_id = $1 and id = r.id offset 0) e
       on e.status = 'active' and ($5::text[] is null or e.type = any($5))
     order by r.passages desc, e.name, e.id limit 200`,
    [tenant, id, out, into, types ?? null],
  );
}

/** Signals about an entity in the last days, compared with the days before. */
export async function trendFor(
  query: Query,
  tenant: string,
  entity: { id: string; type: string },
  { today, days }: { today: Day; days: number },
): Promise<Trend> {
  const end = addDays(today, 1);
  const start = addDays(end, -days);
  const before = addDays(start, -days);
  const ranges = [
    ...cover(start, end).map((range) => ({ ...range, current: true })),
    ...cover(before, start).map((range) => ({ ...range, current: false })),
  ];
  const [row] = await query<{ current: number; previous: number }>(
    `${countedSql(`${about('$2')} and ${saidSince(before)} and ${saidBefore(end)}`)}
     select coalesce(sum(n.signals) filter (where r.current), 0)::int as current,
       coalesce(sum(n.signals) filter (where not r.current), 0)::int as previous
     from jsonb_to_recordset($4::jsonb) r(grain text, "from" date, "to" date, current boolean)
     cross join lateral (select c.signals from counted c where c.kind = $3 and c.row_id = any($2) and c.column_id = ''
       and c.grain = r.grain and c.day >= r."from" and c.day < r."to" offset 0) n`,
    [tenant, [entity.id], entity.type, JSON.stringify(ranges)],
  );
  return trendOf(row!.current, row!.previous);
}

/** States of finished issues. */
const done = new Set(['fixed', 'resolved', 'closed', 'done', 'shipped', 'released', 'wont_fix', "won't fix", 'wontfix', 'duplicate', 'cancelled', 'canceled']); // prettier-ignore
export const isOpen = (state: string | null): boolean => state === null || !done.has(state.toLowerCase());

export const severityLabel = (mean: number): Severity => severities[Math.round(mean)]!;
export const round = (value: number): number => Math.round(value * 100) / 100;
/** @param thousandths sum of sentiments */
export const meanSentiment = (thousandths: number, signals: number): number => round(thousandths / 1000 / signals);
