import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { WatchedTask } from '../../contracts/activities/work/watching.ts';
import type { TaskRef, TaskSnapshot, WorkActivities } from '../../contracts/activities/work/work.ts';
import type { Services } from '../../services/index.ts';
import { writeTask } from '../../services/work/records.ts';
import { beating } from '../kernel/stage.ts';

export function workActivities({ kernel, work }: Services): WorkActivities {
  const { db, processes } = kernel;
  return {
    writeTask: write,

    async finishTask(ref, snapshot) {
      const { tenant } = ref;
      const finishing = async (): Promise<{ rev: number; unblocked: string[] }> => {
        const rev = await write(ref, snapshot);
        if (rev > snapshot.rev) return { rev, unblocked: [] };
        const unblocked = await asTenant(tenant, () => work.shaping.release(ref));
        return { rev, unblocked };
      };
      return await beating(finishing, { everyMs: 1_000 });
    },
  };

  /** The row, and then the process that watches the task, if one does. @returns the row's revision */
  async function write(ref: TaskRef, snapshot: TaskSnapshot, until?: number): Promise<number> {
    const { rev, watcher } = await writeTask(db, ref, snapshot, until);
    // Late or never told, the watcher looks by itself.
    if (watcher) await processes.signal(watcher, 'taskChanged', watched(ref.id, snapshot)).catch(() => {});
    return rev;
  }
}

const watched = (taskId: string, { status, agent, progress, result, failure }: TaskSnapshot): WatchedTask => ({
  taskId,
  status,
  agent,
  progress,
  result,
  failure,
});
