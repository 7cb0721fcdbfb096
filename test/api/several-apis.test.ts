/** Sessions, streams and limits do not depend on which api answers. */
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { openApis, type Api } from '../setup/apis.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

type Key = Caller & { apiKey: string };

let stack: TestStack;
let a: Api;
let b: Api;
let pam: Key;
const ends: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  stack = await testStack({ model: false, env: { EVENT_STREAMS_PER_KEY: '3' } });
  [a, b] = (await openApis(stack, 2)) as [Api, Api];
  pam = await stack.caller({ role: 'pm', name: 'pam' });
  await stack.ok(await stack.caller({ role: 'admin', name: 'ann' }), 'system.policy.save', {
    name: 'standard',
    base: 'standard',
    rules: [{ when: 'tool.name == "schema.definition.register"', effect: 'ask', reason: 'Schemas are looked at.' }],
  });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await a?.close();
  await b?.close();
  await stack?.stop();
});

const post = (api: Api, path: string, key: Key, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key.apiKey, 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'several', version: '1' } };
const rpc = (method: string, params: object = {}, id: string | number = 1) => ({ jsonrpc: '2.0', id, method, params });

async function openSession(api: Api, key: Key, capabilities: object = {}): Promise<string> {
  const opened = await post(api, '/mcp', key, rpc('initialize', { ...initialize, capabilities }));
  await opened.text();
  return opened.headers.get('mcp-session-id')!;
}
const inSession = (id: string): Record<string, string> => ({ 'mcp-session-id': id });
async function listTools(api: Api, key: Key, id: string): Promise<number> {
  const answer = await post(api, '/mcp', key, rpc('tools/list'), inSession(id));
  await answer.text();
  return answer.status;
}

/** A stream that stays open. */
async function stream(api: Api, path: string, key: Key, { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {}) {
  const gone = new AbortController();
  ends.push(() => gone.abort());
  const opened = await fetch(`${api.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-api-key': key.apiKey,
      accept: body ? 'application/json, text/event-stream' : 'text/event-stream',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: gone.signal,
  });
  const seen = { status: opened.status, text: '', ended: false, close: () => gone.abort() };
  void (async () => {
    for await (const chunk of opened.body!) seen.text += Buffer.from(chunk).toString();
  })()
    .catch(() => {})
    .finally(() => (seen.ended = true));
  return seen;
}
const ended = (one: { ended: boolean }): Promise<unknown> => eventually('the stream ends', async () => one.ended);

describe('limits', () => {
  const callAt = async (api: Api, key: Key): Promise<number> => {
    const answer = await post(api, '/api/tools/work.phase.list', key, {});
    await answer.text();
    return answer.status;
  };

  it('pass one after the other, at two apis in turn, nearly all calls of the minute and none more', async () => {
    const key = await stack.caller({ name: 'turns', rpm: 20, burst: 0 });
    const answers: number[] = [];
    for (let i = 0; i < 40; i += 1) answers.push(await callAt(i % 2 === 0 ? a : b, key));
    const passed = answers.filter((status) => status === 200).length;
    expect(new Set(answers)).toEqual(new Set([200, 429]));
    expect(passed).toBeLessThanOrEqual(20);
    expect(passed).toBeGreaterThanOrEqual(18);
    const [{ used } = { used: 0 }] = await b.services.governance.limits.used('acme', [key]);
    expect(used).toBeLessThanOrEqual(20);
    expect(used).toBeGreaterThanOrEqual(passed);
  });

  it('hold for many at once', async () => {
    const key = await stack.caller({ name: 'crowd', rpm: 30, burst: 10 });
    const answers = await Promise.all(Array.from({ length: 120 }, (_, i) => callAt(i % 2 === 0 ? a : b, key)));
    expect(answers.filter((status) => status === 200)).toHaveLength(40);
  });

  it('lose nothing at one api, and ask the database for few of the calls', async () => {
    const key = await stack.caller({ name: 'alone', rpm: 300, burst: 100 });
    const { limits } = a.services.governance;
    const asked = vi.spyOn(limits as unknown as { more(): Promise<void> }, 'more');
    const left: number[] = [];
    for (let i = 0; i < 400; i += 1) left.push((await limits.take(key)).remaining);
    expect(left).toEqual(Array.from({ length: 400 }, (_, i) => 399 - i));
    await expect(limits.take(key)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 300, burst: 100 } });
    expect(asked.mock.calls.length).toBeLessThan(60);
    asked.mockRestore();
  });

  it('begin anew with each minute, which is the same at all apis', async () => {
    const key = await stack.caller({ name: 'minutes', rpm: 3, burst: 0 });
    const take = (api: Api) => api.services.governance.limits.take(key);
    await Promise.all([take(a), take(b), take(a)]);
    await expect(take(b)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    await asTenant('acme', () =>
      stack.db.query(`update rate_windows set began_at = began_at - interval '61 seconds' where tenant_id = 'acme' and holder = $1`, [
        key.keyId,
      ]),
    );
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    ends.push(() => clock.mockRestore());
    await Promise.all([take(b), take(a), take(b)]);
    await expect(take(a)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('are counted by each api alone while the database is away', async () => {
    const key = await stack.caller({ name: 'away', rpm: 4, burst: 0 });
    const { limits } = a.services.governance;
    const { db } = limits['deps'] as { db: { query: unknown } };
    const query = db.query;
    const { AppError } = await import('../../contracts/errors.ts');
    db.query = async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'away');
    };
    ends.push(() => void (db.query = query));
    for (let i = 0; i < 4; i += 1) await limits.take(key);
    await expect(limits.take(key)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('of open event streams are shared, and those of an ended process are free', async () => {
    const key = await stack.caller({ name: 'watcher' });
    const path = '/api/agents/v1/events';
    const first = await stream(a, path, key);
    const others = [await stream(b, path, key), await stream(a, path, key)];
    expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([(await stream(a, path, key)).status, (await stream(b, path, key)).status]).toEqual([429, 429]);
    first.close();
    await eventually('there is room again', async () => (await stream(b, path, key)).status === 200);
    await asTenant('acme', () =>
      stack.db.query(`update open_streams set process = 'signalbox-gone' where tenant_id = 'acme' and holder = $1`, [key.keyId]),
    );
    expect((await stream(a, path, key)).status).toBe(200);
  });

  it('of many who open at once the last places are given once', async () => {
    const key = await stack.caller({ name: 'eager' });
    const opened = await Promise.all(Array.from({ length: 8 }, (_, i) => stream(i % 2 === 0 ? a : b, '/api/agents/v1/events', key)));
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe('an MCP session', () => {
  it('ends at all apis when one ends it', async () => {
    const id = await openSession(a, pam);
    const listening = await stream(a, '/mcp', pam, { headers: inSession(id) });
    expect([await listTools(a, pam, id), await listTools(b, pam, id), listening.status]).toEqual([200, 200, 200]);
    const closed = await fetch(`${b.url}/mcp`, { method: 'DELETE', headers: { 'x-api-key': pam.apiKey, ...inSession(id) } });
    expect(closed.status).toBe(200);
    await ended(listening);
    expect([await listTools(a, pam, id), await listTools(b, pam, id)]).toEqual([404, 404]);
  });

  it('its streams end when another api revokes their key', async () => {
    const key = await stack.caller({ name: 'leaving' });
    const id = await openSession(a, key);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'several', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const streams = [
      await stream(a, '/mcp', key, { headers: inSession(id) }),
      await stream(a, '/mcp', key, {
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
        body: rpc('subscriptions/listen', { notifications: { toolsListChanged: true }, _meta: meta }),
      }),
      await stream(a, '/mcp/sse', key),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually('the subscription is open', async () => streams[1]!.text.includes('acknowledged'));
    const other = await stream(a, '/mcp', pam, { headers: inSession(await openSession(a, pam)) });
    await b.services.governance.keys.revoke('acme', key.keyId);
    await Promise.all(streams.map(ended));
    expect([await listTools(a, key, id), other.ended]).toEqual([401, false]);
  });

  const schema = () => ({ name: `s${randomUUID().slice(0, 8)}`, version: '1.0.0', json_schema: { type: 'object' } });
  const tool = 'schema.definition.register';

  it('gets the answer to a form that reaches another api than the one that asked', async () => {
    const answeredAt: string[] = [];
    const client = new OldClient({ name: 'desk', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: { decision: 'approve' } }));
    const transport = new OldHttp(new URL(`${a.url}/mcp`), {
      requestInit: { headers: { 'x-api-key': pam.apiKey } },
      fetch: async (url, init) => {
        const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as JSONRPCMessage) : {};
        const isAnswer = 'result' in body;
        if (isAnswer) answeredAt.push('b');
        return await fetch(isAnswer ? String(url).replace(a.url, b.url) : url, init);
      },
    });
    await client.connect(transport);
    ends.push(() => client.close());
    const answer = await client.callTool({ name: tool, arguments: schema() });
    expect(answer.structuredContent).toMatchObject({ status: 'success', data: { existed: false } });
    expect(answeredAt).toEqual(['b']);
    expect(await asTenant('acme', () => stack.db.query(`select from mcp_messages where tenant_id = 'acme'`))).toEqual([]);
  });

  it('its call is cancelled by a notification at another api', async () => {
    const id = await openSession(a, pam);
    const waits = post(
      a,
      '/mcp',
      pam,
      rpc('tools/call', { name: tool, arguments: schema(), _meta: { 'signalbox/wait_seconds': 60 } }, 'long'),
      inSession(id),
    );
    await eventually(
      'it waits',
      async () => (await stack.ok<{ approvals: unknown[] }>(pam, 'approval.request.list', { status: 'pending' })).approvals.length > 0,
    );
    const cancelled = await post(
      b,
      '/mcp',
      pam,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } },
      inSession(id),
    );
    expect(cancelled.status).toBe(202);
    const answer = await waits;
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  it('a message for it that no api takes is deleted by the sweep', async () => {
    const id = await openSession(a, pam);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'ended long ago' } };
    expect((await post(b, '/mcp', pam, cancelled, inSession(id))).status).toBe(202);
    const sweep = () => asTenant('acme', () => stack.services.governance.streams.sweep('acme'));
    expect(await sweep()).toBe(0);
    const old = await asTenant('acme', () =>
      stack.db.query(
        `update mcp_messages set sent_at = now() - interval '6 minutes' where tenant_id = 'acme' and session_id = $1 returning 1`,
        [id],
      ),
    );
    expect(old).toHaveLength(1);
    expect(await sweep()).toBe(1);
  });

  it('is not reached by another key, wherever', async () => {
    const id = await openSession(a, pam);
    const stranger = await stack.caller({ name: 'stranger' });
    const far = await stack.caller({ tenant: 'globex', name: 'far' });
    for (const key of [stranger, far]) {
      expect(await listTools(b, key, id)).toBe(404);
      const answer = await post(b, '/mcp', key, { jsonrpc: '2.0', id: 'elicit-x', result: { action: 'accept' } }, inSession(id));
      expect(answer.status).toBe(404);
    }
    expect(await listTools(a, pam, id)).toBe(200);
  });

  it('a notice that was lost is made up for when the connection is back', async () => {
    const id = await openSession(a, pam);
    const listening = await stream(a, '/mcp', pam, { headers: inSession(id) });
    await stack.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalbox-notices' and datname = current_database()`,
    );
    await asTenant('acme', () => stack.db.query('delete from mcp_sessions where tenant_id = $1 and id = $2', ['acme', id]));
    await ended(listening);
    expect(await listTools(a, pam, id)).toBe(404);
  });
});

describe('a stream of the old transport', () => {
  it('serves a client whose posts reach another api', async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    const posts: string[] = [];
    const transport = new SSEClientTransport(new URL(`${a.url}/mcp/sse`), {
      requestInit: { headers: { 'x-api-key': pam.apiKey } },
      fetch: async (url, init) => {
        if (init?.method !== 'POST') return await fetch(url, init);
        posts.push(String(url));
        return await fetch(String(url).replace(a.url, b.url), init);
      },
    });
    await client.connect(transport);
    ends.push(() => client.close());
    const phase = { phase_id: 41, name: 'far away' };
    const made = await client.callTool({ name: 'work.phase.set', arguments: phase });
    expect(made.structuredContent).toMatchObject({ status: 'success' });
    expect(posts.length).toBeGreaterThanOrEqual(3);
    expect((await post(b, '/mcp/sse/messages?connection_id=none', pam, rpc('tools/list'))).status).toBe(404);
    const id = new URL(posts[0]!).searchParams.get('connection_id')!;
    const stranger = await stack.caller({ name: 'eavesdropper' });
    expect((await post(b, `/mcp/sse/messages?connection_id=${id}`, stranger, rpc('tools/list'))).status).toBe(404);
  });

  it('gets the answers of devflow that another api gives', async () => {
    const open = await stream(a, '/mcp/sse', pam);
    const id = await eventually('its address', async () => /connection_id=([\w-]+)/.exec(open.text)?.[1]);
    const direct = await post(b, '/mcp/execute', pam, { tool: 'work.phase.list', params: {}, connection_id: id });
    expect(direct.status).toBe(200);
    await eventually('the answer on the stream', async () => open.text.includes('tool_response'));
    await direct.text();
  });
});

it('events are resumed at another api, from the last one on', async () => {
  const key = await stack.caller({ name: 'reader' });
  const path = '/api/agents/v1/events?types=work.task_changed';
  const create = (description: string) => stack.ok(key, 'work.task.create', { description, phase_id: 1 });
  const first = await stream(a, path, key);
  await create('first');
  await eventually('the first event', async () => first.text.includes('work.task_changed'));
  const last = [...first.text.matchAll(/^id: (\S+)\nevent: work/gm)].at(-1)![1]!;
  first.close();
  await create('second');
  const second = await stream(b, path, key, { headers: { 'last-event-id': last } });
  await eventually('the second event', async () => second.text.includes('work.task_changed'));
  const ids = [...second.text.matchAll(/^id: (\S+)\nevent: work/gm)].map((match) => match[1]);
  expect(ids).not.toContain(last);
});
