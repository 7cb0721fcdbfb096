import type { Database, Row } from '../../../adapters/postgres/database.ts';
import { evidenceClasses } from '../../../contracts/signals/opportunities.ts';
import { vectorText } from '../../knowledge/index.ts';
import type { Columns } from '../../../prisma/rows.ts';
import { lock } from '../../kernel/locks.ts';
import { entityWeight, sharedTypes, type EntityWeights, type Item } from './affinity.ts';
import { readHalfvec, wordsModel, wordVector } from './vectors.ts';

type Query = Database['query'];

/** A statement for comparison; near-duplicates share a group. */
export interface Statement extends Item {
  signalId: string;
  groupId: string;
  model: string;
}

export interface Cluster extends Item {
  id: string;
  model: string;
  refined: number;
}

/**
 * One writer per tenant, until the transaction ends: two concurrent assignments would each open a cluster for the
 * same subject. Take it before locking rows of clusters.
 */
export async function lockClusters(query: Query, tenant: string): Promise<void> {
  await lock(query, `opportunities/${tenant}`);
}

interface StatementRow extends Row, Columns<'signals', 'id' | 'group_id' | 'statement' | 'model'> {
  embedding: Buffer | null;
  entities: string[] | null;
}

const statementColumns = `s.id, s.group_id, s.statement, s.model, halfvec_send(s.embedding) as embedding,
  (select array_agg(e.entity_id) from signal_entities e where e.tenant_id = $1 and e.signal_id = s.id and e.type = any($2)) as entities`;

const statementOf = ({ id, group_id, statement, model, embedding, entities }: StatementRow): Statement => ({
  signalId: id,
  groupId: group_id,
  model: embedding && model !== null ? model : wordsModel,
  vector: embedding && model !== null ? readHalfvec(embedding) : wordVector(statement),
  entities: new Map((entities ?? []).map((entity) => [entity, 1])),
  size: 1,
});

/** What was taken back, or is settled by a later statement, is no opportunity any more. A condition on `s`. */
const isUnsettled = `s.state <> 'withdrawn' and s.settled_by is null`;

/** The evidence among these signals, oldest first. */
export async function statementsOf(query: Query, tenant: string, ids: readonly string[]): Promise<Statement[]> {
  const rows = await query<StatementRow>(
    `select ${statementColumns} from signals s where s.tenant_id = $1 and s.id = any($3) and s.class = any($4) and ${isUnsettled} order by s.occurred_at, s.id`,
    [tenant, sharedTypes, ids, evidenceClasses],
  );
  return rows.map(statementOf);
}

/**
 * One statement per group of a cluster, page by page.
 * @param after group id of the previous page; null: the first
 */
export async function groupsOf(query: Query, tenant: string, cluster: string, after: string | null, limit: number): Promise<Statement[]> {
  const rows = await query<StatementRow>(
    `select distinct on (m.group_id) ${statementColumns} from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
     where m.tenant_id = $1 and m.cluster_id = $3 and ($4::text is null or m.group_id > $4) order by m.group_id, s.occurred_at, s.id limit $5`,
    [tenant, sharedTypes, cluster, after, limit],
  );
  return rows.map(statementOf);
}

export async function clustersById(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, Cluster>> {
  const rows = await query<
    { id: string; model: string; center: Buffer; entities: Record<string, number>; size: number; refined: number } & Row
  >(
    `select id, model, halfvec_send(center) as center, entities, size, refined from opportunity_clusters
     where tenant_id = $1 and id = any($2::uuid[]) order by id`,
    [tenant, ids],
  );
  return new Map(
    rows.map(({ id, model, center, entities, size, refined }) => [
      id,
      { id, model, vector: readHalfvec(center), entities: new Map(Object.entries(entities)), size, refined },
    ]),
  );
}

/**
 * Clusters near each of these vectors, and those whose statements name the same issues.
 * @param items with vectors of this model
 * @returns ids by index in `items`
 */
export async function near(query: Query, tenant: string, model: string, items: readonly Item[], limit: number): Promise<string[][]> {
  if (items.length === 0) return [];
  await query(`select set_config('hnsw.ef_search', '64', true), set_config('hnsw.iterative_scan', 'relaxed_order', true)`);
  const length = items[0]?.vector.length ?? 0;
  const found = await query<{ place: number; id: string }>(
    // Read once: a cast in `order by` would be evaluated for every row. The length selects the index; see
    // adapters/vectors/pgvector.ts.
    `with v as materialized (
       select place::int, center::halfvec(${length}) from jsonb_array_elements_text($3::jsonb) with ordinality e(center, place))
     select v.place, a.id from v cross join lateral (select cluster_id as id from opportunity_anchors
       where tenant_id = $1 and model = $2 and vector_dims(center) = ${length}
       order by center::halfvec(${length}) <#> v.center limit ${limit}) a`,
    [tenant, model, JSON.stringify(items.map(({ vector }) => vectorText(vector)))],
  );
  const named = [...new Set(items.flatMap(({ entities }) => [...entities.keys()]))];
  const sharing = await query<{ entity_id: string; id: string }>(
    `select distinct n.entity_id, m.cluster_id as id from unnest($2::text[]) n(entity_id)
     cross join lateral (select e.signal_id from signal_entities e where e.tenant_id = $1 and e.entity_id = n.entity_id and e.type = 'issue'
       order by e.occurred_at desc limit 20) e
     join opportunity_signals m on m.tenant_id = $1 and m.signal_id = e.signal_id`,
    [tenant, named],
  );
  const byEntity = Map.groupBy(sharing, ({ entity_id }) => entity_id);
  const byPlace = Map.groupBy(found, ({ place }) => place - 1);
  return items.map(({ entities }, i) => {
    const ids = [...(byPlace.get(i) ?? []), ...[...entities.keys()].flatMap((id) => byEntity.get(id) ?? [])].map(({ id }) => id);
    return [...new Set(ids)].sort();
  });
}

/** Weight of sharing each of these entities. */
export async function weightsOf(query: Query, tenant: string, items: Iterable<Item>): Promise<EntityWeights> {
  const ids = new Set<string>();
  for (const { entities } of items) for (const id of entities.keys()) ids.add(id);
  if (ids.size === 0) return new Map();
  const rows = await query<{ id: string; type: string; signal_count: number }>(
    'select id, type, signal_count from entities where tenant_id = $1 and id = any($2)',
    [tenant, [...ids]],
  );
  return new Map(rows.map(({ id, type, signal_count }) => [id, entityWeight(type, signal_count)]));
}

/** Maximum entities stored per cluster: the most frequent. */
const mostEntities = 30;

export async function writeClusters(query: Query, tenant: string, clusters: readonly Cluster[]): Promise<void> {
  if (clusters.length === 0) return;
  const rows = clusters.map(({ id, model, vector, entities, size, refined }) => ({
    id,
    model,
    size,
    refined,
    center: vectorText(vector),
    entities: Object.fromEntries([...entities].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostEntities)),
  }));
  await query(
    `insert into opportunity_clusters (tenant_id, id, model, center, entities, size, refined)
     select $1, r.id, r.model, r.center::halfvec, r.entities, r.size, r.refined
     from jsonb_to_recordset($2::jsonb) r(id uuid, model text, center text, entities jsonb, size int, refined int)
     on conflict (tenant_id, id) do update set model = excluded.model, center = excluded.center, entities = excluded.entities,
       size = excluded.size, refined = excluded.refined, recount = true`,
    [tenant, JSON.stringify(rows)],
  );
  await query(
    `insert into opportunity_anchors as a (tenant_id, cluster_id, model, center, size)
     select $1, r.id, r.model, r.center::halfvec, r.size from jsonb_to_recordset($2::jsonb) r(id uuid, model text, center text, size int)
     on conflict (tenant_id, cluster_id) do update set model = excluded.model, center = excluded.center, size = excluded.size
     where excluded.model <> a.model or excluded.size >= 2 * a.size or 2 * excluded.size <= a.size`,
    [tenant, JSON.stringify(rows)],
  );
}

/** @param members signals with their new clusters */
export async function writeMembers(
  query: Query,
  tenant: string,
  members: readonly { signalId: string; groupId: string; cluster: string }[],
): Promise<void> {
  if (members.length === 0) return;
  await query(
    `insert into opportunity_signals (tenant_id, signal_id, cluster_id, group_id)
     select $1, r."signalId", r.cluster, r."groupId" from jsonb_to_recordset($2::jsonb) r("signalId" text, cluster uuid, "groupId" text)
     on conflict (tenant_id, signal_id) do update set cluster_id = excluded.cluster_id, group_id = excluded.group_id`,
    [tenant, JSON.stringify(members)],
  );
}

export async function markForCount(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await query('update opportunity_clusters set recount = true where tenant_id = $1 and id = any($2::uuid[]) and not recount', [
    tenant,
    ids,
  ]);
}
