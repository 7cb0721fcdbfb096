/** The workers that are created together run their workflows in one thread, where the product has one for each queue. */
import { Worker } from '@temporalio/worker';
import { AsyncLocalStorage } from 'node:async_hooks';

interface Creator {
  createWorkflow(options: unknown): Promise<unknown>;
  destroy(): Promise<void>;
}
type Create = (this: unknown, bundle: unknown, options: { activities: Map<string, unknown> }, logger: unknown) => Promise<Creator>;

const together = new AsyncLocalStorage<{ made?: Promise<Creator>; users: number }>();

/** The SDK's own way to a thread. It is protected; there is no option for what we do here. */
const sdk = Worker as unknown as { createWorkflowCreator: Create };
const create = sdk.createWorkflowCreator;
if (typeof create !== 'function') throw new Error("Temporal's SDK makes its threads in another way now: change test/setup/one-thread.ts");

sdk.createWorkflowCreator = async function (bundle, options, logger) {
  const shared = together.getStore();
  if (!shared) return await create.call(this, bundle, options, logger);
  // The thread knows no queue's activities: a local activity that its queue lacks fails in the worker instead of the workflow.
  shared.made ??= create.call(this, bundle, { ...options, activities: new Map([...options.activities, ['default', null]]) }, logger);
  shared.users += 1;
  const creator = await shared.made;
  return {
    createWorkflow: (given) => creator.createWorkflow(given),
    async destroy() {
      shared.users -= 1;
      if (shared.users === 0) await creator.destroy();
    },
  };
};

/**
 * A thread takes 0.35 s of processor time to start, and a stack starts five. Only workers of different queues may share one:
 * in it, a run is known by its id alone.
 */
export const inOneThread = async (createWorkers: () => Promise<Worker[]>): Promise<Worker[]> =>
  await together.run({ users: 0 }, createWorkers);
