import type { Database } from '../../adapters/postgres/database.ts';

type Query = Database['query'];

/** Facts of one subject and predicate, which are folded together. */
export interface FactGroup {
  subjectId: string;
  predicate: string;
}

/** SQL: the groups given by `groupValues`, as rows `wanted`. */
export const wanted = 'wanted as (select distinct * from unnest($2::text[], $3::text[]) as w(subject_id, predicate))';
export const groupValues = (tenant: string, groups: readonly FactGroup[]): unknown[] => [
  tenant,
  groups.map((group) => group.subjectId),
  groups.map((group) => group.predicate),
];

/** SQL: the fact holds now, as far as known. */
const holdsNow = (fact: string): string =>
  `(${fact}.valid_from is null or ${fact}.valid_from <= now()) and (${fact}.valid_to is null or ${fact}.valid_to > now())`;

/**
 * Relations of a predicate's kind are the facts between entities that hold now.
 * @returns both ends of the changes
 */
export async function foldFactRelations(query: Query, tenant: string, groups: readonly FactGroup[]): Promise<string[]> {
  const rows = await query<{ source_id: string; target_id: string }>(
    `with ${wanted},
       holding as (
         select f.subject_id, f.object_id, f.predicate, count(distinct a.chunk_id)::int as passages, count(distinct a.document_id)::int as documents
         from wanted w join graph_facts f on f.tenant_id = $1 and f.subject_id = w.subject_id and f.predicate = w.predicate
         join fact_evidence e on e.tenant_id = $1 and e.fact_id = f.id join graph_assertions a on a.id = e.assertion_id
         where f.object_id is not null and f.predicate <> 'mentioned_with' and ${holdsNow('f')}
         group by f.subject_id, f.object_id, f.predicate),
       gone as (
         update entity_relations r set passages = 0, documents = 0, changed = this_moment(), updated_at = now()
         from wanted w where r.tenant_id = $1 and r.source_id = w.subject_id and r.kind = w.predicate and r.kind <> 'mentioned_with' and r.passages > 0
           and not exists (select from holding h where h.subject_id = r.source_id and h.object_id = r.target_id and h.predicate = r.kind)
         returning r.source_id, r.target_id),
       kept as (
         insert into entity_relations as r (tenant_id, source_id, target_id, kind, passages, documents)
         select $1, subject_id, object_id, predicate, passages, documents from holding order by subject_id, object_id, predicate
         on conflict (tenant_id, source_id, target_id, kind) do update set passages = excluded.passages, documents = excluded.documents,
           changed = this_moment(), updated_at = now()
         where (r.passages, r.documents) is distinct from (excluded.passages, excluded.documents)
         returning r.source_id, r.target_id)
     select source_id, target_id from gone union select source_id, target_id from kept`,
    groupValues(tenant, groups),
  );
  return [...new Set(rows.flatMap(({ source_id, target_id }) => [source_id, target_id]))];
}
