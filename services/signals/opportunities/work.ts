import type { Database } from '../../../adapters/postgres/database.ts';
import type { OpportunitiesWorked } from '../../../contracts/activities/signals/opportunities.ts';
import { scaleOf } from '../../kernel/model-scale.ts';
import { assignSome, isKnown } from './assign.ts';
import { countSome, scoreAgeHours } from './count.ts';
import type { ClusterDeps } from './embed.ts';
import { refineOne } from './refine.ts';
import { remodelOne } from './remodel.ts';

/**
 * Works for some seconds, one transaction per step: changes first, then clusters of another model, then grown ones,
 * and finally counts. After a kill the next call continues.
 */
export async function workSome(
  deps: ClusterDeps,
  tenant: string,
  { beat, spent }: { beat(): void; spent(): boolean },
): Promise<OpportunitiesWorked> {
  // Thresholds depend on it.
  if (deps.embedder) await scaleOf(deps.embedder);
  const worked = { changes: 0, refined: 0, counted: 0 };
  while (!spent()) {
    beat();
    const changes = await assignSome(deps, tenant);
    worked.changes += changes;
    if (changes > 0) continue;
    if (await remodelOne(deps, tenant)) continue;
    if (await refineOne(deps.db, tenant)) {
      worked.refined += 1;
      continue;
    }
    const counted = await countSome(deps.db, tenant);
    worked.counted += counted;
    if (counted === 0) return { state: 'empty', ...worked };
  }
  return { state: 'more', ...worked };
}

/** Whether there is work: a few index lookups. */
export async function hasWork(
  { db, embedder }: { db: Pick<Database, 'query'>; embedder: { id: string } | null },
  tenant: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 where exists (select from opportunity_changes c where c.tenant_id = $1 and ${isKnown})
       or exists (select from opportunity_clusters where tenant_id = $1 and recount)
       or exists (select from opportunity_clusters where tenant_id = $1 and size >= 2 * refined)
       or exists (select from opportunity_clusters where tenant_id = $1 and (model < $2 or model > $2))
       or exists (select from opportunities where tenant_id = $1 and closed_at is null and scored_at < now() - make_interval(hours => $3))`,
    [tenant, embedder?.id ?? null, scoreAgeHours],
  );
  return rows.length > 0;
}
