import type { WatchingActivities } from '../../contracts/activities/work/watching.ts';
import type { Services } from '../../services/index.ts';
import { watchedTask } from '../../services/work/queries.ts';
import { stage } from '../kernel/stage.ts';

export const watchingActivities = ({ kernel: { db }, work }: Services): WatchingActivities => ({
  watchedTask: ({ tenant, id }) => stage(tenant, () => watchedTask(db, tenant, id)),
  withdrawTask: (ref, reason) => stage(ref.tenant, () => work.changes.withdraw(ref, reason)),
});
