import type { Database } from '../../adapters/postgres/database.ts';
import type { Entity } from '../../contracts/graph/graph.ts';

/** Entities by the requested ids; a merged one is shown as its survivor. */
export async function entitiesById(query: Database['query'], tenant: string, ids: readonly string[]): Promise<Map<string, Entity>> {
  const rows = await query<{
    asked: string;
    entity_id: string;
    name: string;
    type: string;
    signal_count: number;
    metadata: Record<string, unknown>;
    aliases: string[] | null;
  }>(
    `select a.id as asked, e.id as entity_id, e.name, e.type, e.signal_count, e.metadata,
       (select array_agg(n.alias order by n.alias) from entity_aliases n where n.tenant_id = $1 and n.entity_id = e.id and n.alias <> e.name) as aliases
     from entities a join entities e on e.tenant_id = $1 and e.id = coalesce(a.merged_into, a.id)
     where a.tenant_id = $1 and a.id = any($2)`,
    [tenant, ids],
  );
  return new Map(rows.map(({ asked, aliases, ...entity }) => [asked, { ...entity, aliases: aliases ?? [] }]));
}
