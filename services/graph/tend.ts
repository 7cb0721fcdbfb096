import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { embedGraph } from './embed.ts';
import { followTime } from './facts-records.ts';
import { noteGraphChange } from './fold.ts';
import type { GraphService } from './index.ts';
import { lockGraph } from './lock.ts';

/**
 * What a tenant's graph needs now and then: episodes whose signal was lost are taken in, facts that were said to begin or
 * end some day do, and what lacks vectors gets them.
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
