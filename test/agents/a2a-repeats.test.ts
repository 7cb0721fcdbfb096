import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { a2aServer, collect, say, type A2aServer } from '../setup/a2a.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
/** Two api processes. */
let server: A2aServer;
let other: A2aServer;
let ann: Caller & { apiKey: string };
let client: Client;
let elsewhere: Client;

beforeAll(async () => {
  stack = await testStack({ model: false, env: { SIGNALBOX_CONFORMANCE: 'true', ALLOW_PRIVATE_NETWORK: 'true' } });
  other = await a2aServer(stack);
  server = await a2aServer(stack);
  ann = await stack.caller({ role: 'agent', name: 'ann' });
  client = await server.client(ann.apiKey);
  elsewhere = await other.client(ann.apiKey);
});
afterAll(async () => {
  await Promise.all([server.app.close(), other.app.close()]);
  await stack.stop();
});

const id = (prefix: string) => `${prefix}-${crypto.randomUUID()}`;
const send = async (by: Client, ...args: Parameters<typeof say>): Promise<Task> => (await by.sendMessage(say(...args))) as Task;
/** Moves a task's timestamps into the past. */
const aged = (task: string, column: 'created_at' | 'status_at', hours: number) =>
  asTenant(ann.tenant, () =>
    stack.db.query(`update a2a_tasks set ${column} = now() - make_interval(hours => $3) where tenant_id = $1 and id = $2`, [
      ann.tenant,
      task,
      hours,
    ]),
  );
const filed = async (description: string): Promise<number> => {
  const { tasks } = await stack.ok<{ tasks: { description: string }[] }>(ann, 'work.task.list', { limit: 100 });
  return tasks.filter((task) => task.description === description).length;
};
const create = (description: string) => ({ tool: 'work.task.create', arguments: { description, phase_id: 1 } });

describe('a message that begins a task', () => {
  it('is one asking when it comes again, at once and by two processes', async () => {
    const messageId = id('again');
    const asking = () => create('Only once');
    const tasks = await Promise.all([client, elsewhere, client, elsewhere].map((by) => send(by, asking(), { messageId })));
    expect(new Set(tasks.map((task) => task.id)).size).toBe(1);
    expect((await send(elsewhere, asking(), { messageId })).id).toBe(tasks[0]!.id);
    expect(await filed('Only once')).toBe(1);
  });

  it('is another one with other words, in another context or with another callback', async () => {
    const messageId = id('other');
    const tasks = [
      await send(client, create('First words'), { messageId }),
      await send(client, create('Other words'), { messageId }),
      await send(client, create('First words'), { messageId, contextId: 'there' }),
      await send(client, create('First words'), { messageId, push: { url: 'http://127.0.0.1:45679/hook' } }),
    ];
    expect(new Set(tasks.map((task) => task.id)).size).toBe(4);
    // Of another key, too.
    const bob = await server.client((await stack.caller({ role: 'agent', name: 'bob' })).apiKey);
    expect(tasks.map((task) => task.id)).not.toContain((await send(bob, create('First words'), { messageId })).id);
    expect(await filed('Other words')).toBe(1);
  });

  it('is another one after a day', async () => {
    const messageId = id('late');
    const first = await send(client, create('Every day'), { messageId });
    await aged(first.id, 'created_at', 23);
    expect((await send(client, create('Every day'), { messageId })).id).toBe(first.id);
    await aged(first.id, 'created_at', 25);
    const second = await Promise.all([client, elsewhere].map((by) => send(by, create('Every day'), { messageId })));
    expect(second[0]!.id).toBe(second[1]!.id);
    expect(second[0]!.id).not.toBe(first.id);
    expect(await filed('Every day')).toBe(2);
  });

  it('is another one once its sender has gone on and the task is over', async () => {
    const messageId = id('tck-input-required');
    const asked = await send(client, 'ask', { messageId });
    expect((await send(client, 'ask', { messageId })).id).toBe(asked.id);
    const done = await send(client, 'go on', { messageId: id('tck-complete-task'), taskId: asked.id });
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const anew = await send(client, 'ask', { messageId });
    expect([anew.id === asked.id, anew.status?.state]).toEqual([false, TaskState.TASK_STATE_INPUT_REQUIRED]);
    // From now on, the second one is repeated.
    expect((await send(elsewhere, 'ask', { messageId })).id).toBe(anew.id);
  });

  it('is found again by a process that was started since', async () => {
    const messageId = id('restarted');
    const first = await send(client, create('Before'), { messageId });
    const later = await a2aServer(stack);
    expect((await send(await later.client(ann.apiKey), create('Before'), { messageId })).id).toBe(first.id);
    await later.app.close();
    stack.services.a2a.settings.endpointUrl = server.url;
  });
});

describe('a message to a task', () => {
  const question = async () => await send(client, 'ask', { messageId: id('tck-input-required') });

  it('is one saying when it comes again, at once and by two processes', async () => {
    const asked = await question();
    const messageId = id('tck-complete-task');
    const answers = await Promise.all([client, elsewhere, client].map((by) => send(by, 'go on', { messageId, taskId: asked.id })));
    expect(answers.map((task) => task.status?.state)).toEqual(answers.map(() => TaskState.TASK_STATE_COMPLETED));
    expect(answers.map(({ history }) => history.filter(({ role }) => role === 1).length)).toEqual([2, 2, 2]);
  });

  it('that comes before the process knows that it has asked is taken all the same', async () => {
    const { turns } = stack.services.a2a;
    const play = turns.play.bind(turns);
    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const playing = vi.spyOn(turns, 'play').mockImplementationOnce(async (...args) => {
      const played = await play(...args);
      asked.resolve();
      await told.promise;
      return played;
    });
    const messageId = id('tck-input-required');
    const question = send(client, 'ask', { messageId });
    await asked.promise;
    const { id: taskId } = await question;
    const { processes } = stack.services.a2a.tasks['deps'];
    const ask = processes.ask.bind(processes);
    const asking = vi.spyOn(processes, 'ask').mockImplementationOnce((...args) => {
      const answer = ask(...args);
      const [process] = args;
      // Only when the update is in the history does the process hear of the question.
      void eventually('the update is there', async () => {
        const { events } = await stack.temporal.client.workflow.getHandle(process.id).fetchHistory();
        return events?.some(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) => accepted);
      }).then(() => told.resolve());
      return answer;
    });
    const answered = await send(elsewhere, 'go on', { messageId: id('tck-complete-task'), taskId });
    expect(answered.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    playing.mockRestore();
    asking.mockRestore();
  });

  it('under an id that was used for other words is a new one', async () => {
    const asked = await question();
    const messageId = id('tck-input-required');
    const again = await send(client, 'this', { messageId, taskId: asked.id });
    expect(again.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const more = await send(client, 'that', { messageId, taskId: asked.id });
    expect(more.history.filter(({ role }) => role === 1)).toHaveLength(3);
  });

  it('is one saying for a day, and a new one later', async () => {
    const asked = await question();
    const same = { messageId: id('tck-input-required'), taskId: asked.id };
    const mine = (task: Task) => task.history.filter(({ role }) => role === 1).length;
    expect(mine(await send(client, 'yes', same))).toBe(2);
    expect(mine(await send(client, 'yes', same))).toBe(2);
    await aged(asked.id, 'status_at', 25);
    expect(mine(await send(client, 'yes', same))).toBe(3);
  });

  it('brings its callback once, however often it is repeated', async () => {
    const asked = await question();
    const said = { messageId: id('tck-input-required'), taskId: asked.id, push: { url: 'http://127.0.0.1:45679/hook' } };
    await send(client, 'yes', said);
    await send(client, 'yes', said);
    const { configs } = await client.listTaskPushNotificationConfig({ tenant: '', taskId: asked.id, pageSize: 0, pageToken: '' });
    expect(configs).toHaveLength(1);
  });

  it('and a cancel at once leave what the cancel was told', async () => {
    for (let round = 0; round < 3; round += 1) {
      const asked = await question();
      const [cancelled] = await Promise.allSettled([
        client.cancelTask({ tenant: '', id: asked.id, metadata: {} }),
        send(elsewhere, 'go on', { messageId: id('tck-complete-task'), taskId: asked.id }),
      ]);
      const task = await eventually('the end', async () => {
        const found = await client.getTask({ tenant: '', id: asked.id });
        const over = [TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_CANCELED].includes(found.status!.state);
        return over && found;
      });
      expect(task.status?.state).toBe(cancelled.status === 'fulfilled' ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_COMPLETED);
    }
  });
});

describe('a subscription', () => {
  const kinds = (events: StreamResponse[]): string[] =>
    events.map(({ payload }) =>
      payload?.$case === 'statusUpdate' ? TaskState[payload.value.status!.state].replace('TASK_STATE_', '') : (payload?.$case ?? ''),
    );

  it('stays open while the task waits for its client, also at another process, until it is over', async () => {
    const asked = await send(client, 'ask', { messageId: id('tck-input-required') });
    const seen: StreamResponse[] = [];
    let ended = false;
    const reading = (async () => {
      for await (const event of elsewhere.resubscribeTask({ tenant: '', id: asked.id })) seen.push(event);
      ended = true;
    })();
    await eventually('the task as it is', async () => seen.length === 1);
    await send(client, 'ask again', { messageId: id('tck-input-required'), taskId: asked.id });
    await eventually('the next question', async () => kinds(seen).at(-1) === 'INPUT_REQUIRED');
    expect(ended).toBe(false);
    await send(client, 'go on', { messageId: id('tck-complete-task'), taskId: asked.id });
    await reading;
    expect(kinds(seen)[0]).toBe('task');
    expect(kinds(seen).at(-1)).toBe('COMPLETED');
  });

  it('ends with the process, and is taken up at the next one', async () => {
    const asked = await send(client, 'ask', { messageId: id('tck-input-required') });
    const first = await a2aServer(stack);
    const seen: StreamResponse[] = [];
    const reading = (async () => {
      for await (const event of (await first.client(ann.apiKey)).resubscribeTask({ tenant: '', id: asked.id })) seen.push(event);
    })().catch(() => {});
    await eventually('the task as it is', async () => seen.length === 1);
    await first.app.close();
    await reading;
    expect(kinds(seen)).toEqual(['task']);
    stack.services.a2a.settings.endpointUrl = server.url;
    const next = elsewhere.resubscribeTask({ tenant: '', id: asked.id });
    expect(kinds([(await next.next()).value as StreamResponse])).toEqual(['task']);
    await client.cancelTask({ tenant: '', id: asked.id, metadata: {} });
    expect(kinds(await collect(next))).toEqual(['CANCELED']);
  });

  it('of 0.3 ends with the question, as its events say', async () => {
    const asked = await send(client, 'ask', { messageId: id('tck-input-required') });
    const old = await server.client(ann.apiKey, 'JSONRPC', '0.3');
    expect(kinds(await collect(old.resubscribeTask({ tenant: '', id: asked.id })))).toEqual(['task']);
  });
});
