import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { SignalClass } from '../../contracts/signals/signals.ts';
import { shortUnder } from './weight.ts';
import { sampleSets, type Cited, type Counts, type Filter, type Ranked, type SampleSet } from './types.ts';

type Query = Database['query'];

/** Classes of signals behind a term in the text; null: all. */
export const classesOf: Record<SampleSet, readonly SignalClass[] | null> = {
  any: null,
  problems: ['bug', 'complaint'],
  requests: ['request'],
  praise: ['praise'],
  churn: ['churn_risk'],
};

/** On signals `s`: still open on the day of the report. */
const isOpen = (asOf: string): string => `s.state = 'open' and (s.settled_at is null or s.settled_at > ${asOf}::timestamptz)`;

/** On signals `s`: whether it belongs to the set, by class, polarity and state as of that day. */
export const inSet = (set: SampleSet, asOf: string): string => {
  const classes = classesOf[set];
  if (classes === null) return 'true';
  const told = `s.class in (${classes.map((each) => `'${each}'`).join(', ')})`;
  if (set === 'praise') return `${told} and s.state in ('open', 'resolved') and coalesce(s.tone, 'positive') <> 'negative'`;
  const stands = `${told} and ${isOpen(asOf)}`;
  return set === 'problems' ? `${stands} and coalesce(s.tone, 'negative') <> 'positive'` : stands;
};

/** On signals `s`: those of the draft, said between two parameters. Parameters as in `valuesOf`. */
const between = (
  from: string,
  until: string,
): string => `s.tenant_id = $1 and s.occurred_at <= least(${until}::timestamptz, $10::timestamptz)
  and s.occurred_at >= coalesce(${from}::timestamptz, '-infinity') and s.created_at <= $9::timestamptz
  and ($4::text[] is null or s.id = any($4))
  and (($5::text[] is null and $6::text is null) or lower(s.area) = $6 or exists (
    select from signal_entities x where x.tenant_id = $1 and x.signal_id = s.id and x.entity_id = any($5)))
  and ($7::text is null or exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = s.id and x.entity_id = $7))
  and (not $8::boolean or s.id in (
    select c.id from signals c where c.tenant_id = $1 and c.compares
    union all select x.signal_id from signal_entities x where x.tenant_id = $1 and x.type = 'competitor'))`;

export const within = between('$3', '$2');

export const valuesOf = (filter: Filter, from = filter.from, until = filter.until): unknown[] => [
  filter.tenant,
  until,
  from,
  filter.signals,
  filter.entities,
  filter.area?.toLowerCase() ?? null,
  filter.customer,
  filter.competing,
  filter.known,
  filter.asOf,
];

export async function anySignal(query: Query, filter: Filter): Promise<boolean> {
  return (await query(`select 1 from signals s where ${within} limit 1`, valuesOf(filter))).length > 0;
}

interface Overview {
  newest: string | null;
  oldest: string | null;
  signals: number;
  customers: number;
  classes: Partial<Record<SignalClass, Counts>>;
  severe: Counts;
}

export async function overview(query: Query, filter: Filter): Promise<Overview> {
  const rows = await query<{
    class: SignalClass | null;
    severe: boolean | null;
    signals: number;
    newest: Date | null;
    oldest: Date | null;
  }>(
    `select s.class, s.severity >= 3 as severe, count(*)::int as signals, max(s.occurred_at) as newest, min(s.occurred_at) as oldest
     from signals s where ${within} group by grouping sets ((), (s.class), (s.severity >= 3))`,
    valuesOf(filter),
  );
  const customers = await query<{ class: SignalClass | null; severe: boolean | null; n: number }>(
    `select s.class, s.severity >= 3 as severe, count(distinct c.entity_id)::int as n from signals s
     join signal_entities c on c.tenant_id = $1 and c.signal_id = s.id and c.type = 'customer'
     where ${within} group by grouping sets ((), (s.class), (s.severity >= 3))`,
    valuesOf(filter),
  );
  const all = rows.find((row) => row.class === null && row.severe === null);
  const by = (c: SignalClass | null, severe: boolean | null): Counts => ({
    signals: rows.find((row) => row.class === c && row.severe === severe)?.signals ?? 0,
    customers: customers.find((row) => row.class === c && row.severe === severe)?.n ?? 0,
  });
  const classes: Overview['classes'] = {};
  for (const { class: each } of rows) if (each !== null) classes[each] = by(each, null);
  return {
    newest: all?.newest?.toISOString() ?? null,
    oldest: all?.oldest?.toISOString() ?? null,
    ...by(null, null),
    classes,
    severe: by(null, true),
  };
}

/** Entities of the signals, most frequent first, at most `top` per type. */
export async function rank(
  query: Query,
  filter: Filter,
  windows: { recentFrom: string; previousFrom: string },
  top: number,
): Promise<Ranked[]> {
  // The window before the first is only for trends.
  const from = filter.from === null ? null : windows.previousFrom;
  const own = `f.occurred_at >= coalesce($11::timestamptz, '-infinity')`;
  const rows = await query<{
    id: string;
    type: string;
    name: string;
    recent: number;
    previous: number;
    severity: number;
    signals: number[];
    customers: number[];
  }>(
    `with f as materialized (select s.id, s.severity, s.occurred_at, ${sampleSets.map((set) => `(${inSet(set, '$10')}) as in_${set}`).join(', ')}
       from signals s where ${within}),
     counted as (
       select x.entity_id, x.type, ${sampleSets.map((set) => `count(*) filter (where ${own} and f.in_${set})::int as n_${set}`).join(', ')},
         count(*) filter (where f.occurred_at >= $12)::int as recent,
         count(*) filter (where f.occurred_at >= $13 and f.occurred_at < $12)::int as previous,
         coalesce(max(f.severity) filter (where ${own}), 0)::int as severity
       from f join signal_entities x on x.tenant_id = $1 and x.signal_id = f.id group by x.entity_id, x.type),
     placed as (select c.*, row_number() over (partition by type order by n_any desc, n_problems desc, entity_id) as place from counted c where c.n_any > 0),
     chosen as (select p.*, e.name, e.type as of_type from placed p join entities e on e.tenant_id = $1 and e.id = p.entity_id where p.place <= $14),
     told as (
       select x.entity_id, ${sampleSets.map((set) => `count(distinct y.entity_id) filter (where f.in_${set})::int as n_${set}`).join(', ')}
       from f join signal_entities x on x.tenant_id = $1 and x.signal_id = f.id and x.entity_id in (select entity_id from chosen)
       join signal_entities y on y.tenant_id = $1 and y.signal_id = f.id and y.type = 'customer'
       where ${own} group by x.entity_id)
     select c.entity_id as id, c.of_type as type, c.name, c.recent, c.previous, c.severity,
       array[${sampleSets.map((set) => `c.n_${set}`).join(', ')}] as signals,
       array[${sampleSets.map((set) => `coalesce(t.n_${set}, 0)`).join(', ')}] as customers
     from chosen c left join told t on t.entity_id = c.entity_id order by c.type, c.place`,
    [...valuesOf(filter, from), filter.from, windows.recentFrom, windows.previousFrom, top],
  );
  return rows.map(({ signals, customers, ...row }) => ({
    ...row,
    counts: bySet((i) => ({ signals: signals[i]!, customers: customers[i]! })),
    samples: bySet(() => []),
  }));
}

const bySet = <T>(of: (i: number) => T): Record<SampleSet, T> =>
  Object.fromEntries(sampleSets.map((set, i) => [set, of(i)])) as Record<SampleSet, T>;

/** Newest signals about each entity, per set of classes, without near-duplicates. */
export async function samples(
  query: Query,
  filter: Filter,
  entities: readonly string[],
  each: number,
): Promise<Map<string, Record<SampleSet, string[]>>> {
  const rows = await query<{ entity: string; set: SampleSet; id: string; group_id: string }>(
    `${sampleSets
      .map(
        (set) => `select e.id as entity, '${set}' as set, n.id, n.group_id, n.occurred_at from unnest($11::text[]) e(id)
     cross join lateral (
       select s.id, s.group_id, s.occurred_at from signal_entities z join signals s on s.tenant_id = $1 and s.id = z.signal_id
       where z.tenant_id = $1 and z.entity_id = e.id and ${within} and ${inSet(set, '$10')}
       order by z.occurred_at desc, s.id limit $12) n`,
      )
      .join(' union all ')}
     order by entity, set, occurred_at desc, id`,
    [...valuesOf(filter), entities, each * 4],
  );
  const found = new Map<string, Record<SampleSet, string[]>>();
  const groups = new Set<string>();
  for (const { entity, set, id, group_id } of rows) {
    const sample = found.get(entity) ?? bySet(() => []);
    found.set(entity, sample);
    const key = `${entity} ${set} ${group_id}`;
    if (groups.has(key) || sample[set].length >= each) continue;
    groups.add(key);
    sample[set].push(id);
  }
  return found;
}

/** Days before the period from which open matters are still told. */
const backgroundDays = 365;

/**
 * The signals that tell most, without near-duplicates: of the period the weightiest of each class, severe and specific
 * ones first; from the year before it what is still open; and what these settle, repeat or are settled by.
 */
export async function telling(
  query: Query,
  filter: Filter,
  most: { perClass: number; background: number; linked: number },
): Promise<{ own: string[]; linked: string[] }> {
  const own = await query<{ id: string; late: boolean }>(
    `with f as materialized (
       select s.id, s.class, s.occurred_at, s.group_id,
         s.severity + (s.statement ~ '[0-9]')::int + (length(s.statement) >= 40)::int + (s.state <> 'open')::int as weight
       from signals s where ${within}),
     grouped as (select distinct on (group_id) * from f order by group_id, occurred_at desc, id),
     placed as (select g.*, row_number() over (partition by class order by weight desc, occurred_at desc, id) as place from grouped g)
     select id, true as late from placed where place <= $11
     union all
     (select s.id, false from signals s
      where $3::timestamptz is not null and ${between('($3::timestamptz - $13::interval)', '$10')} and (s.occurred_at < $3::timestamptz or s.occurred_at > $2::timestamptz)
        and (s.class = 'churn_risk' or s.class in ('bug', 'complaint', 'request') and s.severity >= 2) and ${isOpen('$10')}
      order by s.severity desc, s.occurred_at desc, s.id limit $12)`,
    [...valuesOf(filter), most.perClass, most.background, `${backgroundDays} days`],
  );
  const ids = own.map(({ id }) => id);
  const linked = await query<{ id: string }>(
    `with own as (select s.id, s.earlier_id, s.settled_by from signals s where s.tenant_id = $1 and s.id = any($11)),
     roots as (select earlier_id as id from own where earlier_id is not null union select id from own)
     select s.id from signals s where ${within} and s.id <> all($11) and (
       s.id in (select id from roots) or s.id in (select settled_by from own) or s.earlier_id in (select id from roots))
     order by s.occurred_at desc, s.id limit $12`,
    // What is linked may be about other things than the draft.
    [
      ...valuesOf({ ...filter, signals: null, entities: null, area: null, customer: null, competing: false }, null, filter.asOf),
      ids,
      most.linked,
    ],
  );
  return { own: ids, linked: linked.map(({ id }) => id) };
}

/** Ids of the newest signals, without near-duplicates. */
export async function newest(query: Query, filter: Filter, limit: number): Promise<string[]> {
  const rows = await query<{ id: string; group_id: string }>(
    `select s.id, s.group_id from signals s where ${within} order by s.occurred_at desc, s.id limit $11`,
    [...valuesOf(filter), limit * 6],
  );
  return rows
    .filter((row, i) => rows.findIndex((other) => other.group_id === row.group_id) === i)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Signals with the data for citations; what was said later than the draft's day is not known. */
export async function cite(query: Query, filter: Filter, ids: readonly string[]): Promise<Record<string, Cited>> {
  const named = (
    type: string,
  ): string => `array(select e.name from signal_entities x join entities e on e.tenant_id = $1 and e.id = x.entity_id
    where x.tenant_id = $1 and x.signal_id = n.id${type} order by e.name)`;
  const rows = await query<
    Omit<Cited, 'at' | 'ref' | 'settledAt' | 'documentAt'> & { id: string; at: Date; settledAt: Date | null; documentAt: Date } & Row
  >(
    `select n.id, n.document_id || '#' || c.ordinal as passage, n.statement, n.class, n.tone, n.sentiment, n.severity::int as severity, n.state,
       n.start_at as start, coalesce(d.said_at, n.occurred_at) as "documentAt", n.earlier_id as "earlierId", n.earlier, n.source, n.author, n.occurred_at as at, n.group_id as "group",
       case when n.settled_at <= $10::timestamptz then n.settled_by end as "settledBy",
       case when n.settled_at <= $10::timestamptz then n.settled_at end as "settledAt",
       (select b.statement from signals b where b.tenant_id = $1 and b.document_id = n.document_id and b.chunk_id = n.chunk_id
          and b.author_key is not distinct from n.author_key and b.occurred_at = n.occurred_at
          and b.end_at <= n.start_at and b.end_at >= n.start_at - 120 and length(n.statement) < ${shortUnder}
          and (n.author_key is not null or exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = n.id and x.type = 'customer'))
          and not exists (select from signal_entities x where x.tenant_id = $1 and x.signal_id = b.id and x.type = 'customer'
            and not exists (select from signal_entities y where y.tenant_id = $1 and y.signal_id = n.id and y.entity_id = x.entity_id))
          order by b.start_at desc limit 1) as before,
       greatest(1, (select count(*)::int from signals s where s.group_id = n.group_id and ${within})) as copies,
       ${named(" and x.type = 'customer'")} as customers, ${named(" and x.type = 'feature'")} as features,
       ${named(" and x.type = 'competitor'")} as competitors, ${named('')} as names
     from signals n join chunks c on c.tenant_id = $1 and c.id = n.chunk_id join documents d on d.tenant_id = $1 and d.id = n.document_id
     where n.tenant_id = $1 and n.id = any($11)`,
    [...valuesOf(filter), ids],
  );
  return Object.fromEntries(
    rows.map(({ id, at, settledAt, documentAt, ...row }) => [
      id,
      { ref: id, ...row, at: at.toISOString(), settledAt: settledAt?.toISOString() ?? null, documentAt: documentAt.toISOString() },
    ]),
  );
}
