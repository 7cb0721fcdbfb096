import { heartbeat } from '@temporalio/activity';
import type { Database } from '../adapters/postgres/database.ts';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import type { WorkActivities } from '../contracts/activities/work.ts';
import type { TaskProcesses } from '../services/work/processes.ts';
import type { TaskQueries } from '../services/work/queries.ts';
import { dependantsOf, markReleased, writeTask } from '../services/work/records.ts';

export const workActivities = (db: Database, processes: TaskProcesses, queries: TaskQueries): WorkActivities => ({
  writeTask: (ref, snapshot) => writeTask(db, ref, snapshot),

  async finishTask(ref, snapshot) {
    const { tenant, id } = ref;
    const beat = setInterval(() => heartbeat(), 1_000);
    try {
      const rev = await writeTask(db, ref, snapshot);
      if (rev > snapshot.rev) return { rev, unblocked: [] };
      const unblocked = await asTenant(tenant, async () => {
        const released: string[] = [];
        for (const dependant of await dependantsOf(db, tenant, id)) {
          const row = await queries.row(tenant, dependant);
          if (row.status === 'done') continue;
          // The dependant's workflow counts each blocker off once, however often it is told.
          const answer = await processes.ask(tenant, dependant, 'blockerDone', { blocker: id }, `done:${id}`, row);
          await markReleased(db, tenant, id, dependant);
          released.push(...(answer.unblocked ?? []));
        }
        return released;
      });
      return { rev, unblocked };
    } finally {
      clearInterval(beat);
    }
  },
});
