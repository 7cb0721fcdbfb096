import type { GraphStore } from '../../../adapters/graph/types.ts';
import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { signalClasses, type SignalClass } from '../../../contracts/signals/signals.ts';
import type { EntityRef, Evidence } from '../../../contracts/graph/graph.ts';
import type { EntityLookup } from '../../graph/index.ts';
import type { FindPassages } from '../../graph/index.ts';
import { countedSql, isScoped, saidBefore, saidSince } from './counted.ts';
import { addDays, cover, type Day } from './days.ts';
import { signalsWhere } from './evidence.ts';
import { focusOn, type Focus } from './focus.ts';
import {
  confidenceOf,
  assumptions,
  fewest,
  insightKinds,
  lacking,
  leadsIn,
  statementOf,
  type Breadth,
  type InsightKind,
  type Lead,
  type Said,
} from './strategy-rules.ts';

type Query = Database['query'];

export interface StrategicInsight {
  kind: InsightKind;
  statement: string;
  /** 0 to 1 */
  confidence: number;
  entity: Omit<EntityRef, 'signal_count'>;
  /** Different statements, documents, kinds of sources and customers. */
  breadth: Omit<Breadth, 'certainty'>;
  evidence: Evidence[];
}

export interface StrategicInsights {
  insights: StrategicInsight[];
  window: { from: Day; to: Day; days: number };
  /** How the focus was interpreted; null: no focus. */
  focus: string | null;
  signals_considered: number;
  /** Why there are not more insights. */
  missing: string[];
  /** What the answer takes for granted. */
  assumptions: string[];
}

export interface StrategyDeps {
  db: Pick<Database, 'query'>;
  graph: GraphStore;
  lookup: EntityLookup;
  find: FindPassages;
}

/** Per kind. */
const shown = 5;
const shownEvidence = 4;
/** Number of entities considered: those with most signals. */
const weighed = 2_000;

/**
 * Patterns, risks and opportunities in the signals of a window, each with evidence.
 * @throws AppError AMBIGUOUS_ENTITY (focus)
 */
export async function strategicInsights(
  { db: { query }, ...deps }: StrategyDeps,
  tenant: string,
  { focusArea, windowDays, today }: { focusArea?: string | undefined; windowDays: number; today: Day },
): Promise<StrategicInsights> {
  const focus = focusArea === undefined ? null : await focusOn({ query, ...deps }, tenant, focusArea);
  const end = addDays(today, 1);
  const window: Window = { start: addDays(end, -windowDays), end, before: addDays(end, -2 * windowDays), focus };
  const considered = await consider(query, tenant, window);
  const answer = {
    window: { from: window.start, to: today, days: windowDays },
    focus: focus?.told ?? null,
    signals_considered: considered,
    assumptions: assumptions(windowDays),
  };
  if (considered < fewest) {
    return { ...answer, insights: [], missing: await notEnough(query, tenant, window, considered, focusArea) };
  }
  const leads = (await said(query, tenant, window)).flatMap((each) => leadsIn(each, windowDays));
  const insights: StrategicInsight[] = [];
  const missing: string[] = [];
  for (const kind of insightKinds) {
    const found: StrategicInsight[] = [];
    for (const lead of leads.filter((each) => each.kind === kind).toSorted((a, b) => b.weight - a.weight)) {
      if (found.length === shown) break;
      const insight = await shownBy(query, tenant, window, lead);
      if (insight) found.push(insight);
    }
    if (found.length === 0) missing.push(lacking[kind]);
    insights.push(...found.toSorted((a, b) => b.confidence - a.confidence));
  }
  return { ...answer, insights, missing };
}

interface Window {
  start: Day;
  end: Day;
  before: Day;
  focus: Focus | null;
}

/**
 * On signals `s`.
 * @param parameter with the focus' ids
 */
const inFocus = (focus: Focus | null, parameter: string): string =>
  focus === null
    ? 'true'
    : focus.by === 'entities'
      ? `s.id in (select f.signal_id from signal_entities f where f.tenant_id = $1 and f.entity_id = any(${parameter}))`
      : `s.id = any(${parameter})`;

async function consider(query: Query, tenant: string, { start, end, focus }: Window): Promise<number> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from signals s where s.tenant_id = $1 and ${saidSince(start)} and ${saidBefore(end)} and ${inFocus(focus, '$2')}`,
    focus === null ? [tenant] : [tenant, focus.ids],
  );
  return row!.n;
}

async function said(query: Query, tenant: string, { start, end, before, focus }: Window): Promise<Said[]> {
  const ranges = [
    ...cover(start, end).map((range) => ({ ...range, current: true })),
    ...cover(before, start).map((range) => ({ ...range, current: false })),
  ];
  const now = (column: string): string => `coalesce(sum(n.${column}) filter (where r.current), 0)::float8`;
  const rows = await query<Row & Omit<Said, 'classes'> & Record<SignalClass, number>>(
    `${countedSql(`${saidSince(before)} and ${saidBefore(end)} and ${inFocus(focus, '$3')}`, isScoped() || focus !== null)},
     moved as (
       select n.kind, n.row_id, ${now('signals')} as signals, coalesce(sum(n.signals) filter (where not r.current), 0)::float8 as previous,
         ${now('severity')} as severity, ${now('sentiment')} as sentiment, ${signalClasses.map((each) => `${now(each)} as ${each}`).join(', ')}
       from jsonb_to_recordset($2::jsonb) r(grain text, "from" date, "to" date, current boolean)
       cross join lateral (select c.* from counted c where c.kind in ('customer', 'feature', 'issue', 'theme')
         and c.grain = r.grain and c.day >= r."from" and c.day < r."to" offset 0) n
       group by 1, 2)
     select e.id, e.type, e.name, m.* from moved m join entities e on e.tenant_id = $1 and e.id = m.row_id and e.status = 'active'
     where m.signals > 0 order by m.churn_risk > 0 desc, m.signals desc, e.id limit ${weighed}`,
    focus === null ? [tenant, JSON.stringify(ranges)] : [tenant, JSON.stringify(ranges), focus.ids],
  );
  return rows.map(({ id, type, name, signals, previous, severity, sentiment, ...row }) => ({
    id,
    type,
    name,
    signals,
    previous,
    severity,
    sentiment,
    classes: Object.fromEntries(signalClasses.map((each) => [each, row[each]])) as Record<SignalClass, number>,
  }));
}

/** @returns null when only one statement supports it, even with copies */
async function shownBy(query: Query, tenant: string, window: Window, lead: Lead): Promise<StrategicInsight | null> {
  const { classes, sentimentTo, severityFrom } = lead.shownBy;
  const where = `s.id in (select a.signal_id from signal_entities a where a.tenant_id = $1 and a.entity_id = $2
      and a.occurred_at >= '${window.start}T00:00:00Z' and a.occurred_at < '${window.end}T00:00:00Z')
    and ${saidSince(window.start)} and ${saidBefore(window.end)}
    and ($3::text[] is null or s.class = any($3)) and s.sentiment <= $4::real and s.severity >= $5::int and ${inFocus(window.focus, '$6')}
    and (s.class <> 'churn_risk' or (s.state = 'open' and (s.settled_at is null or s.settled_at >= '${window.end}T00:00:00Z')))`;
  const values = [lead.said.id, classes, sentimentTo, severityFrom, ...(window.focus ? [window.focus.ids] : [])];
  const [breadth] = await query<Row & Breadth & { signals: number }>(
    `with shown as (select s.* from signals s where s.tenant_id = $1 and ${where})
     select count(*)::int as signals, count(distinct group_id)::int as statements, count(distinct document_id)::int as documents, count(distinct source)::int as sources,
       coalesce(avg(class_confidence), 0)::float8 as certainty,
       (select count(distinct k.entity_id)::int from signal_entities k join shown h on h.id = k.signal_id
        where k.tenant_id = $1 and k.type = 'customer') as customers
     from shown`,
    [tenant, ...values],
  );
  if (!breadth || (breadth.statements < 2 && lead.shownBy.classes?.[0] !== 'churn_risk') || breadth.statements === 0) return null;
  const evidence = await signalsWhere(query, tenant, {
    // One per group of near-duplicates.
    where: `s.id in (select min(s.id) from signals s where s.tenant_id = $1 and ${where} group by s.group_id)`,
    values,
    order: 's.class_confidence desc, s.occurred_at desc, s.id',
    limit: shownEvidence,
  });
  const { certainty: _, signals: __, ...wide } = breadth;
  return {
    kind: lead.kind,
    statement: statementOf(lead, breadth),
    confidence: confidenceOf(breadth),
    entity: { entity_id: lead.said.id, name: lead.said.name, type: lead.said.type },
    breadth: wide,
    evidence: evidence.map(({ ref, snippet, occurred_at }) => ({ ref, kind: 'passage', excerpt: snippet, occurred_at })),
  };
}

async function notEnough(query: Query, tenant: string, window: Window, found: number, focusArea: string | undefined): Promise<string[]> {
  const [row] = await query<{ newest: string | null }>(
    `select to_char(max(occurred_at) at time zone 'utc', 'YYYY-MM-DD') as newest from signals s where s.tenant_id = $1 and ${inFocus(window.focus, '$2')}`,
    window.focus === null ? [tenant] : [tenant, window.focus.ids],
  );
  const where = focusArea === undefined ? '' : ` about "${focusArea}"`;
  return [
    `Not enough evidence: ${found} ${found === 1 ? 'signal' : 'signals'}${where} from ${window.start} on; at least ${fewest} are needed.`,
    row?.newest
      ? row.newest < window.start
        ? `The newest signal${where} is of ${row.newest}: a longer time_window_days would reach it.`
        : 'More statements of customers are needed: ingest transcripts, tickets or documents.'
      : `There is no signal${where} at all: ingest transcripts, tickets or documents${focusArea === undefined ? '' : ', or leave focus_area out'}.`,
  ];
}
