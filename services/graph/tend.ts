import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { embedGraph } from './embed.ts';
import { followTime } from './facts-records.ts';
import { noteGraphChange } from './fold.ts';
import type { GraphService } from './index.ts';
import { lockGraph } from './lock.ts';

/**
 * Periodic maintenance of a tenant's graph: ingests episodes whose signal was lost, applies facts that begin or end
 * now, and adds missing vectors.
 */
export async function tendGraph(
  { db, embedder }: { db: Database; embedder: Embedder | null },
  graph: GraphService,
  tenant: string,
): Promise<void> {
  const queued = await db.query(`select 1 from graph_episodes where tenant_id = $1 and status = 'queued' limit 1`, [tenant]);
  if (queued.length > 0) await graph.episodeProcesses.wake(tenant);
  await db.transaction(async (query) => {
    await lockGraph(query, tenant);
    const changed = await followTime(query, tenant);
    if (changed.length > 0) await noteGraphChange(query, tenant, changed[0]!, changed);
  });
  await embedGraph({ db, embedder }, tenant, { beat: () => {}, signal: AbortSignal.timeout(60_000) }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
  });
}
