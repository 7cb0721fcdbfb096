import { condition, defineSignal, patched, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WatchedTask, WatchingActivities } from '../../contracts/activities/work/watching.ts';
import { queues } from '../../contracts/temporal.ts';

/** Sent by a kanban task's process whenever its row has changed. */
export const taskChanged = defineSignal<[WatchedTask]>('taskChanged');

const activities = proxyActivities<WatchingActivities>({
  taskQueue: queues.interactive,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

/** Polling interval in ms, in case a signal is lost; it increases. */
const lookAfter = 30_000;
const longestLook = 600_000;

const same = (one: WatchedTask, other: WatchedTask | null): boolean =>
  other !== null && (['status', 'agent', 'progress', 'result', 'failure'] as const).every((field) => one[field] === other[field]);

/**
 * Waits until the kanban task is done or has failed. Call it before the task is created.
 * @param changed called with each change, including the last one
 */
export function watchTask(tenant: string, changed: (task: WatchedTask) => void) {
  let latest: WatchedTask | null = null;
  let news = 0;
  const hear = (task: WatchedTask): void => {
    latest = task;
    news += 1;
    changed(task);
  };
  setHandler(taskChanged, hear);
  const over = (): boolean => latest?.status === 'done' || latest?.status === 'failed';
  return {
    /**
     * @param given up: nobody waits any more.
     * @returns null when given up
     */
    async ended(id: string, givenUp: () => boolean): Promise<WatchedTask | null> {
      for (let wait = lookAfter; !over() && !givenUp();) {
        const heard = news;
        if (await condition(() => news > heard || givenUp(), wait)) continue;
        wait = Math.min(wait * 1.5, longestLook);
        const task = await activities.watchedTask({ tenant, id });
        // Ignore unchanged states.
        if (task && !over() && !(patched('quiet-looks') && same(task, latest))) hear(task);
        else if (!task) return null;
      }
      return over() ? latest : null;
    },
    withdraw: (id: string, reason: string): Promise<void> => activities.withdrawTask({ tenant, id }, reason),
  };
}
