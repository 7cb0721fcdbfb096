import { randomUUID } from 'node:crypto';
import type { Database } from '../../../adapters/postgres/database.ts';
import { affinity, agglomerate, joined, threshold, type EntityWeights, type Item } from './affinity.ts';
import { mergeOpportunities, splitFrom } from './lifecycle.ts';
import { measure, page } from './measure.ts';
import { keepIds, type Former } from './rules.ts';
import { clustersById, groupsOf, lockClusters, near, weightsOf, type Cluster, type Statement } from './store.ts';

type Query = Database['query'];

/** Neighbours included in a recomputation, and how far below the threshold they may be. */
const neighbours = 12;
const slack = 0.08;
/** Statements of one cluster that are compared one by one; the rest of a bigger one joins the nearest part. */
const looked = 300;

/** A statement, or a neighbour that is too big to be split. */
interface Piece {
  item: Item;
  former: string;
  /** Null: the whole cluster. */
  groupId: string | null;
}

/**
 * Recomputes one cluster that has doubled, with its neighbours: separate clusters may join, wrong members leave. Ids
 * stay with the largest part.
 * @returns false when there is none
 */
export async function refineOne(db: Database, tenant: string): Promise<boolean> {
  return await db.transaction(async (query) => {
    await lockClusters(query, tenant);
    const [row] = await query<{ id: string }>(
      'select id from opportunity_clusters where tenant_id = $1 and size >= 2 * refined order by id limit 1',
      [tenant],
    );
    if (!row) return false;
    const root = (await clustersById(query, tenant, [row.id])).get(row.id)!;
    await refine(query, tenant, root);
    return true;
  });
}

async function refine(query: Query, tenant: string, root: Cluster): Promise<void> {
  const around = await aroundOf(query, tenant, root);
  const clusters = new Map([root, ...around].map((cluster) => [cluster.id, cluster]));
  const pieces: Piece[] = [];
  for (const cluster of clusters.values()) pieces.push(...(await piecesOf(query, tenant, cluster, cluster === root)));
  const weights = await weightsOf(
    query,
    tenant,
    pieces.map(({ item }) => item),
  );
  const parts = agglomerate(
    pieces.map(({ item }) => item),
    weights,
    threshold(root.model),
  ).map((places) => places.map((place) => pieces[place]!));

  const ranks = await ranksOf(query, tenant, [...clusters.keys()]);
  const former = [...clusters.keys()].map((id): Former => ({ id, rank: ranks.get(id) ?? 0, overlap: overlapOf(id, parts) }));
  const { ids, merged } = keepIds(former, parts.length);
  if (parts.length === clusters.size && parts.every((part, i) => part.every(({ former: id }) => id === ids[i]))) {
    await query('update opportunity_clusters set refined = size where tenant_id = $1 and id = $2', [tenant, root.id]);
    return;
  }
  const named = ids.map((id) => id ?? randomUUID());
  await move(query, tenant, root, parts, named, weights);
  for (const [id, part] of merged) await mergeOpportunities(query, tenant, id, named[part]!);
  for (const [i, part] of parts.entries()) if (ids[i] === null) await splitFrom(query, tenant, part[0]!.former, named[i]!);
}

async function aroundOf(query: Query, tenant: string, root: Cluster): Promise<Cluster[]> {
  const [ids] = await near(query, tenant, root.model, [root], neighbours + 1);
  const clusters = [...(await clustersById(query, tenant, ids!)).values()].filter(
    ({ id, model, size }) => id !== root.id && model === root.model && size > 0,
  );
  const weights = await weightsOf(query, tenant, [root]);
  return clusters.filter((cluster) => affinity(root, cluster, weights) >= threshold(root.model) - slack).slice(0, neighbours);
}

async function piecesOf(query: Query, tenant: string, cluster: Cluster, root: boolean): Promise<Piece[]> {
  const whole: Piece = { item: cluster, former: cluster.id, groupId: null };
  if (!root && cluster.size > looked / neighbours) return [whole];
  const groups = (await groupsOf(query, tenant, cluster.id, null, looked)).filter(({ model }) => model === cluster.model);
  if (groups.length === 0) return [whole];
  return groups.map((item) => ({ item, former: cluster.id, groupId: item.groupId }));
}

function overlapOf(id: string, parts: readonly Piece[][]): Map<number, number> {
  const overlap = new Map<number, number>();
  for (const [i, part] of parts.entries()) {
    const count = part.reduce((sum, piece) => sum + (piece.former === id ? piece.item.size : 0), 0);
    if (count > 0) overlap.set(i, count);
  }
  return overlap;
}

/** Locked first, so that a concurrent decision of a person counts. */
async function ranksOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, number>> {
  await query('select 1 from opportunities where tenant_id = $1 and id = any($2::uuid[]) order by id for update', [tenant, ids]);
  const rows = await query<{ id: string; decided: boolean }>(
    `select id, status <> 'new' or title_by is not null
       or exists (select from opportunity_factors f where f.tenant_id = $1 and f.opportunity_id = o.id) as decided
     from opportunities o where tenant_id = $1 and id = any($2::uuid[])`,
    [tenant, ids],
  );
  return new Map(rows.map(({ id, decided }) => [id, decided ? 2 : 1]));
}

/** Moves statements to the clusters of their parts, and the remaining ones to the nearest. */
async function move(
  query: Query,
  tenant: string,
  root: Cluster,
  parts: readonly Piece[][],
  ids: readonly string[],
  weights: EntityWeights,
): Promise<void> {
  const rows = parts.flatMap((part, i) =>
    part.flatMap(({ former, groupId }) => (former === ids[i] ? [] : [{ former, group: groupId, cluster: ids[i]! }])),
  );
  const rest = root.size > looked ? await restOf(query, tenant, root, parts, ids, weights) : [];
  await query(
    `update opportunity_signals m set cluster_id = r.cluster from jsonb_to_recordset($2::jsonb) r(former uuid, "group" text, cluster uuid)
     where m.tenant_id = $1 and m.cluster_id = r.former and (r."group" is null or m.group_id = r."group")`,
    [tenant, JSON.stringify([...rows, ...rest])],
  );
  for (const [i, part] of parts.entries()) {
    const drawn = joined(part.map(({ item }) => item));
    await measure(query, tenant, { ...drawn, id: ids[i]!, model: root.model, refined: drawn.size });
  }
}

/** The rest of a big cluster, page by page, so that its size does not matter. */
async function restOf(
  query: Query,
  tenant: string,
  root: Cluster,
  parts: readonly Piece[][],
  ids: readonly string[],
  weights: EntityWeights,
): Promise<{ former: string; group: string; cluster: string }[]> {
  const sampled = new Set(parts.flat().map(({ groupId }) => groupId));
  const means = parts.map((part) => joined(part.map(({ item }) => item)));
  const rows: { former: string; group: string; cluster: string }[] = [];
  for (let after: string | null = null; ;) {
    const groups: Statement[] = await groupsOf(query, tenant, root.id, after, page);
    for (const group of groups) {
      if (sampled.has(group.groupId) || group.model !== root.model) continue;
      const nearness = means.map((mean) => affinity(group, mean, weights));
      const cluster = ids[nearness.indexOf(Math.max(...nearness))]!;
      if (cluster !== root.id) rows.push({ former: root.id, group: group.groupId, cluster });
    }
    if (groups.length < page) return rows;
    after = groups.at(-1)!.groupId;
  }
}
