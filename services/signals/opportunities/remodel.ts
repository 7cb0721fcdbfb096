import { embedStatements, type ClusterDeps } from './embed.ts';
import { measure } from './measure.ts';
import { clustersById, lockClusters } from './store.ts';

/** Statements embedded at a time. */
const atOnce = 256;

/**
 * Moves one cluster from another model, or from words, to the current model: embeds its statements and measures it
 * again. It keeps its id, and is compared with its neighbours again.
 * @returns false when there is none
 */
export async function remodelOne(deps: ClusterDeps, tenant: string): Promise<boolean> {
  const { db, embedder } = deps;
  if (!embedder) return false;
  const [row] = await db.query<{ id: string }>(
    'select id from opportunity_clusters where tenant_id = $1 and (model < $2 or model > $2) limit 1',
    [tenant, embedder.id],
  );
  if (!row) return false;
  const lacking = await db.query<{ id: string }>(
    `select s.id from opportunity_signals m join signals s on s.tenant_id = $1 and s.id = m.signal_id
     where m.tenant_id = $1 and m.cluster_id = $2 and (s.embedding is null or s.model is distinct from $3) order by s.id limit $4`,
    [tenant, row.id, embedder.id, atOnce],
  );
  await embedStatements(
    deps,
    tenant,
    lacking.map(({ id }) => id),
  );
  if (lacking.length === atOnce) return true;
  await db.transaction(async (query) => {
    await lockClusters(query, tenant);
    const cluster = (await clustersById(query, tenant, [row.id])).get(row.id);
    // Vectors of models may differ in length: the former one must not stand beside the new model's name.
    const vector = new Float32Array(embedder.dimensions);
    if (cluster) await measure(query, tenant, { ...cluster, model: embedder.id, vector, refined: 1 });
  });
  return true;
}
