import type { Database } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { Applied } from '../../contracts/activities/kernel/review.ts';
import { mergeEntities, undoMerge } from './merge.ts';
import { moveName, splitEntity } from './split.ts';
import { undoSplit } from './split-undo.ts';

/** The change of a merge or split; the job's id identifies it. */
export type ChangeSpec = { by: string; notes: string | null } & (
  | { change: 'merge'; a: string; b: string }
  | { change: 'split'; entity: string; name: string }
  /** Moves one name's mentions from `a` to `b`. */
  | { change: 'move'; a: string; b: string; key: string }
);

async function specOf(db: Database, { tenant, id }: JobRef): Promise<ChangeSpec> {
  const [row] = await db.query<{ spec: ChangeSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, id]);
  if (!row) throw new Error(`job ${id} has no row`);
  return row.spec;
}

/**
 * Applies the job's change, once.
 * @throws AppError when it cannot be applied
 */
export async function applyChange(db: Database, job: JobRef): Promise<Applied> {
  const spec = await specOf(db, job);
  const { tenant, id: changeId } = job;
  const { by, notes } = spec;
  if (spec.change === 'merge') {
    const outcome = await mergeEntities(db, tenant, { changeId, a: spec.a, b: spec.b, by, notes });
    return { outcome, reviews: outcome.reviews_opened };
  }
  if (spec.change === 'split') {
    const outcome = await splitEntity(db, tenant, { changeId, entityId: spec.entity, newName: spec.name, by, notes });
    return { outcome, reviews: outcome.reviews_opened };
  }
  return { outcome: await moveName(db, tenant, { changeId, from: spec.a, to: spec.b, key: spec.key, by }), reviews: [] };
}

/** Undoes it exactly; does nothing if it was never applied. */
export async function undoChange(db: Database, job: JobRef): Promise<void> {
  const spec = await specOf(db, job);
  if (spec.change === 'merge') await undoMerge(db, job.tenant, job.id, spec.by);
  else await undoSplit(db, job.tenant, job.id, spec.by);
}
