import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { WorkActivities } from '../../contracts/activities/work.ts';
import type { TaskProcesses } from '../../services/work/processes.ts';
import type { TaskQueries } from '../../services/work/queries.ts';
import { dependantsOf, markReleased } from '../../services/work/records.ts';
import { writeAndTell } from '../../services/work/watching.ts';
import { beating } from '../kernel/stage.ts';
import type { Processes } from '../../services/kernel/processes.ts';

interface Parts {
  db: Database;
  tasks: TaskProcesses;
  queries: TaskQueries;
  processes: Processes;
}

export const workActivities = ({ db, tasks, queries, processes }: Parts): WorkActivities => ({
  writeTask: (ref, snapshot) => writeAndTell({ db, processes }, ref, snapshot),

  async finishTask(ref, snapshot) {
    const { tenant, id } = ref;
    const finishing = async (): Promise<{ rev: number; unblocked: string[] }> => {
      const rev = await writeAndTell({ db, processes }, ref, snapshot);
      if (rev > snapshot.rev) return { rev, unblocked: [] };
      const unblocked = await asTenant(tenant, async () => {
        const released: string[] = [];
        for (const dependant of await dependantsOf(db, tenant, id)) {
          const row = await queries.row(tenant, dependant);
          // The dependant's workflow removes each blocker once, however often it is notified. A dependant that is
          // done was released by an attempt that died before it could record it.
          const answer = row.status === 'done' ? null : await tasks.ask(tenant, dependant, 'blockerDone', { blocker: id }, `done:${id}`);
          await markReleased(db, tenant, id, dependant);
          released.push(...(answer?.unblocked ?? []));
        }
        return released;
      });
      return { rev, unblocked };
    };
    return await beating(finishing, { everyMs: 1_000 });
  },
});
