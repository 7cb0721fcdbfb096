import { Context } from '@temporalio/activity';
import { NativeConnection, Worker } from '@temporalio/worker';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { shapeActivities } from '../../activities/work/shape.ts';
import { workActivities } from '../../activities/work/work.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { ShapeActivities } from '../../contracts/activities/work/shape.ts';
import type { WorkActivities } from '../../contracts/activities/work/work.ts';
import { queues, workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { sealedOptions } from '../../workers/sealed.ts';
import { replay } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false });
});
afterAll(() => stack?.stop());

/**
 * A worker that takes the first normal activity of this name and is never heard of again, as one killed with -9.
 * @param done the part that has happened by then
 */
async function forgetful(
  name: keyof (WorkActivities & ShapeActivities),
  done?: (real: () => Promise<unknown>) => Promise<void>,
): Promise<{ taken: Promise<void>; stop(): Promise<void> }> {
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  const real = { ...workActivities(stack.services), ...shapeActivities(stack.services) };
  let lost = false;
  const activities = {
    ...real,
    async [name](...args: unknown[]): Promise<unknown> {
      if (lost || Context.current().info.isLocal) return await (real[name] as (...given: unknown[]) => Promise<unknown>)(...args);
      lost = true;
      await done?.(() => (real[name] as (...given: unknown[]) => Promise<unknown>)(...args));
      resolve();
      return await Context.current().cancelled;
    },
  };
  const { folder, temporalAddress } = inject('servers');
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: stack.namespace,
    taskQueue: queues.interactive,
    ...(await sealedOptions(stack, await workflowBundle(join(folder, 'cache')))),
    activities,
  });
  const running = worker.run();
  return {
    taken,
    async stop() {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}

it.each(['finishTask'] as const)('a complete whose worker was killed in %s is answered all the same, and once', async (activity) => {
  const worker = await forgetful(activity);
  const pm = await stack.caller({ name: `pm-${activity}` });
  const agent = await stack.caller({ role: 'agent', name: `agent-${activity}` });
  const phase_id = 21;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const { task: blocker } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'First', phase_id });
  const { task: waiting } = await stack.ok<{ task: Task }>(pm, 'work.task.create', {
    description: 'Then',
    phase_id,
    blocked_by: [blocker.id],
  });
  await stack.ok(agent, 'work.task.claim', { phase_id });

  const completing = stack.ok<{ unblocked_tasks: string[] }>(agent, 'work.task.complete', { task_id: blocker.id, fencing_token: 1 });
  await worker.taken;
  // By its heartbeat timeout, before the 15 s after which the caller would be told that nothing is known.
  expect((await completing).unblocked_tasks).toEqual([waiting.id]);
  expect((await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: waiting.id })).task).toMatchObject({
    status: 'ready',
    blocked_by: [],
  });
  await worker.stop();
});

it('a complete is answered although the process of a dependant does not answer; that one is let go later, though a worker is killed meanwhile', async () => {
  const worker = await forgetful('releaseRest');
  const pm = await stack.caller({ name: 'pm-sick' });
  const agent = await stack.caller({ role: 'agent', name: 'agent-sick' });
  const phase_id = 24;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const create = async (more: object): Promise<Task> =>
    (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'A task', phase_id, ...more })).task;
  const blocker = await create({});
  const [sick, well] = [await create({ blocked_by: [blocker.id] }), await create({ blocked_by: [blocker.id] })];
  await stack.ok(agent, 'work.task.claim', { task_id: blocker.id });

  const { promise: healed, resolve: heal } = Promise.withResolvers<void>();
  const { processes } = stack.services.work;
  const ask = processes.ask.bind(processes);
  const asked = vi.spyOn(processes, 'ask').mockImplementation(async (tenant, id, ...rest) => {
    if (id === sick.id) await healed;
    return await ask(tenant, id, ...rest);
  });
  const done = await stack.ok<{ unblocked_tasks: string[] }>(agent, 'work.task.complete', { task_id: blocker.id, fencing_token: 1 });
  expect(done.unblocked_tasks).toEqual([well.id]);
  const statusOf = async (id: string) => (await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: id })).task.status;
  expect([await statusOf(blocker.id), await statusOf(well.id), await statusOf(sick.id)]).toEqual(['done', 'ready', 'blocked']);

  await worker.taken;
  heal();
  await eventually('the dependant to be ready', async () => (await statusOf(sick.id)) === 'ready');
  const handle = stack.temporal.client.workflow.getHandle(workflowIds.task('acme', blocker.id));
  await handle.result();
  expect(await replay([{ id: blocker.id, history: await handle.fetchHistory() }])).toBe(1);
  asked.mockRestore();
  await worker.stop();
});

it('a dependant that was let go by a killed attempt and is done by the next one waits for nothing any more', async () => {
  const phase_id = 22;
  const forgetReleases = async (): Promise<void> =>
    void (await asTenant('acme', () =>
      stack.db.query('update work_task_dependencies set released_at = null where tenant_id = $1', ['acme']),
    ));
  const worker = await forgetful('finishTask', async (real) => {
    await real();
    await forgetReleases();
  });
  const pm = await stack.caller({ name: 'pm-late' });
  const [one, two] = await Promise.all(['late-1', 'late-2'].map((name) => stack.caller({ role: 'agent', name })));
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const { task: blocker } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'First', phase_id });
  const { task: waiting } = await stack.ok<{ task: Task }>(pm, 'work.task.create', {
    description: 'Then',
    phase_id,
    blocked_by: [blocker.id],
  });
  await stack.ok(one!, 'work.task.claim', { phase_id });
  const completing = stack.ok(one!, 'work.task.complete', { task_id: blocker.id, fencing_token: 1 });
  await worker.taken;
  await stack.ok(two!, 'work.task.claim', { task_id: waiting.id });
  await stack.ok(two!, 'work.task.complete', { task_id: waiting.id, fencing_token: 1 });
  await completing;
  expect((await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id: waiting.id })).task).toMatchObject({
    status: 'done',
    blocked_by: [],
  });
  await worker.stop();
});

it.each([
  ['freeDependants', 'cancel'],
  ['removeTask', 'delete'],
] as const)('killed in %s, a %s frees and tells the dependants once, and is answered', async (activity, tool) => {
  const worker = await forgetful(activity, async (real) => void (await real()));
  const pm = await stack.caller({ name: `pm-${activity}` });
  const agent = await stack.caller({ role: 'agent', name: `agent-${activity}` });
  const phase_id = 23;
  await stack.ok(pm, 'work.phase.set', { phase_id });
  const { task: blocker } = await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'First', phase_id });
  const { task: waiting } = await stack.ok<{ task: Task }>(pm, 'work.task.create', {
    description: 'Then',
    phase_id: 2,
    blocked_by: [blocker.id],
  });
  await stack.ok(agent, 'work.task.claim', { phase_id });
  const ending = stack.call(pm, `work.task.${tool}`, { task_id: blocker.id, dependants: 'free' });
  await worker.taken;
  expect((await ending).error).toBeUndefined();
  const { task } = await stack.ok<{ task: Task & { comments: unknown[] } }>(pm, 'work.task.get', { task_id: waiting.id });
  expect(task).toMatchObject({ status: 'ready', blocked_by: [] });
  expect(task.comments).toHaveLength(1);
  expect((await stack.call(pm, 'work.task.get', { task_id: blocker.id })).error?.code).toBe(tool === 'delete' ? 'NOT_FOUND' : undefined);
  await worker.stop();
});
