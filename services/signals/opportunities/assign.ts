import { randomUUID } from 'node:crypto';
import type { Database } from '../../../adapters/postgres/database.ts';
import { affinity, joined, threshold, tolerance, type EntityWeights } from './affinity.ts';
import { embedStatements, type ClusterDeps } from './embed.ts';
import { measure } from './measure.ts';
import {
  clustersById,
  lockClusters,
  markForCount,
  near,
  statementsOf,
  weightsOf,
  writeClusters,
  writeMembers,
  type Cluster,
  type Statement,
} from './store.ts';

type Query = Database['query'];

/** Changes per transaction. */
const changesAtOnce = 256;
/** Clusters that a new statement is compared with. */
const candidates = 8;
/** Up to this size a cluster is measured again whenever a member changed; beyond it one member hardly matters. */
const smallEnough = 500;

/**
 * For changes "c": their source has been read. Between the publication of a document and its reading, it is unknown
 * which of its former signals are gone, so their changes wait. $1 is the tenant.
 */
export const isKnown = `not exists (select from documents d where d.tenant_id = $1 and d.source_id = c.source_id and d.status = 'active' and d.signals_read_at is null)`;

interface Membership {
  signal_id: string;
  cluster_id: string;
  group_id: string;
}

/**
 * Processes the oldest changes of signals: new statements join the nearest cluster or open one, removed ones leave. A
 * repeat finds its changes processed, and does nothing.
 * @returns the number of changes
 */
export async function assignSome(deps: ClusterDeps, tenant: string): Promise<number> {
  const changes = await deps.db.query<{ id: string; signal_id: string }>(
    `select c.id, c.signal_id from opportunity_changes c where c.tenant_id = $1 and ${isKnown} order by c.id limit $2`,
    [tenant, changesAtOnce],
  );
  if (changes.length === 0) return 0;
  const ids = [...new Set(changes.map(({ signal_id }) => signal_id))];
  await embedStatements(deps, tenant, ids);
  await deps.db.transaction(async (query) => {
    await lockClusters(query, tenant);
    // Read before checking again whose source is known: so a signal missing here does not belong to a document that
    // is just being published.
    const statements = await statementsOf(query, tenant, ids);
    // Deleted by id: later changes of the same signals stay for the next call.
    const taken = await query<{ signal_id: string }>(
      `delete from opportunity_changes c where c.tenant_id = $1 and c.id = any($2::bigint[]) and ${isKnown} returning c.signal_id`,
      [tenant, changes.map(({ id }) => id)],
    );
    const known = new Set(taken.map(({ signal_id }) => signal_id));
    const told = statements.filter(({ signalId }) => known.has(signalId));
    if (known.size > 0) await assign(query, tenant, [...known], told);
  });
  return changes.length;
}

async function assign(query: Query, tenant: string, ids: readonly string[], statements: readonly Statement[]): Promise<void> {
  const before = await membershipsOf(query, tenant, ids);
  const weights = await weightsOf(query, tenant, statements);
  const homeless = await settle(query, tenant, statements, before, weights);
  const groups = Map.groupBy(homeless, ({ groupId }) => groupId);
  const known = await clustersOfGroups(query, tenant, [...groups.keys()]);
  const fresh = [...groups].filter(([group]) => !known.has(group)).map(([, members]) => members[0]!);
  const placed = await place(query, tenant, fresh, weights);
  const cluster = (groupId: string): string => known.get(groupId) ?? placed.get(groupId)!;
  await writeMembers(
    query,
    tenant,
    homeless.map(({ signalId, groupId }) => ({ signalId, groupId, cluster: cluster(groupId) })),
  );
  await markForCount(query, tenant, [...new Set(known.values())]);
}

async function membershipsOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, Membership>> {
  const rows = await query<Membership & Record<string, unknown>>(
    'select signal_id, cluster_id, group_id from opportunity_signals where tenant_id = $1 and signal_id = any($2)',
    [tenant, ids],
  );
  return new Map(rows.map((row) => [row.signal_id, row]));
}

/**
 * Changed members stay while they fit; removed ones, and those that no longer fit, leave.
 * @returns statements without a cluster
 */
async function settle(
  query: Query,
  tenant: string,
  statements: readonly Statement[],
  before: ReadonlyMap<string, Membership>,
  weights: EntityWeights,
): Promise<Statement[]> {
  if (before.size === 0) return [...statements];
  const clusters = await clustersById(query, tenant, [...new Set([...before.values()].map(({ cluster_id }) => cluster_id))]);
  const now = new Map(statements.map((statement) => [statement.signalId, statement]));
  const leaving = new Set<string>();
  for (const { signal_id, cluster_id, group_id } of before.values()) {
    const [statement, cluster] = [now.get(signal_id), clusters.get(cluster_id)];
    if (!statement || !cluster || !fits(statement, cluster, weights)) leaving.add(signal_id);
    // Its group changed: it follows its group.
    else if (statement.groupId !== group_id) leaving.add(signal_id);
  }
  if (leaving.size > 0) {
    await query('delete from opportunity_signals where tenant_id = $1 and signal_id = any($2)', [tenant, [...leaving]]);
  }
  const left = new Set([...leaving].map((id) => before.get(id)!.cluster_id));
  for (const cluster of clusters.values()) if (left.has(cluster.id) || cluster.size <= smallEnough) await measure(query, tenant, cluster);
  await markForCount(query, tenant, [...clusters.keys()]);
  return statements.filter(({ signalId }) => !before.has(signalId) || leaving.has(signalId));
}

/**
 * Vectors of different models cannot be compared: such a cluster is about to be measured with the new model. A
 * cluster whose members are all unread waits for them.
 */
const fits = (statement: Statement, cluster: Cluster, weights: EntityWeights): boolean =>
  statement.model !== cluster.model || cluster.size === 0 || affinity(statement, cluster, weights) >= threshold(cluster.model) - tolerance;

/** Clusters of its near-duplicates. */
async function clustersOfGroups(query: Query, tenant: string, groups: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ group_id: string; cluster_id: string }>(
    `select group_id, min(cluster_id::text) as cluster_id from opportunity_signals where tenant_id = $1 and group_id = any($2) group by group_id`,
    [tenant, groups],
  );
  return new Map(rows.map(({ group_id, cluster_id }) => [group_id, cluster_id]));
}

/**
 * One after the other, so that statements of one batch can join each other.
 * @returns cluster by group
 */
async function place(query: Query, tenant: string, statements: readonly Statement[], weights: EntityWeights): Promise<Map<string, string>> {
  const placed = new Map<string, string>();
  for (const [model, some] of Map.groupBy(statements, (statement) => statement.model)) {
    const nearby = await near(query, tenant, model, some, candidates);
    const clusters = await clustersById(query, tenant, [...new Set(nearby.flat())]);
    const written = new Map<string, Cluster>();
    for (const [i, statement] of some.entries()) {
      let best: Cluster | null = null;
      let nearest = threshold(model);
      for (const id of new Set([...nearby[i]!, ...written.keys()])) {
        const cluster = clusters.get(id)!;
        const found = cluster.model === model ? affinity(statement, cluster, weights) : 0;
        if (found >= nearest && (!best || found > nearest)) [best, nearest] = [cluster, found];
      }
      const { refined, id } = best ?? { refined: 1, id: randomUUID() };
      const grown: Cluster = { ...joined(best ? [best, statement] : [statement]), id, model, refined };
      clusters.set(id, grown);
      written.set(id, grown);
      placed.set(statement.groupId, id);
    }
    await writeClusters(query, tenant, [...written.values()]);
  }
  return placed;
}
