import type { Database } from '../../adapters/postgres/database.ts';

/** Derived data that does not match its sources; empty lists if everything matches. */
export interface GraphAudit {
  /** Entities whose counts differ from their mentions. */
  counts: { id: string; name: string; signals: number; counted_signals: number; mentions: number; counted_mentions: number }[];
  /** Relations that differ from the mentions. */
  relations: { source_id: string; target_id: string; passages: number | null; counted: number | null }[];
  /** Mentions of entities that are deleted or merged, and resolved mentions without entity. */
  strays: { mention: string; entity_id: string | null }[];
  /** Names whose owner is deleted or merged. */
  names: { type: string; key: string; entity_id: string }[];
  /** Facts about entities that are deleted or merged, or facts without evidence. */
  facts: { fact: string }[];
}

const most = 50;

/** Recomputes everything and compares. Read-only, but expensive: for tests, chaos and `signalbox doctor`. */
export async function auditGraph(query: Database['query'], tenant: string): Promise<GraphAudit> {
  const counts = await query<GraphAudit['counts'][number]>(
    `select e.id, e.name, e.signal_count as signals, coalesce(m.signals, 0) as counted_signals, e.mention_count as mentions,
       coalesce(m.mentions, 0) as counted_mentions
     from entities e left join (
       select m.entity_id, count(distinct m.document_id)::int as signals, count(*)::int as mentions from entity_mentions m
       join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id and d.graph = 'resolved' where m.tenant_id = $1 group by 1) m
       on m.entity_id = e.id
     where e.tenant_id = $1 and (e.signal_count, e.mention_count) is distinct from (coalesce(m.signals, 0), coalesce(m.mentions, 0)) limit ${most}`,
    [tenant],
  );
  const relations = await query<GraphAudit['relations'][number]>(
    `with places as (
       select distinct m.document_id, case when m.end_at > 0 then m.chunk_id end as chunk_id, m.entity_id from entity_mentions m
       join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id and d.graph = 'resolved'
       where m.tenant_id = $1 and m.entity_id is not null),
     met as (
       select a.entity_id as a, b.entity_id as b, a.document_id, coalesce(a.chunk_id, b.chunk_id, 0) as chunk_id from places a
       join places b on b.document_id = a.document_id and (a.chunk_id = b.chunk_id or a.chunk_id is null or b.chunk_id is null)
       where a.entity_id < b.entity_id),
     pairs as (select a, b, count(distinct (document_id, chunk_id))::int as passages from met group by a, b)
     select coalesce(p.a, r.source_id) as source_id, coalesce(p.b, r.target_id) as target_id, r.passages, p.passages as counted
     from pairs p full join (select * from entity_relations where tenant_id = $1 and kind = 'mentioned_with' and passages > 0) r
       on r.source_id = p.a and r.target_id = p.b
     where r.passages is distinct from p.passages limit ${most}`,
    [tenant],
  );
  const strays = await query<GraphAudit['strays'][number]>(
    `select m.id::text as mention, m.entity_id from entity_mentions m
     join documents d on d.tenant_id = m.tenant_id and d.id = m.document_id
     left join entities e on e.tenant_id = m.tenant_id and e.id = m.entity_id
     where m.tenant_id = $1 and (case when m.entity_id is null then d.graph = 'resolved' else e.status is distinct from 'active' end) limit ${most}`,
    [tenant],
  );
  const names = await query<GraphAudit['names'][number]>(
    `select a.type, a.key, a.entity_id from entity_aliases a left join entities e on e.tenant_id = a.tenant_id and e.id = a.entity_id
     where a.tenant_id = $1 and (e.status is distinct from 'active' or e.type <> a.type) limit ${most}`,
    [tenant],
  );
  const facts = await query<GraphAudit['facts'][number]>(
    `select f.id as fact from graph_facts f
     left join entities s on s.tenant_id = f.tenant_id and s.id = f.subject_id left join entities o on o.tenant_id = f.tenant_id and o.id = f.object_id
     where f.tenant_id = $1 and (s.status is distinct from 'active' or (f.object_id is not null and o.status is distinct from 'active')
       or not exists (select from fact_evidence v where v.tenant_id = $1 and v.fact_id = f.id)) limit ${most}`,
    [tenant],
  );
  return { counts, relations, strays, names, facts };
}
