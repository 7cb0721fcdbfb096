import { TaskState } from '@a2a-js/sdk';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { a2aAgent } from '../../adapters/peers/testing.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import { findDiffering } from '../../services/reconcile.ts';
import { findLost, restart } from '../../services/sweep.ts';
import { workflowBundle } from '../../workers/bundle.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ model: false, workers: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
});
afterAll(() => stack?.stop());

/** Workers with other code: no history of before can be replayed by them. */
async function startOtherWorkers(before: string, now: string): Promise<void> {
  const bundle = await workflowBundle(join(inject('servers').folder, 'cache'));
  const code = bundle.code.replaceAll(before, now);
  expect(code).not.toBe(bundle.code);
  await stack.startWorkers({ bundle: { code } });
}
/** The process that stands still, once each of its steps fails. */
const standing = () =>
  eventually(
    'it is seen to stand still',
    async () => {
      const [found] = await findLost(stack, 0);
      return found ?? false;
    },
    90_000,
  );

it('the sweep begins a task anew whose history does not replay', { timeout: 150_000 }, async () => {
  await stack.startWorkers();
  const pm = await stack.caller({ name: 'pm' });
  const agent = await stack.caller({ role: 'agent', name: 'builder' });
  await stack.ok(pm, 'work.phase.set', { phase_id: 31 });
  const { id: task_id } = (await stack.ok<{ task: Task }>(pm, 'work.task.create', { description: 'Build', phase_id: 31 })).task;
  await stack.ok(agent, 'work.task.claim', { task_id, lease_seconds: 20 });
  const workflowId = workflowIds.task('acme', task_id);
  const { runId } = await stack.temporal.handle(workflowId).describe();
  await stack.stopWorkers();
  await startOtherWorkers('await local.writeTask(', 'await durable.writeTask(');

  // Each step fails from the end of the lease on.
  const lost = await standing();
  expect(lost).toMatchObject({ kind: 'task', id: task_id, stands: true, neverStarted: false });
  const process = stack.temporal.client.workflow.getHandle(workflowId, runId);
  expect((await process.describe()).status.name).toBe('RUNNING');
  // Comparing processes with rows finds it, too, also before its lease ends.
  expect(await findDiffering(stack, undefined, 0)).toMatchObject([{ kind: 'task', id: task_id, row: 'open', acted: true }]);
  // Killed after it was ended and before it was begun anew: the next sweep goes on there.
  await process.terminate();
  expect(await findLost(stack, 0)).toMatchObject([{ id: task_id, stands: true, acted: false }]);

  expect(await restart(stack.services, [lost])).toBe(1);
  await eventually('the lease has ended', async () => {
    const { task } = await stack.ok<{ task: Task }>(pm, 'work.task.get', { task_id });
    return task.status === 'ready';
  });
  // The former holder's token is of no use, and the next attempt has its own.
  const late = await stack.call(agent, 'work.task.complete', { task_id, fencing_token: 1, result: 'Too late' });
  expect(late.error?.code).toBe('CONFLICT');
  // Longer than the next test takes, for which a lease that has ended would be one more that stands still.
  const { task } = await stack.ok<{ task: Task }>(agent, 'work.task.claim', { task_id, lease_seconds: 600 });
  expect(task).toMatchObject({ fencing_token: 2, attempts: 2 });
  expect(await findLost(stack, 0)).toEqual([]);
});

it('the sweep ends a delegation after its deadline whose history does not replay, and tells its target', { timeout: 150_000 }, async () => {
  const told = { cancelled: false };
  await using target = await a2aAgent('jsonrpc-1.0', async (story) => {
    story.begin();
    story.status(TaskState.TASK_STATE_WORKING, 'on it');
    await new Promise(() => {});
  });
  target.sabotage.push((_request, _response, body) => (told.cancelled ||= body.includes('CancelTask')) && false);
  await stack.stopWorkers();
  await stack.startWorkers();
  const ann = await stack.caller({ name: 'ann' });
  const { agent_id } = await stack.ok<{ agent_id: string }>(ann, 'agent.peer.register', {
    agent_type: 'standard',
    card_url: target.site.origin,
  });
  const { agents } = await stack.ok(ann, 'agent.peer.list');
  const peer = agents.find((each: { agent_id: string }) => each.agent_id === agent_id);
  const { task_id } = await stack.ok<{ task_id: string }>(ann, 'agent.task.delegate', {
    target_agent: agent_id,
    capability_name: peer.capabilities[0].name,
    // Its workers stop before.
    timeout_seconds: 25,
  });
  const taskOf = async () => (await stack.ok(ann, 'agent.task.get', { task_id })).task;
  await eventually('it is taken', async () => (await taskOf()).remote_id);
  await stack.stopWorkers();
  await startOtherWorkers('local.openDelegated(ref)', 'rows.openDelegated(ref)');

  const lost = await standing();
  expect(lost).toMatchObject({ kind: 'delegation', id: task_id, stands: true, neverStarted: false });
  expect(await restart(stack.services, [lost])).toBe(1);
  expect(await stack.ok(ann, 'agent.task.get_result', { task_id, wait_seconds: 20 })).toMatchObject({
    status: 'failed',
    error_code: 'TIMEOUT',
  });
  await eventually('its target is told', async () => told.cancelled);
  expect(target.received).toHaveLength(1);
  expect(await findLost(stack, 0)).toEqual([]);
});
