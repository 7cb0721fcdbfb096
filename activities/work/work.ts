import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { WatchedTask } from '../../contracts/activities/work/watching.ts';
import type { Finished, TaskRef, TaskSnapshot, WorkActivities } from '../../contracts/activities/work/work.ts';
import type { Services } from '../../services/index.ts';
import { writeTask } from '../../services/work/records.ts';
import { beating } from '../kernel/stage.ts';

/** A dependant takes some milliseconds. One that does not answer by then is notified after the answer, in ms. */
const answeredWithinMs = 3_000;

export function workActivities({ kernel, work }: Services): WorkActivities {
  const { db, processes } = kernel;
  return {
    writeTask: write,

    async finishTask(ref, snapshot) {
      const finishing = async (): Promise<Finished> => {
        const rev = await write(ref, snapshot);
        if (rev > snapshot.rev) return { rev, unblocked: [] };
        const unblocked: string[] = [];
        const all = await within(answeredWithinMs, release(ref, unblocked));
        return { rev, unblocked: unblocked.toSorted(), ...(all ? {} : { rest: true }) };
      };
      return await beating(finishing, { everyMs: 1_000 });
    },

    async releaseRest(ref) {
      await beating(() => release(ref, []), { everyMs: 1_000 });
    },
  };

  /** @param released those that became ready, as they do */
  async function release(ref: TaskRef, released: string[]): Promise<void> {
    await asTenant(ref.tenant, () => work.shaping.release(ref, { released }));
  }

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

/** @returns whether it succeeded in time; its failure is as good as none */
async function within(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((done) => (timer = setTimeout(() => done(false), ms)));
  const ended = work.then(
    () => true,
    () => false,
  );
  return await Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
