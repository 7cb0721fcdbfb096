import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { evidenceClasses } from '../../../contracts/signals/opportunities.ts';
import { sharedTypes } from './affinity.ts';
import { windowDays, type Evidence } from './score.ts';
import type { Named } from './title.ts';

type Query = Database['query'];

/** Totals of one cluster's statements. */
export interface Counted extends Evidence {
  id: string;
  first: Date;
  last: Date;
  /** Product areas, in the words of the sources. */
  areas: string[];
  /** Features, issues and themes, most frequent first. */
  entities: (Named & { entity_id: string })[];
}

type CountedRow = Omit<Counted, 'entities' | 'classes' | 'customers'> & Record<(typeof evidenceClasses)[number], number> & Row;

const mostEntities = 8;
const days = (from: number, to: number): string =>
  `s.occurred_at > now() - interval '${to} days' and s.occurred_at <= now() - interval '${from} days'`;

/** By cluster; clusters without statements are left out. */
export async function evidenceOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, Counted>> {
  const rows = await query<CountedRow>(
    `select m.cluster_id as id, count(*)::int as signals, count(distinct s.group_id)::int as statements,
       count(distinct s.group_id) filter (where not exists (
         select from signal_entities e where e.tenant_id = $1 and e.signal_id = s.id and e.type = 'customer'))::int as anonymous,
       ${evidenceClasses.map((name) => `count(*) filter (where s.class = '${name}')::int as ${name}`).join(', ')},
       avg(s.severity)::float8 as severity, avg(s.sentiment)::float8 as sentiment, avg(s.class_confidence)::float8 as certainty,
       count(*) filter (where s.severity >= 3)::int as severe, count(distinct s.source)::int as sources,
       count(*) filter (where ${days(0, windowDays)})::int as current,
       count(*) filter (where ${days(windowDays, 2 * windowDays)})::int as previous,
       min(s.occurred_at) as first, max(s.occurred_at) as last,
       coalesce(array_agg(distinct s.area) filter (where s.area is not null), '{}') as areas
     from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
     where m.tenant_id = $1 and m.cluster_id = any($2::uuid[]) and s.class = any($3) group by 1`,
    [tenant, ids, evidenceClasses],
  );
  const customers = await query<{ id: string; n: number }>(
    `select m.cluster_id as id, count(distinct e.entity_id)::int as n from opportunity_signals m
     join signal_entities e on e.tenant_id = $1 and e.signal_id = m.signal_id and e.type = 'customer'
     where m.tenant_id = $1 and m.cluster_id = any($2::uuid[]) group by 1`,
    [tenant, ids],
  );
  const named = await query<Named & { id: string; entity_id: string } & Row>(
    `with told as (
       select m.cluster_id as id, e.entity_id, count(distinct m.group_id)::int as count from opportunity_signals m
       join signal_entities e on e.tenant_id = $1 and e.signal_id = m.signal_id and e.type = any($3)
       where m.tenant_id = $1 and m.cluster_id = any($2::uuid[]) group by 1, 2),
     ranked as (select *, row_number() over (partition by id order by count desc, entity_id) as rank from told)
     select r.id, r.entity_id, r.count, n.name, n.type from ranked r join entities n on n.tenant_id = $1 and n.id = r.entity_id
     where r.rank <= ${mostEntities} order by r.id, r.rank`,
    [tenant, ids, sharedTypes],
  );
  const customersOf = new Map(customers.map(({ id, n }) => [id, n]));
  const namedBy = Map.groupBy(named, ({ id }) => id);
  return new Map(rows.map((row) => [row.id, countedOf(row, customersOf.get(row.id) ?? 0, namedBy.get(row.id) ?? [])]));
}

function countedOf(row: CountedRow, customers: number, named: readonly (Named & { entity_id: string })[]): Counted {
  const classes = Object.fromEntries(evidenceClasses.map((name) => [name, row[name]] as const).filter(([, n]) => n > 0));
  const entities = named.map(({ entity_id, name, type, count }) => ({ entity_id, name, type, count }));
  return { ...(row as Omit<Counted, 'entities' | 'classes' | 'customers'>), customers, classes, entities };
}
