import type { Database } from '../postgres/database.ts';
import type { GraphStore, Relation } from './types.ts';
import { graphStore, type Neighbour } from './walk.ts';

/**
 * Traverses the relations in Postgres. Every statement names the tenant, beside row-level security, and runs as that
 * tenant (`asTenant`). Ids are compared as bytes, whatever the database's locale. Look-ups use lateral joins: the
 * planner's statistics of a new tenant are wrong by orders of magnitude, which would mislead ordinary joins.
 */
export const postgresGraph = (query: Database['query']): GraphStore =>
  graphStore('postgres', {
    async active(tenant, ids) {
      if (ids.length === 0) return [];
      return await query<{ id: string; type: string }>(
        `select id, type from entities where tenant_id = $1 and id = any($2) and status = 'active'`,
        [tenant, ids],
      );
    },

    async neighbours(tenant, ids, limit) {
      return await query<Neighbour & Record<string, unknown>>(
        `select f.id as "from", e."to", e.kind, e.passages
         from unnest($2::text[]) f(id)
         cross join lateral (select from entities where tenant_id = $1 and id = f.id and status = 'active' offset 0) active
         cross join lateral (
           select * from (
           (select target_id as "to", kind, passages from entity_relations where tenant_id = $1 and source_id = f.id and passages > 0
            order by passages desc, target_id collate "C", kind collate "C" limit $3)
           union all
           (select source_id, kind, passages from entity_relations where tenant_id = $1 and target_id = f.id and passages > 0
            order by passages desc, source_id collate "C", kind collate "C" limit $3)
           ) r order by passages desc, "to" collate "C", kind collate "C" limit $3
         ) e`,
        [tenant, ids, limit],
      );
    },

    async among(tenant, ids, limit) {
      return await query<Relation & Record<string, unknown>>(
        `select r.source_id as source, r.target_id as target, r.kind, r.passages, r.documents
         from entity_relations r
         where r.tenant_id = $1 and r.source_id = any($2) and r.target_id = any($2) and r.passages > 0
         order by r.passages desc, r.source_id collate "C", r.target_id collate "C", r.kind collate "C" limit ${limit}`,
        [tenant, ids],
      );
    },
  });
