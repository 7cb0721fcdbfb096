import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Columns } from '../../prisma/rows.ts';
import { isStanding } from './hold.ts';
import type { Filter, OtherSource } from './types.ts';

type Query = Database['query'];

interface FactRow extends Row, Columns<'graph_facts', 'id' | 'statement' | 'confidence'> {
  at: Date;
}

const factColumns = 'f.id, f.statement, coalesce(f.valid_from, f.recorded_from) as at, f.confidence';
/** On facts `f`: known and valid on a day. */
const validOn = (day: string): string =>
  `f.recorded_to is null and coalesce(f.valid_from, f.recorded_from) <= ${day}::timestamptz and (f.valid_to is null or f.valid_to > ${day}::timestamptz)`;
const factView = ({ id, statement, at, confidence }: FactRow): OtherSource => ({
  ref: id,
  kind: 'fact',
  excerpt: statement,
  at: at.toISOString(),
  weight: confidence,
});

/** Facts about these entities as of the draft's day, those with most evidence first. */
export async function factsAbout(
  query: Query,
  { tenant, asOf }: Filter,
  entities: readonly string[],
  limit: number,
): Promise<OtherSource[]> {
  const rows = await query<FactRow>(
    `select ${factColumns} from graph_facts f where f.tenant_id = $1 and (f.subject_id = any($2) or f.object_id = any($2)) and ${validOn('$4')}
     order by f.passages desc, f.confidence desc, f.id limit $3`,
    [tenant, entities, limit, asOf],
  );
  return rows.map(factView);
}

/** Those of these facts that still hold and have no document that is being deleted. */
export async function factsOf(query: Query, { tenant, asOf }: Filter, ids: readonly string[]): Promise<OtherSource[]> {
  if (ids.length === 0) return [];
  const rows = await query<FactRow>(
    `select ${factColumns} from graph_facts f where f.tenant_id = $1 and f.id = any($2) and ${validOn('$3')} and ${isStanding}`,
    [tenant, ids, asOf],
  );
  return rows.map(factView);
}
