import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Like } from '../knowledge/index.ts';
import type { Scope } from '../knowledge/index.ts';
import type { Columns } from '../../prisma/rows.ts';

/** The statements of graph retrieval, each bounded, for the search's own transaction. */

type Query = Database['query'];

/** Entities of the starting passages that paths may go by: the rarest. */
const entities = 64;
/** Mentions of an entity beyond which it is not looked at where they are. */
const mentions = 1_000;
/** Passages of an entity beyond which it leads nowhere. */
export const spread = 50;

/** A single word in lower case that is a name elsewhere is mostly just the word. Scripts without case are left alone. */
const written = `not (m.surface = lower(m.surface) and m.surface <> upper(m.surface) and m.surface !~ '\\s')`;
/** Said of its document as a whole. */
const whole = 'm.start_at = 0 and m.end_at = 0';

export interface NamedEntity extends Row, Columns<'entities', 'id' | 'name' | 'type' | 'signal_count' | 'mention_count'> {}

/** Entities that have one of these names, those with the longest names first. */
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
  /** Null, and what follows: no entity is mentioned there. */
  entity: string | null;
  name: string;
  type: string;
  mention_count: number;
  /** Of its name with the query's vector; null: it has none. */
  cosine: number | null;
}

/** Titles of passages with the entities mentioned there, or by their documents as a whole; at least one row each. */
export async function startingPassages(query: Query, tenant: string, ids: readonly string[], like: Like | null): Promise<StartRow[]> {
  return await query<StartRow>(
    `select c.id::text as passage, c.title, e.id as entity, e.name, e.type, e.mention_count,
       case when $3::text is not null and e.model = $4 then 1 - (e.embedding <=> $3::halfvec(384))::float8 end as cosine
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
  /** False: a filter of the search leaves it out. */
  allowed: boolean;
  /** With the query's vector; null: it has none. */
  cosine: number | null;
}

/**
 * Where entities are mentioned in the scope, at most one passage more than `spread` of each; the rarest entities only.
 * The fences keep to this order, which is right for few entities, before Postgres has statistics of new rows.
 */
export async function placesOf(query: Query, scope: Scope, ids: readonly string[], like: Like | null): Promise<PlaceRow[]> {
  return await query<PlaceRow>(
    `select e.id as entity, e.name, e.mention_count, p.id::text as passage,
       ($5::text[] is null or p.source_id = any($5)) and ($6::boolean is null or p.has_code = $6) as allowed,
       case when $7::text is not null and p.model = $8 then 1 - (p.embedding <=> $7::halfvec(384))::float8 end as cosine
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
