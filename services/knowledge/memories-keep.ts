import type { Database } from '../../adapters/postgres/database.ts';
import { deleteVersions, endExpired, keyOf, lockMemories } from './memories-records.ts';
import { memoryColumns, type MemoryRow } from './memories-rows.ts';

/** Memories of one kind that a sweep works on; the next sweep goes on. */
const perSweep = 1_000;

/**
 * Expired memories leave the index; `keepDays` after their expiry they are deleted with the versions that they replaced.
 * Safe at any time, also twice at once: each memory is a transaction of its own, under its lock.
 * @param keepDays 0: they are never deleted
 * @returns how many versions were deleted
 */
export async function sweepMemories(db: Database, tenant: string, keepDays: number): Promise<number> {
  const expired = await db.query<MemoryRow>(
    `select ${memoryColumns} from memories where tenant_id = $1 and valid_to is null and expires_at <= now() order by expires_at, id limit ${perSweep}`,
    [tenant],
  );
  for (const row of expired) {
    await db.transaction(async (query) => {
      await lockMemories(query, tenant, [keyOf(row)]);
      // Somebody may have saved it again meanwhile, which prolongs it.
      const still = await query(
        'select 1 from memories where tenant_id = $1 and id = $2 and valid_to is null and expires_at <= now() for update',
        [tenant, row.id],
      );
      if (still.length > 0) await endExpired(query, tenant, row);
    });
  }
  if (keepDays === 0) return 0;
  const over = await db.query<MemoryRow>(
    `select ${memoryColumns} from memories where tenant_id = $1 and valid_to < now() - make_interval(days => $2) and superseded_by is null
     order by valid_to, id limit ${perSweep}`,
    [tenant, keepDays],
  );
  let deleted = 0;
  for (const row of over) deleted += await db.transaction((query) => deleteVersions(query, tenant, row));
  return deleted;
}
