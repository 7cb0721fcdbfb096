import type { Database } from '../../adapters/postgres/database.ts';
import type { WatchingActivities } from '../../contracts/activities/watching.ts';
import type { WorkService } from '../../services/work/index.ts';
import { watchedTask, withdrawTask } from '../../services/work/watching.ts';
import { stage } from '../kernel/stage.ts';

export const watchingActivities = (db: Database, work: WorkService): WatchingActivities => ({
  watchedTask: ({ tenant, id }) => stage(tenant, () => watchedTask(db, tenant, id)),
  withdrawTask: (ref, reason) => stage(ref.tenant, () => withdrawTask(work, ref, reason)),
});
