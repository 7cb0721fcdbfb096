import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { WorkActivities } from '../../contracts/activities/work.ts';
import type { Services } from '../../services/index.ts';
import { dependantsOf, markReleased } from '../../services/work/records.ts';
import { writeAndTell } from '../../services/work/watching.ts';
import { beating } from '../kernel/stage.ts';

export const workActivities = ({ kernel, work }: Services): WorkActivities => ({
  writeTask: (ref, snapshot) => writeAndTell(kernel, ref, snapshot),

  async finishTask(ref, snapshot) {
    const { tenant, id } = ref;
    const finishing = async (): Promise<{ rev: number; unblocked: string[] }> => {
      const rev = await writeAndTell(kernel, ref, snapshot);
      if (rev > snapshot.rev) return { rev, unblocked: [] };
      const unblocked = await asTenant(tenant, async () => {
        const released: string[] = [];
        for (const dependant of await dependantsOf(kernel.db, tenant, id)) {
          const row = await work.queries.row(tenant, dependant);
          // The dependant's workflow removes each blocker once, however often it is notified. A dependant that is
          // done was released by an attempt that died before it could record it.
          const answer =
            row.status === 'done' ? null : await work.processes.ask(tenant, dependant, 'blockerDone', { blocker: id }, `done:${id}`);
          await markReleased(kernel.db, tenant, id, dependant);
          released.push(...(answer?.unblocked ?? []));
        }
        return released;
      });
      return { rev, unblocked };
    };
    return await beating(finishing, { everyMs: 1_000 });
  },
});
