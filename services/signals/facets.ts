import type { Database, Row } from '../../adapters/postgres/database.ts';
import { severities } from '../../contracts/signals/signals.ts';
import type { EntityLookup } from '../graph/index.ts';
import { checkFilters, whereOf, type SignalFilters } from './filters.ts';
import { namedIn, namedTypes, type SignalQuery } from './search.ts';

type Query = Database['query'];

export interface FacetValue {
  value: string;
  count: number;
}

export interface NamedFacetValue extends FacetValue {
  entity_id: string;
}

/** A column of signals with few values, and the filter on it. */
const columns = {
  class: 'classes',
  severity: 'severity',
  tone: 'tone',
  state: 'state',
  source: 'source',
  area: 'area',
} as const satisfies Record<string, keyof SignalFilters>;
type Column = keyof typeof columns;
type NamedType = (typeof namedTypes)[number];

export interface SignalFacets {
  /** Signals that pass all filters; near-duplicates once. */
  total: number;
  groups: number;
  facets: Record<Column, FacetValue[]> & Record<NamedType, NamedFacetValue[]>;
}

/** Of each facet, the most frequent. */
const mostValues = 20;

/**
 * Counts of signals by value. Each facet is counted within all filters but its own, so that it tells what another
 * choice would find.
 * @throws AppError VALIDATION_ERROR, AMBIGUOUS_ENTITY, NOT_FOUND (an unknown name)
 */
export async function signalFacets(
  { db, lookup }: { db: Database; lookup: EntityLookup },
  tenant: string,
  wanted: Omit<SignalQuery, 'limit' | 'cursor' | 'query'>,
): Promise<SignalFacets> {
  checkFilters(wanted);
  const { query } = db;
  const named = await namedIn(lookup, tenant, { ...wanted, limit: 1 });
  const within = (leave?: NamedType): SignalFilters => ({
    ...wanted,
    entities: [
      ...namedTypes.flatMap((type) => (type !== leave && named[type] !== undefined ? [named[type]] : [])),
      ...(wanted.about ?? []),
    ],
  });
  const all = Object.keys(columns) as Column[];
  const filtered = all.filter((column) => wanted[columns[column]] !== undefined);
  const free = all.filter((column) => !filtered.includes(column));
  const facets: Partial<SignalFacets['facets']> = {};
  const { total, groups, values } = await countColumns(query, tenant, within(), free);
  Object.assign(facets, values);
  for (const column of filtered)
    Object.assign(facets, (await countColumns(query, tenant, { ...within(), [columns[column]]: undefined }, [column])).values);
  const unnamed = namedTypes.filter((type) => named[type] === undefined);
  Object.assign(facets, await countNames(query, tenant, within(), unnamed));
  for (const type of namedTypes)
    if (named[type] !== undefined) Object.assign(facets, await countNames(query, tenant, within(type), [type]));
  return { total, groups, facets: facets as SignalFacets['facets'] };
}

async function countColumns(
  query: Query,
  tenant: string,
  filters: SignalFilters,
  counted: readonly Column[],
): Promise<{ total: number; groups: number; values: Partial<Record<Column, FacetValue[]>> }> {
  const { where, values } = whereOf(filters, tenant);
  const sets = ['()', ...counted.map((column) => `(${column})`)].join(', ');
  const rows = await query<Row & { facet: Column | null; value: string | null; n: number; groups: number }>(
    `with s as materialized (
       select s.class, s.severity, s.tone, s.state, s.source, s.area, s.group_id from signals s where ${where})
     select case ${counted.map((column) => `when grouping(${column}) = 0 then '${column}'`).join(' ') || 'when false then null'} end as facet,
       coalesce(${[...counted.map((column) => `${column}::text`), 'null'].join(', ')}) as value, count(*)::int as n,
       count(distinct group_id)::int as groups
     from s group by grouping sets (${sets}) order by n desc, value`,
    values,
  );
  const whole = rows.find(({ facet }) => facet === null);
  return {
    total: whole?.n ?? 0,
    groups: whole?.groups ?? 0,
    values: Object.fromEntries(
      counted.map((column) => [
        column,
        rows
          .filter(({ facet, value }) => facet === column && value !== null)
          .slice(0, mostValues)
          .map(({ value, n }) => ({ value: column === 'severity' ? severities[Number(value)]! : value!, count: n })),
      ]),
    ),
  };
}

async function countNames(
  query: Query,
  tenant: string,
  filters: SignalFilters,
  types: readonly NamedType[],
): Promise<Partial<Record<NamedType, NamedFacetValue[]>>> {
  const { where, values } = whereOf(filters, tenant);
  const rows = await query<Row & { type: NamedType; entity_id: string; value: string; n: number }>(
    `with counted as (
       select x.type, x.entity_id, count(*)::int as n from signals s join signal_entities x on x.tenant_id = $1 and x.signal_id = s.id
       where ${where} and x.type = any($${values.length + 1}) group by 1, 2),
     placed as (select c.*, row_number() over (partition by type order by n desc, entity_id) as place from counted c)
     select p.type, p.entity_id, e.name as value, p.n from placed p join entities e on e.tenant_id = $1 and e.id = p.entity_id
     where p.place <= ${mostValues} order by p.n desc, e.name, p.entity_id`,
    [...values, types],
  );
  return Object.fromEntries(
    types.map((type) => [type, rows.filter((row) => row.type === type).map(({ entity_id, value, n }) => ({ value, entity_id, count: n }))]),
  );
}
