import type { Database } from '../../adapters/postgres/database.ts';
import { followers } from '../kernel/followers.ts';
import { noteEvent } from '../kernel/outbox.ts';

type Query = Database['query'];

/** Counts and relations, folded from mentions. The caller holds the tenant's graph lock. */

/** Mentions per passage; a mention of a whole document counts in all its passages. */
const folded = (which: string, onlyThese = ''): string => `
  places as (
    select distinct m.document_id, case when m.end_at > 0 then m.chunk_id end as chunk_id, m.entity_id from entity_mentions m
    where m.tenant_id = $1 and m.entity_id is not null and ${which}),
  met as (
    select a.entity_id as a, b.entity_id as b, a.document_id, coalesce(a.chunk_id, b.chunk_id, 0) as chunk_id from places a
    join places b on b.document_id = a.document_id and (a.chunk_id = b.chunk_id or a.chunk_id is null or b.chunk_id is null)
    where a.entity_id < b.entity_id ${onlyThese}),
  pairs as (
    -- Summed per document: documents come and go one by one.
    select a, b, count(distinct (document_id, chunk_id))::int as passages, count(distinct document_id)::int as documents from met group by a, b)`;

/**
 * Adds or removes the contribution of resolved documents.
 * @returns the affected entities
 */
export async function addContribution(query: Query, tenant: string, documentIds: readonly string[], sign: 1 | -1): Promise<string[]> {
  const counted = await query<{ id: string }>(
    `with own as (
       select m.entity_id, count(distinct m.document_id)::int as signals, count(*)::int as mentions, min(d.said_at) as first, max(d.said_at) as last
       from entity_mentions m join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id
       where m.tenant_id = $1 and m.document_id = any($2) and m.entity_id is not null group by m.entity_id)
     update entities e set signal_count = e.signal_count + $3 * own.signals, mention_count = e.mention_count + $3 * own.mentions,
       first_seen_at = case when $3 > 0 then least(e.first_seen_at, own.first) else e.first_seen_at end,
       last_seen_at = case when $3 > 0 then greatest(e.last_seen_at, own.last) else e.last_seen_at end,
       rev = e.rev + 1, updated_at = now()
     from own where e.tenant_id = $1 and e.id = own.entity_id returning e.id`,
    [tenant, documentIds, sign],
  );
  if (sign > 0) {
    await query(
      `with ${folded('m.document_id = any($2)')}
       insert into entity_relations as r (tenant_id, source_id, target_id, kind, passages, documents)
       select $1, a, b, 'mentioned_with', passages, documents from pairs order by a, b
       on conflict (tenant_id, source_id, target_id, kind) do update set passages = r.passages + excluded.passages,
         documents = r.documents + excluded.documents, changed = this_moment(), updated_at = now()`,
      [tenant, documentIds],
    );
  } else {
    await query(
      `with ${folded('m.document_id = any($2)')}
       update entity_relations r set passages = greatest(0, r.passages - pairs.passages), documents = greatest(0, r.documents - pairs.documents),
         changed = this_moment(), updated_at = now()
       from pairs where r.tenant_id = $1 and r.source_id = pairs.a and r.target_id = pairs.b and r.kind = 'mentioned_with'`,
      [tenant, documentIds],
    );
  }
  return counted.map((row) => row.id);
}

/**
 * Recomputes counts and relations of entities, and their links to signals, from all mentions, after mentions were
 * reassigned.
 * @returns the affected entities, including those at the other ends
 */
export async function refoldEntities(query: Query, tenant: string, ids: readonly string[]): Promise<string[]> {
  await query(
    `update entities e set (signal_count, mention_count, first_seen_at, last_seen_at) = (
         select count(distinct m.document_id)::int, count(*)::int, min(d.said_at), max(d.said_at)
         from entity_mentions m join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id
         where m.tenant_id = $1 and m.entity_id = e.id and d.graph = 'resolved'),
       rev = e.rev + 1, updated_at = now()
     where e.tenant_id = $1 and e.id = any($2)`,
    [tenant, ids],
  );
  const touched = await query<{ source_id: string; target_id: string }>(
    `with ${folded(
      `m.document_id in (select o.document_id from entity_mentions o join documents d on d.tenant_id = o.tenant_id and d.id = o.document_id
         where o.tenant_id = $1 and o.entity_id = any($2) and d.graph = 'resolved')`,
      'and (a.entity_id = any($2) or b.entity_id = any($2))',
    )},
     gone as (
       update entity_relations r set passages = 0, documents = 0, changed = this_moment(), updated_at = now()
       where r.tenant_id = $1 and (r.source_id = any($2) or r.target_id = any($2)) and r.kind = 'mentioned_with' and r.passages > 0
         and not exists (select from pairs f where f.a = r.source_id and f.b = r.target_id)
       returning r.source_id, r.target_id),
     kept as (
       insert into entity_relations as r (tenant_id, source_id, target_id, kind, passages, documents)
       select $1, a, b, 'mentioned_with', passages, documents from pairs order by a, b
       on conflict (tenant_id, source_id, target_id, kind) do update set passages = excluded.passages, documents = excluded.documents,
         changed = this_moment(), updated_at = now()
       where (r.passages, r.documents) is distinct from (excluded.passages, excluded.documents)
       returning r.source_id, r.target_id)
     select source_id, target_id from gone union select source_id, target_id from kept`,
    [tenant, ids],
  );
  await followers.entitiesChanged(query, tenant, ids);
  return [...new Set([...ids, ...touched.flatMap(({ source_id, target_id }) => [source_id, target_id])])];
}

/** Writes an outbox entry. Call it near the end of the transaction, because it delays later commits for readers. */
export async function noteGraphChange(query: Query, tenant: string, subject: string, entityIds: readonly string[]): Promise<void> {
  const ids = [...new Set(entityIds)].sort();
  if (ids.length === 0) return;
  await noteEvent(query, tenant, 'graph.changed', subject, { entities: ids });
}
