import type { Database } from '../../adapters/postgres/database.ts';
import { inSet, valuesOf, within } from './evidence-sql.ts';
import type { Figure, Filter } from './types.ts';

type Query = Database['query'];

/** On signals `s`: those that a figure counts. Parameters as in `figureValues`. */
const inFigure = ({ set = 'any' }: Figure): string => `${within}
  and ($11::text is null or exists (select from signal_entities y where y.tenant_id = $1 and y.signal_id = s.id and y.entity_id = $11))
  and ($12::text[] is null or s.class = any($12)) and s.severity >= $13 and ($14::text is null or s.group_id = $14)
  and ${inSet(set, '$10')}`;

const figureValues = (filter: Filter, figure: Figure): unknown[] => [
  ...valuesOf(filter, figure.from ?? filter.from, figure.until ?? filter.until),
  figure.entity ?? null,
  figure.classes ?? null,
  figure.severity ?? 0,
  figure.group ?? null,
];

/** Recomputes a figure. */
export async function counted(query: Query, filter: Filter, figure: Figure): Promise<number> {
  const what = figure.of === 'customers' ? 'count(distinct c.entity_id)' : 'count(*)';
  const customers =
    figure.of === 'customers' ? `join signal_entities c on c.tenant_id = $1 and c.signal_id = s.id and c.type = 'customer'` : '';
  const [row] = await query<{ n: number }>(
    `select ${what}::int as n from signals s ${customers} where ${inFigure(figure)}`,
    figureValues(filter, figure),
  );
  return row!.n;
}

/** The signals that a figure counts, or whose customers it counts; newest first. */
export async function signalsOfFigure(query: Query, filter: Filter, figure: Figure, limit: number): Promise<string[]> {
  const customers =
    figure.of === 'customers'
      ? `and exists (select from signal_entities c where c.tenant_id = $1 and c.signal_id = s.id and c.type = 'customer')`
      : '';
  const rows = await query<{ id: string }>(
    `select s.id from signals s where ${inFigure(figure)} ${customers} order by s.occurred_at desc, s.id limit ${limit}`,
    figureValues(filter, figure),
  );
  return rows.map(({ id }) => id);
}
