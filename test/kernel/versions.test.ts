/** An upgrade of the workers under load: processes of the former release run to their end on its workers. */
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Deployment } from '../../adapters/temporal/deployment.ts';
import { promote, versionsOf } from '../../adapters/temporal/deployment.ts';
import type { Caller } from '../../contracts/caller.ts';
import { queues } from '../../contracts/temporal.ts';
import { Processes } from '../../services/kernel/processes.ts';
import { histories } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const root = join(import.meta.dirname, '../..');
const silent = (): void => {};
const built = (name: string): Promise<WorkflowBundle> =>
  bundleWorkflowCode({
    workflowsPath: join(root, 'test/setup', name),
    workflowInterceptorModules: [join(root, 'workflows/kernel/sealed.ts')],
    failureConverterPath: join(root, 'workflows/kernel/failures.ts'),
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  });

let stack: TestStack;
let agent: Caller;
let former: WorkflowBundle;
let next: WorkflowBundle;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
  agent = await stack.caller({ role: 'admin', name: 'builder' });
  [former, next] = [await built('former-workflows.ts'), await built('upgraded-workflows.ts')];
}, 180_000);
afterAll(() => stack?.stop());

const name = 'signalbox-test';
const of = (buildId: string): Deployment => ({ name, buildId });
const promoted = async (build: string, onlyNew = false) =>
  (await promote(stack.temporal, name, build, { waitMs: 60_000, onlyNew })).version.status;
const begin = async (id: string): Promise<void> => {
  const processes = new Processes(stack.temporal);
  await processes.start({ workflow: 'held', id, queue: 'background', args: [{ job: id }], kind: 'test', status: 'open', summary: id });
  // Its first step is in the history, written by whoever is current.
  await eventually(`${id} is under way`, async () => {
    const { events } = await stack.temporal.handle(id).fetchHistory();
    return events?.some(({ workflowTaskCompletedEventAttributes: done }) => done);
  });
};
const wake = async (id: string): Promise<unknown> => {
  await stack.temporal.handle(id).signal('wake');
  return await stack.temporal.handle(id).result();
};

/** As an agent calls: what may be repeated is repeated under the same key. */
async function patiently(caller: Caller, tool: string, args: object): Promise<Record<string, any>> {
  const idempotencyKey = randomUUID();
  return await eventually(
    `${tool} is answered`,
    async () => {
      const { data, error } = await stack.call(caller, tool, args, { idempotencyKey });
      if (error && !error.retryable) throw error;
      return error ? null : (data as Record<string, any>);
    },
    120_000,
  );
}

/** Failed steps in all histories of the namespace, with their reasons. */
async function failedSteps(): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, history } of histories(stack.temporal.client, '')) {
    for (const { workflowTaskFailedEventAttributes: failed } of history.events ?? [])
      if (failed) found.push(`${id}: ${failed.failure?.message}`);
  }
  return found;
}

it('replays no pinned history on new code, and loses no task', { timeout: 240_000 }, async () => {
  await stack.startWorkers({ bundle: former, deployment: of('former') });
  expect(await promoted('former', true)).toBe('current');
  for (const id of ['held-1', 'held-2', 'held-3']) await begin(id);
  const create = async (count: number): Promise<string[]> =>
    await Promise.all(
      Array.from({ length: count }, async (_, i) => (await patiently(agent, 'work.task.create', { description: `Task ${i}`, phase_id: 1 })).task.id as string), // prettier-ignore
    );
  const open = await create(6);

  // Agents go on claiming and completing until the upgrade is over.
  const done = new Set<string>();
  let over = false;
  const working = Promise.all(
    ['one', 'two'].map(async (who) => {
      const self = await stack.caller({ role: 'admin', name: who });
      while (!over || done.size < open.length) {
        const { task } = await patiently(self, 'work.task.claim', { phase_id: 1 });
        if (task) {
          await patiently(self, 'work.task.complete', { task_id: task.id, fencing_token: task.fencing_token, result: 'done' });
          done.add(task.id as string);
        }
        if (!over && open.length - done.size < 6) open.push(...(await create(1)));
      }
    }),
  );

  await stack.startWorkers({ bundle: next, deployment: of('next') });
  expect(await promoted('next', true)).toBe('current');
  // A restarted worker of the former version does not take the upgrade back.
  expect(await promoted('former', true)).not.toBe('current');
  await begin('held-4');
  expect(await Promise.all(['held-1', 'held-2', 'held-3', 'held-4'].map(wake))).toEqual([
    'former held-1',
    'former held-2',
    'former held-3',
    'next held-4',
  ]);
  over = true;
  await working;
  expect([...done].sort()).toEqual([...open].sort());
  expect(await failedSteps()).toEqual([]);
  const versions = await versionsOf(stack.temporal, name);
  expect(versions.map(({ build_id, status }) => [build_id, status === 'drained' ? 'draining' : status])).toEqual([
    ['next', 'current'],
    ['former', 'draining'],
  ]);
  expect(Object.keys(versions[0]!.pollers).sort()).toEqual(Object.values(queues).sort());
  await stack.stopWorkers();
});

it('is what unversioned workers cannot do', { timeout: 120_000 }, async () => {
  const bare = await testStack({ model: false, workers: false });
  try {
    await bare.startWorkers({ bundle: former });
    const processes = new Processes(bare.temporal);
    await processes.start({ workflow: 'held', id: 'held', queue: 'background', args: [{ job: 'held' }], kind: 'test', status: 'open', summary: 'held' }); // prettier-ignore
    const events = async () => (await bare.temporal.handle('held').fetchHistory()).events ?? [];
    await eventually('it is under way', async () => (await events()).some(({ workflowTaskCompletedEventAttributes: it }) => it));
    await bare.stopWorkers();
    await bare.startWorkers({ bundle: next });
    await bare.temporal.handle('held').signal('wake');
    await eventually('its history does not replay', async () =>
      (await events()).some(({ workflowTaskFailedEventAttributes: failed }) => /nondeterminism/i.test(failed?.failure?.message ?? '')),
    );
    await bare.temporal.handle('held').terminate('of a test');
  } finally {
    await bare.stop();
  }
});
