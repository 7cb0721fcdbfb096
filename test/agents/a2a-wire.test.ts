import { createHmac } from 'node:crypto';
import { Role, TaskState, type Message, type StreamResponse, type Task } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { a2aServer, collect, say, webhook, type A2aServer } from '../setup/a2a.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let server: A2aServer;
let ann: Caller & { apiKey: string };

beforeAll(async () => {
  stack = await testStack({ model: false, env: { SIGNALBOX_CONFORMANCE: 'true', ALLOW_PRIVATE_NETWORK: 'true' } });
  server = await a2aServer(stack);
  ann = await stack.caller({ role: 'agent', name: 'ann' });
});
afterAll(async () => {
  await server.app.close();
  await stack.stop();
});

const message = (more: object = {}) => ({ messageId: `m-${Math.random()}`, role: 'ROLE_USER', parts: [{ text: 'hello' }], ...more });
const legacyMessage = (more: object = {}) => ({
  kind: 'message',
  messageId: `m-${Math.random()}`,
  role: 'user',
  parts: [{ kind: 'text', text: 'hello' }],
  ...more,
});
const rpc = (method: string, params?: unknown, headers?: Record<string, string>) => server.rpc(ann.apiKey, method, params, headers);

describe('bad input gets the standard’s own errors', () => {
  it.each([
    ['no parts', { parts: [] }, /parts/],
    ['parts that are no array', { parts: { text: 'x' } }, /parts/],
    ['a part of two contents', { parts: [{ text: 'x', url: 'https://example.com' }] }, /exactly one/],
    ['a part of none', { parts: [{ mediaType: 'text/plain' }] }, /exactly one/],
    ['text that is no text', { parts: [{ text: 5 }] }, /string/],
    ['bytes that are not base64', { parts: [{ raw: '!!!' }] }, /base64/],
    ['no message id', { messageId: '' }, /messageId/],
    ['no role', { role: undefined }, /role/],
    ['the role of the agent', { role: 'ROLE_AGENT' }, /role/],
    ['a context that is no string', { contextId: 7 }, /contextId/],
  ])('a message with %s', async (_what, more, expected) => {
    const answer = await rpc('SendMessage', { message: message(more) });
    expect(answer.error.code).toBe(-32602);
    expect(answer.error.message).toMatch(expected);
    const rest = await server.post('/a2a/rest/message:send', ann.apiKey, { message: message(more) });
    expect([rest.status, rest.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    const stream = await server.post('/a2a/rest/message:stream', ann.apiKey, { message: message(more) });
    expect(stream.status).toBe(400);
  });

  it.each([
    ['a part without kind', { parts: [{ text: 'x' }] }],
    ['a file with neither bytes nor uri', { parts: [{ kind: 'file', file: { name: 'a.txt' } }] }],
    ['data that is no object', { parts: [{ kind: 'data', data: [] }] }],
    ['the role in the words of 1.0', { role: 'ROLE_USER' }],
  ])('a 0.3 message with %s', async (_what, more) => {
    expect((await rpc('message/send', { message: legacyMessage(more) })).error.code).toBe(-32602);
  });

  it.each([-1, 1.5, '3', true])('historyLength %s', async (historyLength) => {
    expect((await rpc('SendMessage', { message: message(), configuration: { historyLength } })).error.code).toBe(-32602);
    expect((await rpc('GetTask', { id: 'x', historyLength })).error.code).toBe(-32602);
  });

  it.each([
    { pageSize: 0 },
    { pageSize: 101 },
    { pageSize: 1.5 },
    { status: 'DONE' },
    { statusTimestampAfter: 'yesterday' },
    { pageToken: 'x' },
  ])('a list of %j', async (params) => {
    expect((await rpc('ListTasks', params)).error.code).toBe(-32602);
    const query = new URLSearchParams(Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]));
    const answer = await fetch(`${server.url}/a2a/rest/tasks?${query}`, { headers: { 'x-api-key': ann.apiKey } });
    expect(answer.status).toBe(400);
  });

  it('a message that nests too deep', async () => {
    const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
    for (const parts of [[{ data: deep(100) }], [{ data: { a: deep(2_000) } }]]) {
      expect((await rpc('SendMessage', { message: message({ parts }) })).error.code).toBe(-32602);
      const rest = await server.post('/a2a/rest/message:send', ann.apiKey, { message: message({ parts }) });
      expect([rest.status, rest.body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    }
    const nul = message({ parts: [{ text: 'a\0b' }] });
    expect((await rpc('SendMessage', { message: nul })).error.code).toBe(-32602);
  });

  it('takes text that was cut within a character, with a replacement for it', async () => {
    const cut = message({ parts: [{ text: 'hello \ud83d' }], metadata: { note: '\ude00' } });
    const { result } = await rpc('SendMessage', { message: cut });
    expect(JSON.stringify(result.task.history[0].parts)).toContain('hello \ufffd');
    // An equal message is a repeat.
    expect((await rpc('SendMessage', { message: cut })).result.task.id).toBe(result.task.id);
  });

  it('an unsupported media type, another content type, too large a request', async () => {
    const video = message({ parts: [{ raw: 'AAAA', mediaType: 'video/mp4' }] });
    expect((await rpc('SendMessage', { message: video })).error.code).toBe(-32005);
    expect((await server.post('/a2a/rest/message:send', ann.apiKey, { message: video })).status).toBe(400);

    const text = { 'content-type': 'text/plain' };
    const refused = await server.post('/a2a', ann.apiKey, '{}', text);
    expect([refused.status, refused.body.error.code]).toEqual([415, -32005]);
    const rest = await server.post('/a2a/rest/message:send', ann.apiKey, '{}', text);
    expect([rest.status, rest.body.error.details[0].reason]).toEqual([415, 'CONTENT_TYPE_NOT_SUPPORTED']);

    const long = message({ parts: [{ text: 'x'.repeat(1_000_001) }] });
    const oversize = await rpc('SendMessage', { message: long });
    expect(oversize.error).toMatchObject({ code: -32602, message: expect.stringContaining('1000000 bytes') });
    const enormous = await server.post('/a2a', ann.apiKey, {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { x: 'x'.repeat(9_000_000) },
    });
    expect([enormous.status, enormous.body.error.code]).toEqual([413, -32600]);
  });

  it('takes application/a2a+json as well', async () => {
    const headers = { 'content-type': 'application/a2a+json' };
    const answer = await server.post(
      '/a2a/rest/message:send',
      ann.apiKey,
      { message: message({ messageId: 'tck-complete-task-1' }) },
      headers,
    );
    expect(answer.body.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(answer.headers.get('content-type')).toContain('application/json');
  });

  it('an unknown version, an unknown method, no JSON, no JSON-RPC', async () => {
    expect((await rpc('SendMessage', { message: message() }, { 'A2A-Version': '9.9' })).error.code).toBe(-32009);
    const rest = await server.post('/a2a/rest/message:send', ann.apiKey, { message: message() }, { 'A2A-Version': '9.9' });
    expect([rest.status, rest.body.error.details[0].reason]).toEqual([400, 'VERSION_NOT_SUPPORTED']);
    expect((await rpc('DoSomething')).error.code).toBe(-32601);
    // The named version counts: 1.0 does not have this method.
    expect((await rpc('message/send', { message: legacyMessage() }, { 'A2A-Version': '1.0' })).error.code).toBe(-32601);
    const broken = await server.post('/a2a', ann.apiKey, '{"jsonrpc":');
    expect([broken.status, broken.body.error.code]).toEqual([400, -32700]);
    expect((await server.post('/a2a', ann.apiKey, { hello: 1 })).body.error.code).toBe(-32600);
    expect((await server.post('/a2a', ann.apiKey, { jsonrpc: '2.0', id: {}, method: 'GetTask' })).body.error.code).toBe(-32600);
    expect((await server.post('/a2a', ann.apiKey, '[]')).body.error.code).toBe(-32600);
  });

  it('unknown tasks, and callbacks to private or impossible places', async () => {
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) expect((await rpc(method, { id: 'nope' })).error.code).toBe(-32001);
    expect((await rpc('SendMessage', { message: message({ taskId: 'nope' }) })).error.code).toBe(-32001);
    const gone = await fetch(`${server.url}/a2a/rest/tasks/nope`, { headers: { 'x-api-key': ann.apiKey } });
    expect([gone.status, ((await gone.json()) as any).error.details[0].reason]).toEqual([404, 'TASK_NOT_FOUND']);
    for (const url of ['http://169.254.169.254/latest', 'ftp://example.com/x', 'http://user:pass@example.com/', 'nonsense']) {
      const configuration = { taskPushNotificationConfig: { url } };
      expect((await rpc('SendMessage', { message: message(), configuration })).error.code).toBe(-32602);
    }
  });

  it('no key, and a key over its limit', async () => {
    const nobody = await server.post('/a2a', 'wrong', { jsonrpc: '2.0', id: 1, method: 'ListTasks' });
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await server.post('/a2a/rest/message:send', 'wrong', {})).body.error.status).toBe('UNAUTHENTICATED');
    const slow = await stack.caller({ role: 'agent', name: 'slow', rpm: 2 });
    const tool = { data: { tool: 'work.phase.list', arguments: {} } };
    const ask = () =>
      server.post('/a2a', slow.apiKey, { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: message({ parts: [tool] }) } });
    // A request counts once, regardless of its task's calls.
    expect((await ask()).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await ask()).body.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    const third = await ask();
    expect([third.status, third.headers.get('retry-after') !== null]).toEqual([429, true]);
  });
});

describe('the card', () => {
  it('is open, versioned and cheap to ask for again', async () => {
    const named = { 'A2A-Version': '1.0' };
    const modern = await fetch(`${server.url}/.well-known/agent-card.json`, { headers: named });
    const card = (await modern.json()) as any;
    expect(card.version).toBe('2.6.0');
    expect(card.supportedInterfaces[0]).toMatchObject({ url: `${server.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
    expect(card.skills).toHaveLength(8);
    expect(card).not.toHaveProperty('url');
    expect(modern.headers.get('vary')).toContain('A2A-Version');
    const again = await fetch(`${server.url}/.well-known/agent-card.json`, {
      headers: { ...named, 'if-none-match': modern.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    const since = { ...named, 'if-modified-since': modern.headers.get('last-modified')! };
    expect((await fetch(`${server.url}/.well-known/agent-card.json`, { headers: since })).status).toBe(304);
  });

  it('has the words of both versions for whoever does not ask for 1.0, clients of 0.3 among them', async () => {
    const superset = (await (await fetch(`${server.url}/.well-known/agent.json`)).json()) as any;
    const asked = (await (await fetch(`${server.url}/.well-known/agent-card.json`, { headers: { 'A2A-Version': '0.3' } })).json()) as any;
    expect(asked).toEqual(superset);
    expect(await (await fetch(`${server.url}/.well-known/agent-card.json`)).json()).toEqual(superset);
    expect(superset).toMatchObject({ url: `${server.url}/a2a`, preferredTransport: 'JSONRPC', protocolVersion: '0.3', version: '2.6.0' });
    expect(superset.supportedInterfaces.length).toBeGreaterThan(1);
    expect(superset.skills.every((skill: any) => skill.deprecated === false)).toBe(true);
    expect(superset.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', apiKeySecurityScheme: { name: 'X-API-Key' } });
  });

  it('shows a key what it may do', async () => {
    const reader = await stack.caller({ role: 'agent', scopes: ['search:read'], name: 'reader' });
    const ids = async (key: string) =>
      ((await server.rpc(key, 'GetExtendedAgentCard')).result.skills as { id: string }[]).map(({ id }) => id);
    const [all, few] = await Promise.all([ids(ann.apiKey), ids(reader.apiKey)]);
    expect(all).toEqual(expect.arrayContaining(['search-signals', 'work', 'work.task.create']));
    expect(few).not.toContain('work.task.create');
    expect(few).not.toContain('work');
    expect(few.length).toBeLessThan(all.length);
  });

  it('is not there where A2A is switched off', async () => {
    stack.services.a2a.settings.enabled = false;
    try {
      expect((await fetch(`${server.url}/.well-known/agent.json`)).status).toBe(404);
      const off = await server.post('/a2a', ann.apiKey, { jsonrpc: '2.0', id: 1, method: 'ListTasks' });
      expect([off.status, off.body.error.message]).toEqual([404, expect.stringContaining('A2A_ENABLED')]);
    } finally {
      stack.services.a2a.settings.enabled = true;
    }
  });
});

const work = (events: StreamResponse[]): string[] =>
  events.slice(1).map(({ payload }) => {
    if (payload?.$case === 'statusUpdate') return TaskState[payload.value.status!.state].slice(11).toLowerCase();
    if (payload?.$case !== 'artifactUpdate') return payload?.$case ?? '';
    const { artifact, append, lastChunk } = payload.value;
    const [part] = artifact!.parts;
    const content = part?.filename ? part.filename : part?.content?.$case === 'text' ? part.content.value : part?.content?.$case;
    return `${content}${append ? '+' : ''}${lastChunk ? '!' : ''}`;
  });

describe.each([
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const)('the scripted agent over %s %s', (binding, version) => {
  const client = () => server.client(ann.apiKey, binding, version);
  // That client, over HTTP+JSON 0.3, reads neither a file's name nor `append`.
  const named = binding === 'JSONRPC' || version === '1.0';
  const filename = named ? 'output.txt' : '';
  const tag = `${binding}-${version}`.replace(/\W/g, '');
  const send = async (prefix: string) => await (await client()).sendMessage(say('go', { messageId: `${prefix}-${tag}-send` }));
  const stream = async (prefix: string) =>
    await collect((await client()).sendMessageStream(say('go', { messageId: `${prefix}-${tag}-stream` })));

  it('answers as its table says', async () => {
    const complete = (await send('tck-complete-task')) as Task;
    expect(complete.status).toMatchObject({
      state: TaskState.TASK_STATE_COMPLETED,
      message: { parts: [{ content: { value: 'Hello from TCK' } }] },
    });
    expect(complete.status?.message?.role).toBe(Role.ROLE_AGENT);
    const part = async (prefix: string) => {
      const done = (await send(prefix)) as Task;
      expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      return done.artifacts[0]!.parts[0]!;
    };
    expect((await part('tck-artifact-text')).content?.value).toBe('Generated text content');
    expect(await part('tck-artifact-file')).toMatchObject({ filename, mediaType: 'text/plain', content: { $case: 'raw' } });
    expect(await part('tck-artifact-file-url')).toMatchObject({
      filename,
      mediaType: 'text/plain',
      content: { $case: 'url', value: 'https://example.com/output.txt' },
    });
    expect((await part('tck-artifact-data')).content?.value).toEqual({ key: 'value', count: 42 });
    const direct = (await send('tck-message-response')) as Message;
    expect([direct.role, direct.parts[0]!.content?.value]).toEqual([Role.ROLE_AGENT, 'Direct message response']);
    expect(((await send('tck-input-required')) as Task).status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const rejected = (await send('tck-reject-task')) as Task;
    expect([rejected.status?.state, rejected.status?.message?.parts[0]!.content?.value]).toEqual([
      TaskState.TASK_STATE_REJECTED,
      'rejected',
    ]);
  });

  it('streams as its table says', { timeout: 90_000 }, async () => {
    expect(work(await stream('tck-stream-001'))).toEqual(['working', 'Stream hello from TCK!', 'completed']);
    expect(work(await stream('tck-stream-002'))).toEqual(['completed']);
    expect(work(await stream('tck-stream-003'))).toEqual(['working', 'Stream task lifecycle!', 'completed']);
    expect(work(await stream('tck-stream-ordering-001'))).toEqual(['working', 'Ordered output!', 'completed']);
    expect(work(await stream('tck-stream-artifact-text'))).toEqual(['working', 'Streamed text content!', 'completed']);
    expect(work(await stream('tck-stream-artifact-file'))).toEqual(['working', named ? 'output.txt!' : 'raw!', 'completed']);
    expect(work(await stream('tck-stream-artifact-chunked'))).toEqual([
      'working',
      'chunk-1 ',
      named ? 'chunk-2+!' : 'chunk-2!',
      'completed',
    ]);
    const [only, ...rest] = await stream('tck-message-response');
    expect([only!.payload?.$case, rest]).toEqual(['message', []]);
    const started = performance.now();
    expect(work(await stream('test-resubscribe-message-id'))).toEqual(['working', 'completed']);
    expect(performance.now() - started).toBeGreaterThan(4_000);
  });

  it('keeps what came in chunks as one artifact', async () => {
    const done = (await send('tck-stream-artifact-chunked')) as Task;
    expect(done.artifacts.map(({ parts }) => parts.map((part) => part.content?.value))).toEqual([['chunk-1 ', 'chunk-2']]);
  });

  it('manages callbacks', async () => {
    const official = await client();
    const { id } = (await send('tck-input-required-push')) as Task;
    const url = `${server.url}/nowhere`;
    const made = await official.createTaskPushNotificationConfig({
      tenant: '',
      taskId: id,
      id: 'mine',
      url,
      token: 'tok',
      authentication: undefined,
    });
    expect(made).toMatchObject({ id: 'mine', taskId: id, url, token: 'tok' });
    const about = { tenant: '', taskId: id, id: 'mine' };
    expect(await official.getTaskPushNotificationConfig(about)).toMatchObject({ id: 'mine', url });
    const list = async () =>
      (await official.listTaskPushNotificationConfig({ tenant: '', taskId: id, pageSize: 0, pageToken: '' })).configs;
    expect(await list()).toHaveLength(1);
    await official.deleteTaskPushNotificationConfig(about);
    expect(await list()).toHaveLength(0);
    await expect(official.getTaskPushNotificationConfig(about)).rejects.toThrow();
  });
});

describe('callbacks', () => {
  it('hear every event in order, signed, with token and credentials', async () => {
    const hook = await webhook();
    const client = await server.client(ann.apiKey);
    await client.sendMessage(
      say('go', { messageId: 'tck-stream-001-push', push: { url: hook.url, token: 'secret-token', credentials: 'cred' } }),
    );
    await eventually('the last callback', async () => hook.told.length === 4);
    expect(hook.told.map(({ body }) => Object.keys(body)[0])).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
    for (const { headers, raw } of hook.told) {
      expect(headers).toMatchObject({
        'x-a2a-notification-token': 'secret-token',
        authorization: 'Bearer cred',
        'content-type': 'application/a2a+json',
      });
      const [, at, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signalbox-signature']))!;
      expect(mac).toBe(createHmac('sha256', 'secret-token').update(`${at}.${raw}`).digest('hex'));
    }
    const rows = await asTenant(ann.tenant, () =>
      stack.db.query<{ token: string; auth_credentials: string }>('select * from a2a_push_configs where url = $1', [hook.url]),
    );
    expect(JSON.stringify(rows)).not.toMatch(/secret-token|"cred"/);
    hook.server.close();
  });

  it('speak 0.3 to whom registered in 0.3, and are tried again', async () => {
    const hook = await webhook((call) => (call <= 2 ? 503 : 200));
    const client = await server.client(ann.apiKey, 'JSONRPC', '0.3');
    await client.sendMessage(say('go', { messageId: 'tck-complete-task-push-03', push: { url: hook.url, token: 't' } }));
    await eventually('both callbacks', async () => hook.told.length === 2);
    expect(hook.told.map(({ body }) => body.kind)).toEqual(['task', 'status-update']);
    expect(hook.calls()).toBe(4);
    hook.server.close();
  });

  it('that are dead hold nothing up, and what they missed is noted', async () => {
    const hook = await webhook(() => 410);
    const client = await server.client(ann.apiKey);
    const started = performance.now();
    const done = (await client.sendMessage(say('go', { messageId: 'tck-complete-task-push-dead', push: { url: hook.url } }))) as Task;
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(performance.now() - started).toBeLessThan(5_000);
    await eventually('the note', async () => {
      const rows = await asTenant(ann.tenant, () =>
        stack.db.query<{ failures: number; sent_seq: number; last_error: string }>('select * from a2a_push_configs where task_id = $1', [
          done.id,
        ]),
      );
      return rows[0]?.failures === 2 && rows[0].sent_seq === 2 && rows[0].last_error.length > 0;
    });
    hook.server.close();
  });
});
