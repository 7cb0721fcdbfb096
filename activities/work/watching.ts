import type { WatchingActivities } from '../../contracts/activities/watching.ts';
import type { Services } from '../../services/index.ts';
import { watchedTask, withdrawTask } from '../../services/work/watching.ts';
import { stage } from '../kernel/stage.ts';

export const watchingActivities = ({ kernel: { db }, work }: Services): WatchingActivities => ({
  watchedTask: ({ tenant, id }) => stage(tenant, () => watchedTask(db, tenant, id)),
  withdrawTask: (ref, reason) => stage(ref.tenant, () => withdrawTask(work, ref, reason)),
});
