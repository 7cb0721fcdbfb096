import type { Database } from '../../adapters/postgres/database.ts';
import type { WatchingActivities } from '../../contracts/activities/watching.ts';
import type { WorkService } from '../../services/work/index.ts';
import { watchedTask } from '../../services/work/queries.ts';
import { stage } from '../kernel/stage.ts';

export const watchingActivities = (db: Database, work: WorkService): WatchingActivities => ({
  watchedTask: ({ tenant, id }) => stage(tenant, () => watchedTask(db, tenant, id)),
  withdrawTask: (ref, reason) => stage(ref.tenant, () => work.changes.withdraw(ref, reason)),
});
