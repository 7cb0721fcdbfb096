import type { Database, Row } from '../../adapters/postgres/database.ts';
import { foldAssertions, type FoldedFact, type SaidFact } from './facts-fold.ts';
import { foldFactRelations, groupValues, wanted, type FactGroup } from './facts-relations.ts';
import { nameKey } from '../../engines/text/names.ts';

type Query = Database['query'];

/** The groups of the documents' assertions: read before they are deleted, or after they got entities. */
export async function factGroupsOf(query: Query, tenant: string, documentIds: readonly string[]): Promise<FactGroup[]> {
  return await query<FactGroup & Row>(
    `select distinct m.entity_id as "subjectId", a.predicate from graph_assertions a join entity_mentions m on m.id = a.subject_mention
     where a.tenant_id = $1 and a.document_id = any($2) and m.entity_id is not null order by 1, 2`,
    [tenant, documentIds],
  );
}

/** The groups in which entities occur, or occurred at the last fold, at either end. */
async function groupsAround(query: Query, tenant: string, entityIds: readonly string[]): Promise<FactGroup[]> {
  return await query<FactGroup & Row>(
    `select subject_id as "subjectId", predicate from graph_facts where tenant_id = $1 and subject_id = any($2)
     union select subject_id, predicate from graph_facts where tenant_id = $1 and object_id = any($2)
     union select m.entity_id, a.predicate from entity_mentions m join graph_assertions a on a.subject_mention = m.id
       where m.tenant_id = $1 and m.entity_id = any($2)
     union select s.entity_id, a.predicate from entity_mentions m join graph_assertions a on a.object_mention = m.id
       join entity_mentions s on s.id = a.subject_mention where m.tenant_id = $1 and m.entity_id = any($2) and s.entity_id is not null
     order by 1, 2`,
    [tenant, entityIds],
  );
}

/**
 * Folds facts again from the assertions of active documents, and then the relations derived from them. The caller
 * holds the tenant's graph lock and has assigned the mentions.
 * @param which groups, or all groups of these entities
 * @returns the entities whose facts or relations changed
 */
export async function refoldFacts(
  query: Query,
  tenant: string,
  which: readonly FactGroup[] | { entityIds: readonly string[] },
): Promise<string[]> {
  const groups = 'entityIds' in which ? await groupsAround(query, tenant, which.entityIds) : which;
  if (groups.length === 0) return [];
  const said = await saidOf(query, tenant, groups);
  const folded = [...Map.groupBy(said, (one) => `${one.predicate} ${one.subjectId}`).values()].flatMap((one) =>
    foldAssertions(tenant, one).map((fact) => ({ ...fact, passages: passagesOf(fact, one) })),
  );
  const changed = await writeFacts(query, tenant, groups, folded);
  for (const id of await foldFactRelations(query, tenant, groups)) changed.add(id);
  return [...changed].sort();
}

/**
 * Facts may begin or end at a future time: when it comes, their relations change. The caller holds the tenant's graph
 * lock.
 * @returns the entities whose relations changed
 */
export async function followTime(query: Query, tenant: string): Promise<string[]> {
  const due = await query<FactGroup & Row>(
    `update graph_facts f set updated_at = now() where f.tenant_id = $1
       and ((f.valid_to > f.updated_at and f.valid_to <= now()) or (f.valid_from > f.updated_at and f.valid_from <= now()))
     returning f.subject_id as "subjectId", f.predicate`,
    [tenant],
  );
  return await refoldFacts(query, tenant, due);
}

interface Said extends SaidFact {
  chunkId: string;
}

async function saidOf(query: Query, tenant: string, groups: readonly FactGroup[]): Promise<Said[]> {
  const rows = await query<Omit<Said, 'objectKey'> & Row>(
    `with ${wanted}
     select a.id::text, w.subject_id as "subjectId", a.predicate, o.entity_id as "objectId", a.object_text as "objectText", a.statement, a.exclusive,
       a.valid_from as "validFrom", a.valid_to as "validTo", a.said_at as "saidAt", a.created_at as "recordedAt", a.confidence, a.chunk_id::text as "chunkId"
     from wanted w join entity_mentions s on s.tenant_id = $1 and s.entity_id = w.subject_id
     join graph_assertions a on a.tenant_id = $1 and a.subject_mention = s.id and a.predicate = w.predicate
     join documents d on d.tenant_id = $1 and d.id = a.document_id and d.status = 'active'
     left join entity_mentions o on o.tenant_id = $1 and o.id = a.object_mention
     -- Of an entity about itself nothing is said: two of its names stood in one sentence.
     where a.object_mention is null or (o.entity_id is not null and o.entity_id <> w.subject_id) order by a.id`,
    groupValues(tenant, groups),
  );
  return rows.map((row) => ({ ...row, objectKey: row.objectId ?? `= ${nameKey(row.objectText ?? '') || (row.objectText ?? '')}` }));
}

function passagesOf(fact: FoldedFact, said: readonly Said[]): number {
  const evidence = new Set(fact.evidence);
  return new Set(said.filter((one) => evidence.has(one.id)).map((one) => one.chunkId)).size;
}

interface StandingFact extends Row {
  id: string;
  subjectId: string;
  objectId: string | null;
  /** Other fields that a fold may change, as text. */
  state: string;
  evidence: string[];
}

/**
 * Writes the difference.
 * @returns entities of facts that were added, removed or changed
 */
async function writeFacts(
  query: Query,
  tenant: string,
  groups: readonly FactGroup[],
  folded: readonly (FoldedFact & { passages: number })[],
): Promise<Set<string>> {
  const standing = await query<StandingFact>(
    `with ${wanted}
     select f.id, f.subject_id as "subjectId", f.object_id as "objectId",
       jsonb_build_array(f.object_text, f.statement, f.exclusive, ${millis('f.valid_from')}, ${millis('f.valid_to')}, ${millis('f.recorded_from')},
         ${millis('f.recorded_to')}, f.closed_by, f.passages, round(f.confidence::numeric, 4)::float8)::text as state,
       array(select e.assertion_id::text from fact_evidence e where e.tenant_id = $1 and e.fact_id = f.id order by e.assertion_id) as evidence
     from wanted w join graph_facts f on f.tenant_id = $1 and f.subject_id = w.subject_id and f.predicate = w.predicate`,
    groupValues(tenant, groups),
  );
  const before = new Map(standing.map((fact) => [fact.id, fact]));
  const after = new Set(folded.map((fact) => fact.id));
  const gone = standing.filter((fact) => !after.has(fact.id));
  const changed = folded.filter((fact) => {
    const old = before.get(fact.id);
    return !old || JSON.stringify(JSON.parse(old.state)) !== stateOf(fact) || old.objectId !== fact.objectId;
  });
  const evidence = folded.filter((fact) => !same(fact.evidence, before.get(fact.id)?.evidence ?? []));
  await query('delete from graph_facts where tenant_id = $1 and id = any($2)', [tenant, gone.map((fact) => fact.id)]);
  await query(
    `insert into graph_facts as f (tenant_id, id, subject_id, predicate, object_id, object_text, statement, exclusive, valid_from, valid_to,
       recorded_from, recorded_to, closed_by, passages, confidence)
     select $1, r.id, r."subjectId", r.predicate, r."objectId", r."objectText", r.statement, r.exclusive, r."validFrom", r."validTo",
       r."recordedFrom", r."recordedTo", r."closedBy", r.passages, r.confidence
     from jsonb_to_recordset($2::jsonb) as r(id text, "subjectId" text, predicate text, "objectId" text, "objectText" text, statement text, exclusive boolean,
       "validFrom" timestamptz, "validTo" timestamptz, "recordedFrom" timestamptz, "recordedTo" timestamptz, "closedBy" text, passages int, confidence real)
     on conflict (tenant_id, id) do update set object_id = excluded.object_id, object_text = excluded.object_text, statement = excluded.statement,
       exclusive = excluded.exclusive, valid_from = excluded.valid_from, valid_to = excluded.valid_to, recorded_from = excluded.recorded_from,
       recorded_to = excluded.recorded_to, closed_by = excluded.closed_by, passages = excluded.passages, confidence = excluded.confidence,
       -- The vector is of the statement.
       model = case when f.statement = excluded.statement then f.model end,
       embedding = case when f.statement = excluded.statement then f.embedding end, updated_at = now()`,
    [tenant, JSON.stringify(changed)],
  );
  await query(
    `with now as (select r.id, e::bigint as assertion_id from jsonb_to_recordset($2::jsonb) as r(id text, evidence text[]), unnest(r.evidence) e),
       gone as (delete from fact_evidence f where f.tenant_id = $1 and f.fact_id = any($3)
         and not exists (select from now n where n.id = f.fact_id and n.assertion_id = f.assertion_id))
     insert into fact_evidence (tenant_id, fact_id, assertion_id) select $1, id, assertion_id from now on conflict do nothing`,
    [tenant, JSON.stringify(evidence.map(({ id, evidence: said }) => ({ id, evidence: said }))), evidence.map((fact) => fact.id)],
  );
  const touched = [...gone, ...changed, ...evidence];
  return new Set(touched.flatMap(({ subjectId, objectId }) => (objectId === null ? [subjectId] : [subjectId, objectId])));
}

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint`;

const stateOf = (fact: FoldedFact & { passages: number }): string =>
  JSON.stringify([
    fact.objectText,
    fact.statement,
    fact.exclusive,
    fact.validFrom?.getTime() ?? null,
    fact.validTo?.getTime() ?? null,
    fact.recordedFrom.getTime(),
    fact.recordedTo?.getTime() ?? null,
    fact.closedBy,
    fact.passages,
    Math.round(fact.confidence * 1e4) / 1e4,
  ]);

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === new Set(a).size;
