import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Like } from '../knowledge/index.ts';
import type { Scope } from '../knowledge/index.ts';
import type { Columns } from '../../prisma/rows.ts';

/** Statements of graph retrieval, each limited, for the search's transaction. */

type Query = Database['query'];

/** Entities of the starting passages that are used: the rarest. */
const entities = 64;
/** Maximum mentions of an entity for which locations are read. */
const mentions = 1_000;
/** Maximum passages of an entity that is used in paths. */
export const spread = 50;

/** A single lower-case word that is a name elsewhere is usually not a name. Scripts without case are not filtered. */
const written = `not (m.surface = lower(m.surface) and m.surface <> upper(m.surface) and m.surface !~ '\\s')`;
/** A mention of the whole document. */
const whole = 'm.start_at = 0 and m.end_at = 0';

export interface NamedEntity extends Row, Columns<'entities', 'id' | 'name' | 'type' | 'signal_count' | 'mention_count'> {}

/** Entities with one of these names, longest names first. */
export async function namedEntities(query: Query, tenant: string, keys: readonly string[], limit = 100): Promise<NamedEntity[]> {
  return await query<NamedEntity>(
    `select e.id, e.name, e.type, e.signal_count, e.mention_count from entities e
     join (select entity_id, max(length(key)) as length from entity_aliases where tenant_id = $1 and key = any($2::text[]) group by entity_id) a
       on a.entity_id = e.id
     where e.tenant_id = $1 and e.status = 'active' order by a.length desc, e.signal_count desc, e.id limit ${limit}`,
    [tenant, keys],
  );
}

export interface StartRow extends Row {
  passage: string;
  title: string | null;
  /** Null, as are the following fields: no entity is mentioned there. */
  entity: string | null;
  name: string;
  type: string;
  mention_count: number;
  /** Cosine of its name with the query's vector; null: no vector. */
  cosine: number | null;
}

/** Titles of passages with the entities mentioned in them, or in their documents as a whole; at least one row each. */
export async function startingPassages(query: Query, tenant: string, ids: readonly string[], like: Like | null): Promise<StartRow[]> {
  return await query<StartRow>(
    `select c.id::text as passage, c.title, e.id as entity, e.name, e.type, e.mention_count,
       case when $3::text is not null and e.model = $4 then 1 - (e.embedding <=> $3::halfvec)::float8 end as cosine
     from chunks c
     left join chunks f on f.tenant_id = $1 and f.document_id = c.document_id and f.ordinal = 0
     left join lateral (
       select m.entity_id from entity_mentions m where m.tenant_id = $1 and m.chunk_id = c.id and ${written}
       union select m.entity_id from entity_mentions m where m.tenant_id = $1 and m.chunk_id = f.id and ${whole}
     ) n on true
     left join entities e on e.tenant_id = $1 and e.id = n.entity_id and e.status = 'active'
     where c.tenant_id = $1 and c.id = any($2::bigint[]) order by c.id, e.id`,
    [tenant, ids, vectorOf(like), like?.model ?? null],
  );
}

export interface PlaceRow extends Row {
  entity: string;
  name: string;
  mention_count: number;
  passage: string;
  /** False: excluded by a filter of the search. */
  allowed: boolean;
  /** Cosine with the query's vector; null: no vector. */
  cosine: number | null;
}

/**
 * Passages that mention the rarest entities in the scope, at most one more than `spread` of each. The fences keep
 * this order of execution, which is right for few entities, before Postgres has statistics of new rows.
 */
export async function placesOf(query: Query, scope: Scope, ids: readonly string[], like: Like | null): Promise<PlaceRow[]> {
  return await query<PlaceRow>(
    `select e.id as entity, e.name, e.mention_count, p.id::text as passage,
       ($5::text[] is null or p.source_id = any($5)) and ($6::boolean is null or p.has_code = $6) as allowed,
       case when $7::text is not null and p.model = $8 then 1 - (p.embedding <=> $7::halfvec)::float8 end as cosine
     from (select id, name, mention_count from entities where tenant_id = $1 and id = any($2) and status = 'active'
       and mention_count <= ${mentions} order by mention_count, id limit ${entities}) e
     cross join lateral (
       select c.* from (select distinct m.chunk_id from entity_mentions m
         where m.tenant_id = $1 and m.entity_id = e.id and (${written} or (${whole})) offset 0) m
       cross join lateral (select id, source_id, has_code, model, embedding from chunks where id = m.chunk_id and tenant_id = $1
         and scope = any($3) and not document_id = any($4) offset 0) c
       order by c.id limit ${spread + 1}
     ) p`,
    [scope.tenant, ids, scope.scopes, scope.hidden, scope.sources ?? null, scope.hasCode ?? null, vectorOf(like), like?.model ?? null],
  );
}

export async function isEmpty(query: Query, tenant: string): Promise<boolean> {
  const rows = await query(`select 1 from entities where tenant_id = $1 and status = 'active' limit 1`, [tenant]);
  return rows.length === 0;
}

const vectorOf = (like: Like | null): string | null => (like ? `[${like.vector.join(',')}]` : null);
