import { TaskState } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { a2aAgent, type Story, type TestAgent } from '../../adapters/peers/testing.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';
import { histories, replay } from '../setup/replay.ts';

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED } = TaskState;

describe('tasks handed to standard A2A agents', () => {
  let stack: TestStack;
  let ann: Caller;
  const agents: TestAgent[] = [];

  beforeAll(async () => {
    stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
    ann = await stack.caller({ tenant: 'acme', name: 'ann' });
  });
  afterAll(async () => {
    for (const agent of agents) await agent[Symbol.asyncDispose]();
    await stack?.stop();
  });

  async function agent(tell: (story: Story) => Promise<void>): Promise<{ them: TestAgent; id: string; capability: string }> {
    const them = await a2aAgent('jsonrpc-1.0', tell);
    agents.push(them);
    const { agent_id: id } = await stack.ok<{ agent_id: string }>(ann, 'agent.peer.register', {
      agent_type: 'standard',
      card_url: them.site.origin,
    });
    const [row] = await asTenant('acme', () =>
      stack.db.query<{ name: string }>('select name from agent_capabilities where tenant_id = $1 and agent_id = $2', ['acme', id]),
    );
    return { them, id, capability: row!.name };
  }
  const delegate = (target: { id: string; capability: string }, more: Record<string, unknown> = {}) =>
    stack.ok(ann, 'agent.task.delegate', { target_agent: target.id, capability_name: target.capability, parameters: { n: 1 }, ...more });
  const taskOf = async (id: string) => (await stack.ok(ann, 'agent.task.get', { task_id: id })).task;

  it('are followed to their end, with progress', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((done) => (finish = done));
    const target = await agent(async (story) => {
      story.begin();
      story.status(TASK_STATE_WORKING, 'halfway');
      await finished;
      story.status(TASK_STATE_COMPLETED, 'there you are');
    });
    const { task_id } = await delegate(target);
    await eventually('its progress', async () => (await taskOf(task_id)).progress?.message === 'halfway');
    expect(await taskOf(task_id)).toMatchObject({ status: expect.stringMatching(/accepted|running/), remote_id: expect.any(String) });
    finish();
    const result = await stack.ok(ann, 'agent.task.get_result', { task_id, wait_seconds: 20 });
    expect(result.status).toBe('completed');
    expect(JSON.stringify(result.result)).toContain('there you are');
  });

  it('are followed on after workers stopped in the middle', async () => {
    let finish = (): void => {};
    const finished = new Promise<void>((done) => (finish = done));
    const target = await agent(async (story) => {
      story.begin();
      story.status(TASK_STATE_WORKING, 'halfway');
      await finished;
      story.status(TASK_STATE_COMPLETED, 'kept');
    });
    const { task_id } = await delegate(target);
    await eventually('its progress', async () => (await taskOf(task_id)).progress?.message === 'halfway');
    await stack.stopWorkers();
    finish();
    await stack.startWorkers();
    expect(await stack.ok(ann, 'agent.task.get_result', { task_id, wait_seconds: 25 })).toMatchObject({ status: 'completed' });
    expect(target.them.received).toHaveLength(1);
  }, 60_000);

  it('are not sent again when it is not known whether they were taken', async () => {
    const target = await agent(async (story) => story.begin());
    target.them.sabotage.push((request) => {
      request.socket.destroy();
      return true;
    });
    const { task_id } = await delegate(target);
    expect(await stack.ok(ann, 'agent.task.get_result', { task_id, wait_seconds: 20 })).toMatchObject({
      status: 'failed',
      error_code: 'AMBIGUOUS',
      error: expect.stringContaining('not known'),
    });
    expect(target.them.received).toHaveLength(0);
  });

  it('are cancelled there, too', async () => {
    const target = await agent(async (story) => {
      story.begin();
      story.status(TASK_STATE_WORKING, 'on it');
      await new Promise(() => {});
    });
    const { task_id } = await delegate(target);
    await eventually('it is taken', async () => (await taskOf(task_id)).remote_id);
    await stack.ok(ann, 'agent.task.cancel', { task_id });
    await eventually(
      'its process is over',
      async () => (await stack.temporal.handle(workflowIds.delegation('acme', task_id)).describe()).status.name === 'COMPLETED',
    );
    expect((await taskOf(task_id)).status).toBe('cancelled');
  }, 60_000);

  it('replay', async () => {
    expect(await replay(histories(stack.temporal.client, "WorkflowType = 'delegation'"))).toBe(4);
  }, 60_000);
});
