/** A2A messages to this platform, by tools: the same tasks as over the protocol. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { A2aTaskDetail, A2aTaskView } from '../../contracts/agents/a2a-tools.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
beforeAll(async () => void (stack = await testStack({ model: false })));
afterAll(() => stack?.stop());

it('become a task whose states are told as events, once for a repeated call', async () => {
  const ann = await stack.caller({ name: 'ann' });
  const args = { skill: 'work', arguments: { description: 'Fix the login' } };
  const first = await stack.call(ann, 'agent.a2a.send', args, { idempotencyKey: 'a' });
  const again = await stack.call(ann, 'agent.a2a.send', args, { idempotencyKey: 'a' });
  const { task } = first.data as { task: A2aTaskDetail };
  expect((again.data as { task: A2aTaskDetail }).task.task_id).toBe(task.task_id);
  const working = await eventually('the work is on the board', async () => {
    const { task: now } = await stack.ok<{ task: A2aTaskDetail }>(ann, 'agent.a2a.get', { task_id: task.task_id });
    return now.work_task_id ? now : null;
  });
  expect(working).toMatchObject({ state: 'working', asked_by: 'ann', skill: 'work' });
  const { tasks } = await stack.ok<{ tasks: A2aTaskView[] }>(ann, 'agent.a2a.list', { state: 'working' });
  expect(tasks.map(({ task_id }) => task_id)).toEqual([task.task_id]);
  const { task: ended } = await stack.ok<{ task: A2aTaskDetail }>(ann, 'agent.a2a.cancel', { task_id: task.task_id });
  expect(ended.state).toBe('canceled');
  const told = await asTenant('acme', () =>
    stack.db.query<{ state: string }>(
      `select data->>'state' as state from outbox where tenant_id = 'acme' and type = 'agent.a2a_changed' and subject = $1 order by id`,
      [task.task_id],
    ),
  );
  expect([...new Set(told.map(({ state }) => state))]).toEqual(['submitted', 'working', 'canceled']);
});

it('are answered in place, wait for an answer, and belong to who asked', async () => {
  const bea = await stack.caller({ name: 'bea', role: 'agent' });
  const { error } = await stack.call(bea, 'agent.a2a.send', {});
  expect(error?.code).toBe('VALIDATION_ERROR');
  const { task } = await stack.ok<{ task: A2aTaskDetail }>(bea, 'agent.a2a.send', {
    text: 'health',
    skill: 'system-health',
    wait_seconds: 20,
  });
  expect(['completed', 'input_required', 'rejected']).toContain(task.state);
  const cid = await stack.caller({ name: 'cid', role: 'agent' });
  expect((await stack.call(cid, 'agent.a2a.get', { task_id: task.task_id })).error?.code).toBe('NOT_FOUND');
  const other = await stack.caller({ tenant: 'other', name: 'oz' });
  expect((await stack.call(other, 'agent.a2a.get', { task_id: task.task_id })).error?.code).toBe('NOT_FOUND');
  expect(await stack.ok(other, 'agent.a2a.list')).toEqual({ tasks: [] });
});
