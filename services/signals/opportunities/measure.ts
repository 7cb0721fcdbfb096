import type { Database } from '../../../adapters/postgres/database.ts';
import { joined, type Item } from './affinity.ts';
import { groupsOf, writeClusters, type Cluster } from './store.ts';

type Query = Database['query'];

export const page = 500;

/**
 * Computes mean and size of a cluster from its members, page by page; an empty one stays with size 0 until it is
 * counted.
 */
export async function measure(query: Query, tenant: string, cluster: Cluster): Promise<void> {
  let sum: Item | null = null;
  let size = 0;
  for (let after: string | null = null; ;) {
    const groups = await groupsOf(query, tenant, cluster.id, after, page);
    size += groups.length;
    // Statements with a vector of another model are counted, and wait for a new vector.
    const measured: Item[] = groups.filter(({ model }) => model === cluster.model);
    if (measured.length > 0) sum = joined(sum ? [sum, ...measured] : measured);
    if (groups.length < page) break;
    after = groups.at(-1)!.groupId;
  }
  const kept: Item = sum ?? { vector: size === 0 ? new Float32Array(cluster.vector.length) : cluster.vector, entities: new Map(), size };
  await writeClusters(query, tenant, [{ ...cluster, ...kept, size, refined: Math.max(1, Math.min(cluster.refined, size)) }]);
}
