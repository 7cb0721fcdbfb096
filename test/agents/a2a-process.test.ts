import { TaskState, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { temporal } from '@temporalio/proto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { queues, workflowIds } from '../../contracts/temporal.ts';
import { forgetOldA2aTasks } from '../../services/agents/a2a/tasks-records.ts';
import { restart } from '../../services/sweep.ts';
import { a2aServer, collect, say, webhook, type A2aServer } from '../setup/a2a.ts';
import { histories, replay, save } from '../setup/replay.ts';
import { eventually, lostOf, testStack, type TestStack } from '../setup/stack.ts';

const folder = fileURLToPath(new URL('../replay/histories', import.meta.url));

describe('the process of an A2A task', () => {
  let stack: TestStack;
  let server: A2aServer;
  let ann: Caller & { apiKey: string };
  let client: Client;

  beforeAll(async () => {
    stack = await testStack({ model: false, env: { SIGNALBOX_CONFORMANCE: 'true', ALLOW_PRIVATE_NETWORK: 'true' } });
    server = await a2aServer(stack);
    ann = await stack.caller({ role: 'agent', name: 'ann' });
    client = await server.client(ann.apiKey);
  });
  afterAll(async () => {
    await server.app.close();
    await stack.stop();
  });

  const rows = <T extends Record<string, unknown>>(text: string, values: unknown[]): Promise<T[]> =>
    asTenant(ann.tenant, () => stack.db.query<T>(text, values));
  const stateOf = async (id: string): Promise<string> => TaskState[(await client.getTask({ tenant: '', id })).status!.state];
  const send = async (...args: Parameters<typeof say>): Promise<Task> => (await client.sendMessage(say(...args))) as Task;
  const listening = { tool: 'agent.message.list', arguments: { wait_seconds: 30 } };
  const calls = (type: string) =>
    rows<{ duration_ms: number }>(
      `select duration_ms from ledger_events where tenant_id = $1 and tool = 'agent.message.list' and type = $2`,
      [ann.tenant, type],
    );

  it('aborts a running call when the client cancels', async () => {
    const { id } = await send(listening, { immediately: true });
    await eventually('the call', async () => (await calls('tool.call.started')).length === 1);
    const started = performance.now();
    const cancelled = await client.cancelTask({ tenant: '', id, metadata: {} });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(performance.now() - started).toBeLessThan(4_000);
    const [ended] = await eventually('the end of the call', async () => {
      const found = [...(await calls('tool.call.completed')), ...(await calls('tool.call.failed'))];
      return found.length > 0 && found;
    });
    expect(ended!.duration_ms).toBeLessThan(20_000);
    expect(await stateOf(id)).toBe('TASK_STATE_CANCELED');
  });

  it('makes a call again whose worker stopped in the middle', { timeout: 60_000 }, async () => {
    const before = (await calls('tool.call.started')).length;
    const { id } = await send(listening, { immediately: true });
    await eventually('the call', async () => (await calls('tool.call.started')).length > before);
    await stack.stopWorkers();
    await stack.startWorkers();
    await eventually('the call again', async () => (await calls('tool.call.started')).length > before + 1);
    await stack.ok(ann, 'agent.message.send', { agent_id: 'ann', message: 'Are you there?' });
    await eventually('the end', async () => (await stateOf(id)) === 'TASK_STATE_COMPLETED');
    expect(JSON.stringify((await client.getTask({ tenant: '', id })).artifacts)).toContain('Are you there?');
  });

  it('follows a job to its end', async () => {
    const content = '# Visit at Acme\n\nThey want audit logs before the renewal in May.';
    const events = await collect(client.sendMessageStream(say({ tool: 'ingest.document.submit', arguments: { title: 'Visit', content } })));
    const last = events.at(-1)!.payload!;
    expect(last).toMatchObject({ $case: 'statusUpdate', value: { status: { state: TaskState.TASK_STATE_COMPLETED } } });
    const artifact = events.find(({ payload }) => payload?.$case === 'artifactUpdate')!.payload!.value;
    expect(JSON.stringify(artifact)).toContain('ingest.document.submit');
    expect(JSON.stringify(await stack.ok(ann, 'index.chunk.search', { query: 'audit logs renewal' }))).toContain('They want audit logs');
  });

  it('takes one of two answers that come at once', async () => {
    const asked = await send('ask', { messageId: 'tck-input-required-race' });
    const answers = await Promise.allSettled(
      ['tck-complete-task-race-1', 'tck-complete-task-race-2'].map((messageId) => send('answer', { messageId, taskId: asked.id })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const done = await client.getTask({ tenant: '', id: asked.id });
    expect(done.history.filter(({ role }) => role === 1)).toHaveLength(2);
    // A repeat of the accepted message gets the same answer.
    const winner = done.history.findLast(({ role }) => role === 1)!.messageId;
    expect((await send('answer', { messageId: winner, taskId: asked.id })).id).toBe(asked.id);
  });

  it('numbers its events without a gap, also with callbacks that answer late', async () => {
    const hook = await webhook((call) => (call === 1 ? 503 : 200));
    const asked = await send('ask', { messageId: 'tck-input-required-seq', push: { url: hook.url } });
    await send('go', { messageId: 'tck-stream-artifact-chunked-seq', taskId: asked.id });
    const [row] = await rows<{ seq: number; events: number; last: number }>(
      `select t.seq, count(*)::int as events, max(e.seq) as last from a2a_tasks t join a2a_events e on e.tenant_id = t.tenant_id and e.task_id = t.id
       where t.tenant_id = $1 and t.id = $2 group by t.seq`,
      [ann.tenant, asked.id],
    );
    expect([row!.events, row!.last]).toEqual([row!.seq, row!.seq]);
    await eventually('all callbacks', async () => hook.told.length === row!.seq);
    expect(hook.told.map(({ body }) => Object.keys(body)[0])).toEqual([
      'task',
      'statusUpdate',
      'statusUpdate',
      'artifactUpdate',
      'artifactUpdate',
      'statusUpdate',
    ]);
    hook.server.close();
  });

  it('is started again when it was lost, and goes on where its row stands', async () => {
    const asked = await send('ask', { messageId: 'tck-input-required-lost' });
    await stack.temporal.handle(workflowIds.a2aTask(ann.tenant, asked.id)).terminate('lost');
    const lost = await lostOf(stack, asked.id);
    expect(lost).toMatchObject([{ kind: 'a2a', workflowId: workflowIds.a2aTask(ann.tenant, asked.id) }]);
    await restart(stack.services, lost);
    expect((await send('go on', { messageId: 'tck-complete-task-lost', taskId: asked.id })).status?.state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    );
    // Also without the sweep: the client's next message starts it.
    const other = await send('ask', { messageId: 'tck-input-required-lost-2' });
    await stack.temporal.handle(workflowIds.a2aTask(ann.tenant, other.id)).terminate('lost');
    expect((await client.cancelTask({ tenant: '', id: other.id, metadata: {} })).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  /** Starts the task's workflow again, with a low limit of its history. */
  const soonFull = async (id: string): Promise<{ runId: () => Promise<string>; first: string }> => {
    const workflowId = workflowIds.a2aTask(ann.tenant, id);
    await stack.temporal.handle(workflowId).terminate('to be started with less room');
    const { firstExecutionRunId: first } = await stack.temporal.client.workflow.start('a2aTask', {
      workflowId,
      taskQueue: queues.interactive,
      args: [{ tenant: ann.tenant, id }, { eventsPerRun: 25 }],
    });
    const runId = async () => (await stack.temporal.handle(workflowId).describe()).runId;
    return { runId, first };
  };

  it('goes on in a new run while it waits for the board, and progress leaves no trace in its history', { timeout: 90_000 }, async () => {
    const { id } = await send({ skill: 'work', arguments: { description: 'Count the benches' } }, { immediately: true });
    const [row] = await eventually('the board', async () => {
      const found = await rows<{ work_task_id: string | null }>('select work_task_id from a2a_tasks where tenant_id = $1 and id = $2', [
        ann.tenant,
        id,
      ]);
      return found[0]?.work_task_id ? found : null;
    });
    const task_id = row!.work_task_id!;
    const { runId, first } = await soonFull(id);
    const worker = await stack.caller({ role: 'agent', name: 'counter' });
    await stack.ok(worker, 'work.task.claim', { task_id });
    let beats = 0;
    await eventually('another run', async () => {
      beats += 1;
      await stack.ok(worker, 'work.task.heartbeat', { task_id, fencing_token: 1, progress: `bench ${beats}` });
      return (await runId()) !== first;
    });
    const told = (await client.getTask({ tenant: '', id })).history;
    expect(JSON.stringify(told)).not.toContain('bench 1');
    await stack.ok(worker, 'work.task.complete', { task_id, fencing_token: 1, result: 'Nine benches.' });
    await eventually('the end', async () => (await stateOf(id)) === 'TASK_STATE_COMPLETED');
    expect(JSON.stringify((await client.getTask({ tenant: '', id })).artifacts)).toContain('Nine benches.');
  });

  it('goes on in a new run while it waits for a person, and files its work once', { timeout: 90_000 }, async () => {
    const person = await stack.caller({ role: 'admin', name: 'person' });
    await stack.ok(person, 'system.policy.save', {
      name: 'asks-to-file',
      base: 'open',
      rules: [{ when: 'tool.name == "work.task.create"', effect: 'ask', reason: 'Filing is asked for.' }],
    });
    const key = await stack.services.governance.keys.create({ tenant: ann.tenant, role: 'agent', name: 'asking', policy: 'asks-to-file' });
    const theirs = await server.client(key.api_key);
    const work = say({ skill: 'work', arguments: { description: 'Count the lamps' } }, { immediately: true });
    const { id } = (await theirs.sendMessage(work)) as Task;
    const [asked] = await eventually('the question', async () => {
      const found = await rows<{ id: string }>(`select id from approvals where tenant_id = $1 and tool = 'work.task.create'`, [ann.tenant]);
      return found.length > 0 && found;
    });
    const { runId, first } = await soonFull(id);
    await eventually('another run', async () => (await runId()) !== first);
    await stack.ok(person, 'approval.request.approve', { approval_id: asked!.id, wait_seconds: 30 });
    const [row] = await eventually('the board', async () => {
      const found = await rows<{ id: string; watcher: string | null }>(
        `select w.id, w.watcher from work_tasks w join a2a_tasks t on t.tenant_id = w.tenant_id and t.work_task_id = w.id where w.tenant_id = $1 and t.id = $2`,
        [ann.tenant, id],
      );
      return found.length > 0 && found;
    });
    expect(row!.watcher).toBe(workflowIds.a2aTask(ann.tenant, id));
    const lamps = await rows(`select from work_tasks where tenant_id = $1 and description = 'Count the lamps'`, [ann.tenant]);
    expect(lamps).toHaveLength(1);
    await stack.ok(person, 'work.task.complete', { task_id: row!.id, result: 'Two lamps.' });
    await eventually('the end', async () => (await theirs.getTask({ tenant: '', id })).status?.state === TaskState.TASK_STATE_COMPLETED);
  });

  it('may not put on the board what its key may not file, and files into the ledger', async () => {
    const { keys } = stack.services.governance;
    const filed = async (keyId: string) =>
      (
        await rows<{ type: string }>(
          `select type from ledger_events where tenant_id = $1 and tool = 'work.task.create' and key_id = $2 order by at, id`,
          [ann.tenant, keyId],
        )
      ).map(({ type }) => type);
    const barred = await keys.create({ tenant: ann.tenant, role: 'agent', name: 'barred', capabilities: ['cap:index'] });
    const theirs = await server.client(barred.api_key);
    const work = (description: string) => say({ skill: 'work', arguments: { description } });
    const refused = (await theirs.sendMessage(work('Barred work'))) as Task;
    expect(refused.status?.state).toBe(TaskState.TASK_STATE_FAILED);
    expect(await rows(`select id from work_tasks where tenant_id = $1 and description = 'Barred work'`, [ann.tenant])).toEqual([]);
    const free = await stack.caller({ role: 'agent', name: 'free' });
    const sent = (await server.client(free.apiKey)).sendMessage(work('Free work')).catch(() => {});
    await eventually('both entries', async () => (await filed(free.keyId)).length === 2);
    expect(await filed(free.keyId)).toEqual(['tool.call.started', 'tool.call.completed']);
    const [made] = await rows<{ id: string; watcher: string | null }>(
      `select id, watcher from work_tasks where tenant_id = $1 and description = 'Free work'`,
      [ann.tenant],
    );
    await stack.ok(free, 'work.task.update_status', { task_id: made!.id, status: 'done' });
    await sent;
  });

  it('stays with its agent when the key is rotated', async () => {
    const { keys } = stack.services.governance;
    const old = await stack.caller({ role: 'agent', name: 'rotating' });
    const before = await server.client(old.apiKey);
    const first = say('ask', { messageId: 'tck-input-required-rotated' });
    const asked = (await before.sendMessage(first)) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const { api_key } = await keys.rotate(old.tenant, old.keyId, { graceMs: 0 });
    const after = await server.client(api_key);
    expect(((await after.sendMessage(first)) as Task).id).toBe(asked.id);
    const listed = await server.rpc(api_key, 'ListTasks', { contextId: asked.contextId });
    expect(listed.result.tasks.map((task: { id: string }) => task.id)).toEqual([asked.id]);
    const done = (await after.sendMessage(say('go on', { messageId: 'tck-complete-task-rotated', taskId: asked.id }))) as Task;
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });

  it('is forgotten with its events a month after it was over', async () => {
    const [old, open, fresh] = [
      await send('x', { messageId: 'tck-complete-task-old' }),
      await send('ask', { messageId: 'tck-input-required-old' }),
      await send('x', { messageId: 'tck-complete-task-fresh' }),
    ];
    await rows(`update a2a_tasks set status_at = now() - interval '31 days' where tenant_id = $1 and id = any($2)`, [
      ann.tenant,
      [old.id, open.id],
    ]);
    expect(await asTenant(ann.tenant, () => forgetOldA2aTasks(stack.db.query, ann.tenant, 30))).toBe(1);
    const left = await rows<{ task_id: string }>('select distinct task_id from a2a_events where tenant_id = $1 and task_id = any($2)', [
      ann.tenant,
      [old.id, open.id, fresh.id],
    ]);
    expect(left.map(({ task_id }) => task_id).toSorted()).toEqual([open.id, fresh.id].toSorted());
  });

  it('ends with the key of whoever asked', async () => {
    const bob = await stack.caller({ role: 'agent', name: 'bob' });
    const theirs = await server.client(bob.apiKey);
    const asked = (await theirs.sendMessage(say({ tool: 'work.task.create', arguments: {} }))) as Task;
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const sent = theirs.sendMessage(say({ tool: 'work.phase.list', arguments: {} }, { taskId: asked.id }));
    await stack.services.governance.keys.revoke(bob.tenant, bob.keyId);
    const outcome = await sent.catch((error: Error) => error);
    // Either the key was already revoked, or the call was made in time.
    expect(
      outcome instanceof Error || [TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_FAILED].includes((outcome as Task).status!.state),
    ).toBe(true);
    await expect(theirs.sendMessage(say('more'))).rejects.toThrow();
  });

  it('leaves histories without a word of what was said, which replay', { timeout: 120_000 }, async () => {
    const { id } = await send({ skill: 'work', arguments: { description: 'Carry the chairs' } }, { immediately: true });
    await eventually('the board', async () =>
      (await client.getTask({ tenant: '', id })).status?.message?.parts[0]?.content?.value.includes('task_'),
    );
    await client.cancelTask({ tenant: '', id, metadata: {} });
    const [carried] = await rows<{ status: string }>(
      `select status from work_tasks where tenant_id = $1 and description = 'Carry the chairs'`,
      [ann.tenant],
    );
    expect(carried!.status).toBe('failed');
    const recorded = [];
    for await (const each of histories(stack.temporal.client, `WorkflowType = 'a2aTask'`)) recorded.push(each);
    expect(recorded.length).toBeGreaterThan(6);
    expect(await replay(recorded)).toBe(recorded.length);
    const text = recorded
      .map(({ history }) => Buffer.from(temporal.api.history.v1.History.encode(history).finish()).toString('latin1'))
      .join('');
    for (const secret of ['Hello from TCK', 'audit logs', 'Are you there', 'Carry the chairs', ann.apiKey])
      expect(text).not.toContain(secret);
    if (!process.env['RECORD_HISTORIES']) return;
    const longest = recorded.toSorted((a, b) => b.history.events!.length - a.history.events!.length).slice(0, 6);
    longest.forEach(({ history }, i) => save(join(folder, `a2aTask-${i + 1}.history.gz`), history));
  });
});
