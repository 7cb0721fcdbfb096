import { TaskState, type Message, type StreamResponse, type Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { a2aServer, collect, say, type A2aServer } from '../setup/a2a.ts';
import { histories, replay } from '../setup/replay.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

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

const task = (answer: Task | Message): Task => {
  expect(answer).toHaveProperty('status');
  return answer as Task;
};
const stateOf = (answer: Task | Message): TaskState | undefined => task(answer).status?.state;
const kinds = (events: StreamResponse[]): string[] =>
  events.map(({ payload }) =>
    payload?.$case === 'statusUpdate'
      ? TaskState[payload.value.status!.state].replace('TASK_STATE_', '').toLowerCase()
      : payload?.$case === 'artifactUpdate'
        ? `artifact ${payload.value.artifact!.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : part.content?.$case)).join()}`
        : (payload?.$case ?? ''),
  );
const call = (tool: string, args: object) => ({ tool, arguments: args });

describe('a message', () => {
  it('with data calls the tool, and its answer is the artifact', async () => {
    const done = task(await client.sendMessage(say(call('work.task.create', { description: 'Look at the login loop', phase_id: 1 }))));
    expect(stateOf(done)).toBe(TaskState.TASK_STATE_COMPLETED);
    const data = done.artifacts[0]!.parts.find((part) => part.content?.$case === 'data')!.content!.value as { task: { id: string } };
    const filed = await stack.ok(ann, 'work.task.get', { task_id: data.task.id });
    expect(JSON.stringify(filed)).toContain('Look at the login loop');
    expect(done.artifacts[0]!.parts[0]!.content!.value).toContain('work.task.create:');
    expect(done.history).toHaveLength(1);
  });

  it('sent twice acts once', async () => {
    const message = say(call('work.task.create', { description: 'Only once, please', phase_id: 1 }), { messageId: 'twice' });
    const [one, two] = await Promise.all([client.sendMessage(message), client.sendMessage(message)]);
    expect(task(one).id).toBe(task(two).id);
    const rows = await stack.ok<{ tasks: { description: string }[] }>(ann, 'work.task.list', { limit: 100 });
    expect(rows.tasks.filter(({ description }) => description === 'Only once, please')).toHaveLength(1);
  });

  it('whose arguments are bad is asked about, and the next one completes it', async () => {
    const asked = task(await client.sendMessage(say(call('work.task.create', { description: 'No phase' }))));
    expect(stateOf(asked)).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(JSON.stringify(asked.status?.message)).toContain('phase_id');
    const done = task(
      await client.sendMessage(
        say(call('work.task.create', { description: 'With a phase', phase_id: 1 }), { taskId: asked.id, contextId: asked.contextId }),
      ),
    );
    expect([done.id, stateOf(done)]).toEqual([asked.id, TaskState.TASK_STATE_COMPLETED]);
    expect(done.history.map(({ role }) => role)).toEqual([1, 2, 1]);
    await expect(client.sendMessage(say('More', { taskId: asked.id }))).rejects.toThrow(/takes no more messages/);
  });

  it('that a key may not act on fails with what it lacks', async () => {
    const searcher = await stack.caller({ role: 'agent', scopes: ['search:read'], name: 'searcher' });
    const theirs = await server.client(searcher.apiKey);
    const failed = task(await theirs.sendMessage(say(call('work.task.create', { description: 'Not mine', phase_id: 1 }))));
    expect(stateOf(failed)).toBe(TaskState.TASK_STATE_FAILED);
    expect(JSON.stringify(failed.status?.message)).toContain('lacks a scope');
  });

  it('can be left behind and looked at later', async () => {
    const started = task(await client.sendMessage(say('wait', { messageId: 'tck-delayed-complete-1', immediately: true })));
    expect(stateOf(started)).not.toBe(TaskState.TASK_STATE_COMPLETED);
    const done = await eventually('the end', async () => {
      const found = await client.getTask({ tenant: '', id: started.id });
      return found.status?.state === TaskState.TASK_STATE_COMPLETED && found;
    });
    expect(done.status?.message?.parts[0]?.content?.value).toBe('Done after delay');
    const short = await client.getTask({ tenant: '', id: started.id, historyLength: 1 });
    expect(short.history).toHaveLength(1);
    expect((await client.getTask({ tenant: '', id: started.id, historyLength: 0 })).history).toHaveLength(0);
  });
});

describe('streams', () => {
  it('tell the task, its work, its artifact and its end', async () => {
    const events = await collect(client.sendMessageStream(say(call('work.phase.list', {}))));
    expect(kinds(events).map((kind) => kind.split(' ')[0])).toEqual(['task', 'working', 'artifact', 'completed']);
  });

  it('are taken up again by another api process while the task works', async () => {
    const other = await a2aServer(stack);
    const elsewhere = await other.client(ann.apiKey);
    const stream = client.sendMessageStream(say('hold', { messageId: 'test-resubscribe-message-id-1' }));
    const first = await stream.next();
    const id = (first.value as StreamResponse).payload!.value as Task;
    await stream.return();
    const events = await collect(elsewhere.resubscribeTask({ tenant: '', id: id.id }));
    expect([kinds(events)[0], kinds(events).at(-1)]).toEqual(['task', 'completed']);
    await expect(collect(elsewhere.resubscribeTask({ tenant: '', id: id.id }))).rejects.toThrow(/completed/);
    await other.app.close();
  });

  it('end when the api stops, and the task goes on', async () => {
    const other = await a2aServer(stack);
    const elsewhere = await other.client(ann.apiKey);
    const stream = elsewhere.sendMessageStream(say('hold', { messageId: 'test-resubscribe-message-id-2' }));
    const { id } = ((await stream.next()).value as StreamResponse).payload!.value as Task;
    const rest = collect(stream).catch(() => []);
    await other.app.close();
    expect(kinds(await rest)).not.toContain('completed');
    stack.services.a2a.settings.endpointUrl = server.url;
    await eventually('the end', async () => (await client.getTask({ tenant: '', id })).status?.state === TaskState.TASK_STATE_COMPLETED);
  });
});

describe('a task', () => {
  it('is cancelled once, and its call is told', async () => {
    const started = task(await client.sendMessage(say('hold', { messageId: 'test-resubscribe-message-id-3', immediately: true })));
    const cancelled = await client.cancelTask({ tenant: '', id: started.id, metadata: {} });
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.cancelTask({ tenant: '', id: started.id, metadata: {} })).rejects.toThrow(/cannot be cancelled/);
    const asked = task(await client.sendMessage(say('ask', { messageId: 'tck-input-required-cancel' })));
    expect((await client.cancelTask({ tenant: '', id: asked.id, metadata: {} })).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  it('is seen by its own key and by people of its tenant, by nobody else', async () => {
    const mine = task(await client.sendMessage(say(call('work.phase.list', {}))));
    const [bob, cem, dora] = await Promise.all([
      stack.caller({ role: 'agent', name: 'bob' }),
      stack.caller({ tenant: 'other', role: 'admin', name: 'cem' }),
      stack.caller({ role: 'admin', name: 'dora' }),
    ]);
    for (const stranger of [bob, cem]) {
      const theirs = await server.client(stranger.apiKey);
      await expect(theirs.getTask({ tenant: '', id: mine.id })).rejects.toThrow(/Task not found/);
      await expect(theirs.cancelTask({ tenant: '', id: mine.id, metadata: {} })).rejects.toThrow(/Task not found/);
      await expect(collect(theirs.resubscribeTask({ tenant: '', id: mine.id }))).rejects.toThrow(/Task not found/);
      await expect(theirs.sendMessage(say('hi', { taskId: mine.id }))).rejects.toThrow(/Task not found/);
      await expect(theirs.listTaskPushNotificationConfig({ tenant: '', taskId: mine.id, pageSize: 0, pageToken: '' })).rejects.toThrow(
        /Task not found/,
      );
      expect((await theirs.listTasks(listing())).totalSize).toBe(0);
    }
    const person = await server.client(dora.apiKey);
    expect((await person.getTask({ tenant: '', id: mine.id })).id).toBe(mine.id);
  });

  it('is listed by pages, the latest first, filtered by state and context', async () => {
    const eve = await stack.caller({ role: 'agent', name: 'eve' });
    const theirs = await server.client(eve.apiKey);
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      ids.push(task(await theirs.sendMessage(say(call('work.phase.list', {}), { contextId: i < 2 ? 'first' : 'second' }))).id);
    }
    const asked = task(await theirs.sendMessage(say('ask', { messageId: 'tck-input-required-1', contextId: 'second' })));
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await theirs.listTasks(listing({ pageSize: 2, pageToken }));
      expect([page.pageSize, page.totalSize]).toEqual([2, 6]);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual([asked.id, ...ids.toReversed()]);
    expect((await theirs.listTasks(listing({ contextId: 'first' }))).totalSize).toBe(2);
    expect((await theirs.listTasks(listing({ status: TaskState.TASK_STATE_INPUT_REQUIRED }))).tasks.map(({ id }) => id)).toEqual([
      asked.id,
    ]);
    const since = asked.status!.timestamp!;
    expect((await theirs.listTasks(listing({ statusTimestampAfter: since }))).tasks.map(({ id }) => id)).toEqual([asked.id]);
    const [bare] = (await theirs.listTasks(listing({ contextId: 'first' }))).tasks;
    const [whole] = (await theirs.listTasks(listing({ contextId: 'first', includeArtifacts: true, historyLength: 0 }))).tasks;
    expect([bare!.artifacts.length, whole!.artifacts.length, whole!.history.length]).toEqual([0, 1, 0]);
    await expect(theirs.listTasks(listing({ pageToken: 'nonsense' }))).rejects.toThrow(/pageToken/);
  });

  it('goes on when its worker is restarted in the middle', async () => {
    const started = task(await client.sendMessage(say('hold', { messageId: 'test-resubscribe-message-id-4', immediately: true })));
    const state = async () => (await client.getTask({ tenant: '', id: started.id })).status?.state;
    await eventually('its work', async () => (await state()) === TaskState.TASK_STATE_WORKING);
    await stack.stopWorkers();
    expect(await state()).toBe(TaskState.TASK_STATE_WORKING);
    await stack.startWorkers();
    await eventually('the end', async () => (await state()) === TaskState.TASK_STATE_COMPLETED);
  });

  it('that asks for work becomes a task on the board, whose result answers', async () => {
    const stream = client.sendMessageStream(say({ skill: 'work', arguments: { description: 'Count the chairs' } }));
    const events: StreamResponse[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    const worker = await stack.caller({ role: 'agent', name: 'worker' });
    const board = await eventually('the task on the board', async () => {
      const { tasks } = await stack.ok<{ tasks: { id: string; description: string }[] }>(worker, 'work.task.list', { limit: 100 });
      return tasks.find(({ description }) => description === 'Count the chairs');
    });
    const claimed = (await stack.ok<{ task: { id: string } }>(worker, 'work.task.claim', { task_id: board.id })).task;
    await stack.ok(worker, 'work.task.complete', { task_id: claimed.id, fencing_token: 1, result: 'There are 14 chairs.' });
    await reading;
    expect(kinds(events).at(-1)).toBe('completed');
    expect(kinds(events)).toContain('artifact There are 14 chairs.');
  });
});

it('all histories replay', async () => {
  expect(await replay(histories(stack.temporal.client, `WorkflowType = 'a2aTask' and ExecutionStatus != 'Running'`))).toBeGreaterThan(10);
});

function listing(more: object = {}) {
  return { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined, ...more };
}
