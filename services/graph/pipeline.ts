import type { Database } from '../../adapters/postgres/database.ts';
import type { GraphSlice } from '../../contracts/activities/knowledge/pipeline.ts';
import { episodeBase } from '../../contracts/graph/graph.ts';
import { graphTogether } from './again.ts';
import type { Extracting } from './extract.ts';
import { extractorId } from '../../engines/extraction/index.ts';
import type { MatchSettings } from './index.ts';

export type GraphScope = 'recent' | 'unprocessed' | 'all';

/** Days of the scope `recent`. */
const recentDays = 7;
/** Documents per activity. */
const documentsAtOnce = 25;

/**
 * Active documents of the scope, without the platform's own; $2 is the scope, $3 the current rules. Episodes are read
 * for signals only if they are requested alone.
 */
const chosen = `d.tenant_id = $1 and d.status = 'active'
  and exists (select from knowledge_bases b where b.tenant_id = $1 and b.scope = d.scope and (b.id not like '\\_%' or b.id = '${episodeBase}'))
  and case $2 when 'all' then true when 'recent' then d.updated_at > now() - make_interval(days => ${recentDays})
    else d.graph is distinct from 'resolved' or d.extractor is distinct from $3
      or (d.signals_read_at is null and not exists (select from knowledge_bases b where b.tenant_id = $1 and b.scope = d.scope and b.id = '${episodeBase}')) end`;

export async function countForGraph(db: Database, tenant: string, scope: GraphScope): Promise<number> {
  const [row] = await db.query<{ n: number }>(`select count(*)::int as n from documents d where ${chosen}`, [tenant, scope, extractorId]);
  return row?.n ?? 0;
}

/**
 * Adds some documents to the graph again.
 * @param after id of the last finished one
 */
export async function graphSlice(
  deps: { db: Database; matching: MatchSettings },
  tenant: string,
  scope: GraphScope,
  after: string | null,
  options: Extracting,
): Promise<GraphSlice & { ids: string[] }> {
  const documents = await deps.db.query<{ id: string }>(
    `select d.id from documents d where ${chosen} and ($4::text is null or d.id > $4) order by d.id limit ${documentsAtOnce}`,
    [tenant, scope, extractorId, after],
  );
  const ids = documents.map((row) => row.id);
  const { reviews, mentions } = await graphTogether(deps, tenant, ids, { ...options, again: scope !== 'unprocessed' });
  return { next: ids.length === documentsAtOnce ? ids.at(-1)! : null, documents: ids.length, mentions, reviews, ids };
}
