import type { RemovalActivities } from '../../contracts/activities/knowledge/removal.ts';
import { removeSome } from '../../services/knowledge/removal-clear.ts';
import type { Services } from '../../services/index.ts';
import { reopened } from '../../services/knowledge/removal-records.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const removalActivities = ({ kernel, knowledge, rereading }: Services): RemovalActivities => ({
  callOff: (ref) => longStage(ref.tenant, () => knowledge.removals.callOff(kernel.db, ref)),
  removeSome: (ref) =>
    longStage(ref.tenant, async () => {
      const done = await removeSome(kernel, ref);
      await rereading.wakeSoon(ref.tenant);
      return done;
    }),
  reopened: (ref) => stage(ref.tenant, () => reopened(kernel.db, ref)),
});
