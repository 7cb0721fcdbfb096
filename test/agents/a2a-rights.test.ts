import { TaskState, type StreamResponse, type Task } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import { a2aServer, collect, say, type A2aServer } from '../setup/a2a.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Keyed = Caller & { apiKey: string };

let stack: TestStack;
let server: A2aServer;
let ann: Keyed;

beforeAll(async () => {
  stack = await testStack({ model: false, env: { SIGNALBOX_CONFORMANCE: 'true', ALLOW_PRIVATE_NETWORK: 'true' } });
  server = await a2aServer(stack);
  ann = await stack.caller({ role: 'agent', name: 'ann' });
});
afterAll(async () => {
  await server.app.close();
  await stack.stop();
});

const hook = { url: 'http://127.0.0.1:45679/hook', token: 'annas-token' };

/** A task of ann that waits for her, with a callback. */
async function waiting(): Promise<string> {
  const client = await server.client(ann.apiKey);
  const asked = (await client.sendMessage(say('ask', { messageId: `tck-input-required-${crypto.randomUUID()}` }))) as Task;
  expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  const set = await server.rpc(ann.apiKey, 'CreateTaskPushNotificationConfig', { taskId: asked.id, id: 'hers', ...hook });
  expect(set.result.token).toBe('annas-token');
  return asked.id;
}

const part = { parts: [{ text: 'go on' }] };
const old = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'go on' }] };
const fresh = () => `tck-complete-task-${crypto.randomUUID()}`;

/** Every write operation, in each spelling. */
const writes: [name: string, call: (key: string, id: string) => Promise<{ status: number; body: any }>][] = [
  ...(
    [
      ['SendMessage', (id) => ({ message: { messageId: fresh(), role: 'ROLE_USER', taskId: id, ...part } })],
      ['SendMessage', () => ({ message: { messageId: fresh(), role: 'ROLE_USER', ...part } })],
      ['SendStreamingMessage', (id) => ({ message: { messageId: fresh(), role: 'ROLE_USER', taskId: id, ...part } })],
      ['CreateTaskPushNotificationConfig', (id) => ({ taskId: id, id: 'theirs', url: 'http://127.0.0.1:45679/theirs' })],
      ['DeleteTaskPushNotificationConfig', (id) => ({ taskId: id, id: 'hers' })],
      ['message/send', (id) => ({ message: { ...old, messageId: fresh(), taskId: id } })],
      ['message/stream', (id) => ({ message: { ...old, messageId: fresh(), taskId: id } })],
      [
        'tasks/pushNotificationConfig/set',
        (id) => ({ taskId: id, pushNotificationConfig: { id: 'theirs', url: 'http://127.0.0.1:45679/theirs' } }),
      ],
      ['tasks/pushNotificationConfig/delete', (id) => ({ id, pushNotificationConfigId: 'hers' })],
      ['tasks/cancel', (id) => ({ id })],
      ['CancelTask', (id) => ({ id })],
    ] satisfies [string, (id: string) => object][]
  ).map(([method, params]): (typeof writes)[number] => [
    method,
    (key, id) => server.post('/a2a', key, { jsonrpc: '2.0', id: 7, method, params: params(id) }),
  ]),
  ...['/a2a/rest', '/a2a/rest/v1'].flatMap((base): (typeof writes)[number][] => [
    [
      `${base} message:send`,
      (key, id) =>
        server.post(`${base}/message:send`, key, {
          message: { messageId: fresh(), role: 'ROLE_USER', taskId: id, ...(base.endsWith('v1') ? { content: part.parts } : part) },
        }),
    ],
    [
      `${base} set`,
      (key, id) =>
        server.post(`${base}/tasks/${id}/pushNotificationConfigs`, key, {
          url: 'http://127.0.0.1:45679/theirs',
          pushNotificationConfig: { id: 'theirs', url: 'http://127.0.0.1:45679/theirs' },
        }),
    ],
    [
      `${base} delete`,
      async (key, id) => {
        const answer = await fetch(`${server.url}${base}/tasks/${id}/pushNotificationConfigs/hers`, {
          method: 'DELETE',
          headers: { 'x-api-key': key },
        });
        return { status: answer.status, body: await answer.json().catch(() => null) };
      },
    ],
    [`${base} cancel`, (key, id) => server.post(`${base}/tasks/${id}:cancel`, key, {})],
  ]),
];

const state = async (id: string) => {
  const { result } = await server.rpc(ann.apiKey, 'GetTask', { id });
  const { result: hooks } = await server.rpc(ann.apiKey, 'ListTaskPushNotificationConfigs', { taskId: id });
  return [result.status.state, result.history.length, hooks.configs.map(({ id: one }: { id: string }) => one)];
};
const untouched = ['TASK_STATE_INPUT_REQUIRED', 2, ['hers']];
const said = ({ status, body }: { status: number; body: any }): string => `${status} ${JSON.stringify(body)}`;

describe('read-only roles', () => {
  it.each(['readonly', 'stakeholder', 'new_pm'] as const)(
    '%s: a person writes nothing, to tasks of others or of their own',
    async (role) => {
      const id = await waiting();
      const reader = await stack.caller({ role, name: `${role}-reader`, kind: 'human' });
      for (const [name, call] of writes) {
        const answer = await call(reader.apiKey, id);
        expect(`${name} ${said(answer)}`).toMatch(/ 403 .*read-only/);
      }
      expect(await state(id)).toEqual(untouched);
      const made = await server.rpc(reader.apiKey, 'ListTasks', {});
      expect(made.result.tasks.every(({ history }: any) => history[0].parts[0].text !== 'go on')).toBe(true);
    },
  );

  it('a person reads the task, but not the token of its callback', async () => {
    const id = await waiting();
    const reader = await stack.caller({ role: 'readonly', name: 'viewer', kind: 'human' });
    expect((await server.rpc(reader.apiKey, 'GetTask', { id })).result.id).toBe(id);
    const shown = [
      await server.rpc(reader.apiKey, 'GetTaskPushNotificationConfig', { taskId: id, id: 'hers' }),
      await server.rpc(reader.apiKey, 'ListTaskPushNotificationConfigs', { taskId: id }),
    ];
    expect(JSON.stringify(shown)).toContain(hook.url);
    expect(JSON.stringify(shown)).not.toContain('annas-token');
  });

  it('the refusal is of the request that was sent, and the card offers nothing', async () => {
    const reader = await stack.caller({ role: 'readonly', name: 'carded', kind: 'agent' });
    const answer = await server.post('/a2a', reader.apiKey, { jsonrpc: '2.0', id: 'mine', method: 'CancelTask', params: { id: 'x' } });
    expect(answer.body).toMatchObject({ id: 'mine', error: { code: -32000 } });
    expect((await server.rpc(reader.apiKey, 'GetExtendedAgentCard')).result.skills ?? []).toEqual([]);
  });
});

describe('tasks of others', () => {
  it('are changed by nobody who only sees them', async () => {
    const id = await waiting();
    // A key with other scopes, although its person has the role.
    const scoped = await stack.caller({ role: 'pm', name: 'scoped', kind: 'human', scopes: ['search:read'] });
    for (const [name, call] of writes) {
      // SendMessage starts a separate task.
      if (name === 'SendMessage') continue;
      expect(`${name} ${said(await call(scoped.apiKey, id))}`).toMatch(/belongs to another key/);
    }
    expect(await state(id)).toEqual(untouched);
  });

  it('are not seen by agents, nor by people of a team that is shown a part only', async () => {
    const id = await waiting();
    const others = [
      await stack.caller({ role: 'agent', name: 'other', kind: 'agent' }),
      await stack.caller({ role: 'pm', name: 'sales', kind: 'human', team: 'sales' }),
    ];
    for (const { apiKey } of others) {
      for (const [name, call] of writes) {
        if (name.includes('SendMessage') || name.includes('message')) continue;
        expect(`${name} ${said(await call(apiKey, id))}`).toMatch(/Task not found/);
      }
      expect((await server.rpc(apiKey, 'GetTask', { id })).error.code).toBe(-32001);
      expect((await server.rpc(apiKey, 'ListTasks', {})).result.tasks.map((task: any) => task.id)).not.toContain(id);
      const client = await server.client(apiKey);
      await expect(collect(client.resubscribeTask({ tenant: '', id }))).rejects.toThrow(/Task not found/);
    }
    expect(await state(id)).toEqual(untouched);
  });

  it('are changed by those who may decide', async () => {
    const id = await waiting();
    const pm = await stack.caller({ role: 'pm', name: 'decider', kind: 'human' });
    expect((await server.rpc(pm.apiKey, 'DeleteTaskPushNotificationConfig', { taskId: id, id: 'hers' })).error).toBeUndefined();
    const cancelled = await server.rpc(pm.apiKey, 'CancelTask', { id });
    expect(cancelled.result.status.state).toBe('TASK_STATE_CANCELED');
  });
});

it('a stream ends when its key is revoked', { timeout: 30_000 }, async () => {
  const client = await server.client(ann.apiKey);
  const brief = await stack.caller({ role: 'agent', name: 'brief' });
  const asked = (await (
    await server.client(brief.apiKey)
  ).sendMessage(say('ask', { messageId: `tck-input-required-${crypto.randomUUID()}` }))) as Task;
  const events: StreamResponse[] = [];
  let ended: unknown = null;
  const reading = (async () => {
    for await (const event of (await server.client(brief.apiKey)).resubscribeTask({ tenant: '', id: asked.id })) events.push(event);
  })().then(
    () => (ended = 'ended'),
    (error: unknown) => (ended = error),
  );
  await eventually('the task', async () => events.length === 1);
  await stack.services.governance.keys.revoke(brief.tenant, brief.keyId);
  await reading;
  expect(String(ended)).toMatch(/revoked|ended/);
  expect(await client.listTasks({ tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined })).toBeDefined();
});
