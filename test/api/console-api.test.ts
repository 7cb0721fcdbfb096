/** The console's API on a real stack: sign-in, what its cookie is good for, and when it ends. */
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { noteEvent } from '../../services/kernel/outbox.ts';
import { apiOf } from '../setup/api.ts';
import { openSource } from '../setup/event-source.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  app = apiOf(stack);
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app?.close();
  await stack?.stop();
});

const own: Record<string, string> = { 'sec-fetch-site': 'same-origin' };

async function send(
  method: string,
  path: string,
  { body, headers = own, cookie }: { body?: unknown; headers?: Record<string, string>; cookie?: string } = {},
) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...(cookie ? { cookie } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

async function signIn(caller: { apiKey: string }): Promise<string> {
  const answer = await send('POST', '/console/api/session', { body: { key: caller.apiKey } });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

const tool = (name: string, args: unknown, cookie: string, headers: Record<string, string> = own) =>
  send('POST', `/console/api/tools/${name}`, { body: args, cookie, headers });

const rows = (text: string, values: unknown[]) => asTenant('acme', () => stack.db.query<Record<string, any>>(text, values));

describe('signing in', () => {
  it('sets a cookie that no script reads, and tells who it is and what it may', async () => {
    const ann = await stack.caller({ name: 'ann', role: 'pm' });
    const answer = await send('POST', '/console/api/session', { body: { key: ann.apiKey } });
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^__Host-sb-[0-9a-f]{8}=[\w-]{43}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=43200$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      tenant: 'acme',
      principal: 'ann',
      kind: 'human',
      role: 'pm',
      key: { id: ann.keyId, ends: null },
      sign_in: true,
    });
    expect(answer.body.may).toMatchObject({ 'work.task.create': 'allow', 'external.server.add': expect.stringMatching(/ask|deny|allow/) });
    expect(Object.keys(answer.body.may)).toHaveLength(stack.pipeline.catalogue.tools.length);
    expect(JSON.stringify(answer.body)).not.toContain(ann.apiKey);
    // Stored as a hash only.
    const value = cookie.split(';')[0]!.split('=')[1]!;
    const kept = await rows('select row_to_json(s)::text as row from console_sessions s where tenant_id = $1 and key_id = $2', [
      'acme',
      ann.keyId,
    ]);
    expect(kept).toHaveLength(1);
    expect(kept[0]!['row']).not.toContain(value);
  });

  it('answers the same again with 304, and tells each user what its own key may', async () => {
    const cookie = await signIn(await stack.caller({ name: 'reader', role: 'readonly' }));
    const first = await send('GET', '/console/api/session', { cookie });
    expect(first.body.may['work.task.create']).toBe('deny');
    expect(first.body.may['work.task.list']).toBe('allow');
    const again = await send('GET', '/console/api/session', { cookie, headers: { ...own, 'if-none-match': first.headers.get('etag')! } });
    expect([again.status, again.body]).toEqual([304, null]);
    // The browser counts the cookie's age from now.
    expect(again.headers.get('set-cookie')).toContain(cookie);
  });

  it('refuses a bad key, no key, plain http elsewhere, and another page', async () => {
    expect((await send('POST', '/console/api/session', { body: { key: 'sb_wrong' } })).status).toBe(401);
    expect((await send('POST', '/console/api/session', { body: {} })).status).toBe(400);
    const ann = await stack.caller();
    const body = { key: ann.apiKey };
    expect((await send('POST', '/console/api/session', { body, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await send('POST', '/console/api/session', { body, headers: {} })).status).toBe(403);
    const elsewhere = await app.inject({
      method: 'POST',
      url: '/console/api/session',
      headers: { 'content-type': 'application/json', host: 'localhost', origin: 'http://localhost' },
      payload: body,
    });
    expect(elsewhere.statusCode).toBe(200);
    const remote = apiOf(stack, {
      config: { ...stack.config, MCP_ALLOWED_HOSTS: ['box.example'], MCP_ALLOWED_ORIGINS: ['http://box.example', 'https://box.example'] },
    });
    const from = (origin: string) =>
      remote.inject({
        method: 'POST',
        url: '/console/api/session',
        headers: { 'content-type': 'application/json', host: 'box.example', origin },
        payload: body,
      });
    const plain = await from('http://box.example');
    expect([plain.statusCode, plain.json().error.details?.reason ?? plain.json().error.message]).toEqual([409, expect.anything()]);
    expect((await from('https://box.example')).statusCode).toBe(200);
    await remote.close();
  });

  it('works once with a code, for a minute, and only a key gets one', async () => {
    const ann = await stack.caller({ name: 'coded' });
    const { body } = await send('POST', '/console/api/codes', { body: {}, headers: { 'x-api-key': ann.apiKey } });
    expect(body.expires_in).toBe(60);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('POST', '/console/api/session', { body: { code: body.code } })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
    const cookie = answers
      .find(({ status }) => status === 200)!
      .headers.get('set-cookie')!
      .split(';')[0]!;
    expect((await send('GET', '/console/api/session', { cookie })).body.principal).toBe('coded');
    expect((await send('POST', '/console/api/codes', { body: {}, cookie })).status).toBe(401);

    const late = await send('POST', '/console/api/codes', { body: {}, headers: { 'x-api-key': ann.apiKey } });
    await rows(`update console_sessions set ends_at = now() where tenant_id = $1 and kind = 'code'`, ['acme']);
    expect((await send('POST', '/console/api/session', { body: { code: late.body.code } })).status).toBe(401);
    // A code is no cookie.
    const fresh = await send('POST', '/console/api/codes', { body: {}, headers: { 'x-api-key': ann.apiKey } });
    expect((await send('GET', '/console/api/session', { cookie: `${cookie.split('=')[0]}=${fresh.body.code}` })).status).toBe(401);
  });

  it('keeps at most 50 sessions of a key, the newest', async () => {
    const ann = await stack.caller({ name: 'many' });
    const cookies: string[] = [];
    for (let i = 0; i < 51; i += 1) cookies.push(await signIn(ann));
    // A lookup is trusted for two seconds.
    await vi.waitFor(async () => expect((await send('GET', '/console/api/session', { cookie: cookies[0]! })).status).toBe(401), {
      timeout: 20_000,
    });
    expect((await send('GET', '/console/api/session', { cookie: cookies[1]! })).status).toBe(200);
  });
});

describe('the cookie', () => {
  let ann: Caller & { apiKey: string };
  let cookie: string;
  beforeAll(async () => {
    ann = await stack.caller({ name: 'cookie-ann' });
    cookie = await signIn(ann);
  });

  it('calls tools as its key, recorded under the front "console"; reads leave one entry', async () => {
    const answer = await tool('system.health.get', {}, cookie);
    expect([answer.status, answer.body.status]).toEqual([200, 'success']);
    expect(answer.headers.get('ratelimit-limit')).toBe('600');
    await vi.waitFor(async () => {
      const entries = await rows('select type, front, principal, key_id from ledger_events where tenant_id = $1 and tool_call_id = $2', [
        'acme',
        answer.body.tool_call_id,
      ]);
      expect(entries).toEqual([{ type: 'tool.call.completed', front: 'console', principal: 'cookie-ann', key_id: ann.keyId }]);
    }, 20_000);
  });

  it.each<[string, Record<string, string>]>([
    ['of another port', { 'sec-fetch-site': 'same-site' }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['of a foreign origin, from an old browser', { origin: 'http://127.0.0.1:9' }],
    ['without any sign of its page', {}],
  ])('does nothing for a request %s', async (_of, headers) => {
    const before = await rows('select count(*)::int as n from work_tasks where tenant_id = $1', ['acme']);
    expect((await tool('work.task.create', { description: 'forged', phase_number: 1 }, cookie, headers)).status).toBe(403);
    expect(await rows('select count(*)::int as n from work_tasks where tenant_id = $1', ['acme'])).toEqual(before);
  });

  it('works for an old browser that names its origin, and never for a form', async () => {
    expect((await tool('system.health.get', {}, cookie, { origin: url })).status).toBe(200);
    const form = await fetch(`${url}/console/api/tools/system.health.get`, {
      method: 'POST',
      headers: { cookie, ...own, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(form.status).toBe(400);
  });

  it.each(['/mcp', '/api/tools/system.health.get', '/mcp/tools/system.health.get', '/a2a'])('is nothing to %s', async (path) => {
    expect((await send('POST', path, { body: {}, cookie })).status).toBe(401);
  });

  it('is nothing to the other streams', async () => {
    for (const path of ['/api/agents/v1/events', '/mcp', '/mcp/sse', '/mcp/tools'])
      expect((await send('GET', path, { cookie })).status).toBe(401);
  });

  it('is ignored beside a key', async () => {
    const bob = await stack.caller({ name: 'bob' });
    const answer = await send('GET', '/console/api/session', { cookie, headers: { 'x-api-key': bob.apiKey } });
    expect(answer.body.principal).toBe('bob');
  });

  it('ends when the person signs out', async () => {
    const other = await signIn(ann);
    const out = await send('DELETE', '/console/api/session', { cookie: other });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await send('GET', '/console/api/session', { cookie: other })).status).toBe(401);
    expect((await send('GET', '/console/api/session', { cookie })).status).toBe(200);
  });

  it('goes on after a rotation of its key', async () => {
    const rotated = await stack.caller({ name: 'rotated' });
    const kept = await signIn(rotated);
    await stack.services.governance.keys.rotate('acme', rotated.keyId, { graceMs: 0 });
    await vi.waitFor(
      async () => expect((await send('GET', '/console/api/session', { cookie: kept })).body.key.id).not.toBe(rotated.keyId),
      { timeout: 20_000 },
    );
  });

  it('counts calls for the session, not for the key', async () => {
    const narrow = await stack.caller({ name: 'narrow', rpm: 1, burst: 0 });
    const [one, two] = [await signIn(narrow), await signIn(narrow)];
    for (let i = 0; i < 5; i += 1) expect((await tool('system.health.get', {}, one)).status).toBe(200);
    const left = async (session: string) => Number((await tool('system.health.get', {}, session)).headers.get('ratelimit-remaining'));
    expect(await left(one)).toBe(800 - 6);
    expect(await left(two)).toBe(800 - 1);
  });
});

describe('revoking the key', () => {
  it('ends calls and streams of its session within seconds', { timeout: 60_000 }, async () => {
    const ann = await stack.caller({ name: 'revoked' });
    const cookie = await signIn(ann);
    const stream = openSource(`${url}/console/api/events`, { key: '', headers: { ...own, cookie }, retryMs: 60_000 });
    await stream.ready;
    await stack.services.governance.keys.revoke('acme', ann.keyId);
    const started = Date.now();
    await vi.waitFor(async () => expect((await tool('system.health.get', {}, cookie)).status).toBe(401), { timeout: 20_000 });
    await vi.waitFor(() => expect(stream.heard.map(({ event }) => event)).toContain('session.ended'), { timeout: 20_000 });
    // The lookup is trusted for two seconds, and the stream looks every five.
    expect(Date.now() - started).toBeLessThan(15_000);
    stream.close();
  });
});

describe('the stream', () => {
  it('tells events from the last id on, and needs its own page, too', async () => {
    const ann = await stack.caller({ name: 'streamer' });
    const cookie = await signIn(ann);
    expect((await send('GET', '/console/api/events', { cookie, headers: { 'sec-fetch-site': 'same-site' } })).status).toBe(403);
    const first = openSource(`${url}/console/api/events`, { key: '', headers: { ...own, cookie } });
    await first.ready;
    const tell = (subject: string) => asTenant('acme', () => noteEvent(stack.db.query, 'acme', 'report.generated', subject, {}));
    const subjects = (heard: { data: string }[]) => heard.filter(({ data }) => data).map(({ data }) => JSON.parse(data).subject);
    await tell('one');
    await vi.waitFor(() => expect(subjects(first.heard)).toEqual(['one']), { timeout: 20_000 });
    first.close();
    await tell('two');
    const second = openSource(`${url}/console/api/events`, { key: '', lastId: first.lastId, headers: { ...own, cookie } });
    await tell('three');
    await vi.waitFor(() => expect(subjects(second.heard)).toEqual(['two', 'three']), { timeout: 20_000 });
    second.close();
  });
});
