import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { ShapeActivities } from '../../contracts/activities/work/shape.ts';
import type { Services } from '../../services/index.ts';
import { noteEdit, removeTask } from '../../services/work/edits.ts';
import { beating } from '../kernel/stage.ts';

export const shapeActivities = ({ kernel: { db }, work }: Services): ShapeActivities => ({
  noteEdit: (ref, note) => asTenant(ref.tenant, () => noteEdit(db, ref, note)),
  freeDependants: (ref, dropped) => beating(() => asTenant(ref.tenant, () => work.shaping.free(ref, dropped)), { everyMs: 1_000 }),
  removeTask: (ref) => asTenant(ref.tenant, () => removeTask(db, ref)),
});
