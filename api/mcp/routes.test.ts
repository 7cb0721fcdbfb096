import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gates, memorySessions, testConfig, testServer, type TestServer } from '../testing.ts';
import type { ServerConfig } from '../parts.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

const rpc = (method: string, params?: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
const call = (name: string, args: object = {}, meta?: object) =>
  rpc('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) });
const initialize = (name = 'test', version = '2025-11-25') =>
  rpc('initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name, version: '1' } });

async function openSession(on: TestServer, key = 'alice', client = 'test'): Promise<string> {
  const opened = await on.send('POST', '/mcp', initialize(client), { 'x-api-key': key });
  const id = opened.headers.get('mcp-session-id')!;
  await on.send('POST', '/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'x-api-key': key, 'mcp-session-id': id });
  return id;
}

describe('plain posts', () => {
  it.each(['/mcp', '/mcp/'])('tools/list at %s needs no handshake and no event stream', async (path) => {
    const { status, headers, body } = await server.send('POST', path, rpc('tools/list'));
    expect([status, headers.get('content-type')?.split(';')[0], body.id]).toEqual([200, 'application/json', 1]);
    expect(body.result.tools.map((tool: { name: string }) => tool.name)).toContain('test-text-echo');
  });

  it('keeps id null and string ids', async () => {
    expect((await server.send('POST', '/mcp', rpc('tools/list', {}, null))).body.id).toBe(null);
    expect((await server.send('POST', '/mcp', rpc('tools/call', { name: 'test.text.echo', arguments: { text: 'x' } }, null))).body.id).toBe(
      null,
    );
    expect((await server.send('POST', '/mcp', rpc('ping', {}, 'a'))).body).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
  });

  it('answers the envelope, by any spelling', async () => {
    for (const name of ['test.text.echo', 'test-text-echo', 'echo_devflow']) {
      const { body } = await server.send('POST', '/mcp', call(name, { text: 'hi' }));
      expect(body.result.structuredContent).toMatchObject({ status: 'success', data: { text: 'hi' } });
    }
    const rag = await server.send('POST', '/mcp', call('echo_rag', { text: 'hi' }));
    expect(rag.body.result.content[0].text).toBe('Echo: hi');
  });

  it('tells failures inside a tool from failures outside of one', async () => {
    const inside = await server.send('POST', '/mcp', call('test.error.raise', { code: 'CONFLICT' }));
    expect(inside.body.result).toMatchObject({
      isError: true,
      structuredContent: { status: 'error', error: { code: 'CONFLICT', suggestion: 'Do not raise.' } },
    });
    const unknown = await server.send('POST', '/mcp', call('test.txt.echo'));
    expect(unknown.body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('test-text-echo'),
      data: { alternatives: expect.arrayContaining(['test-text-echo']) },
    });
    expect((await server.send('POST', '/mcp', rpc('no/such'))).body.error.code).toBe(-32601);
    expect((await server.send('POST', '/mcp', rpc('tools/call', {}))).body.error.code).toBe(-32602);
  });

  it('says 429 with Retry-After, and RateLimit headers on success', async () => {
    const limited = await server.send('POST', '/mcp', call('test.error.raise', { code: 'RATE_LIMIT_EXCEEDED' }));
    expect([limited.status, limited.headers.get('retry-after'), limited.body.error.code]).toEqual([429, '7', -32000]);
    const fine = await server.send('POST', '/mcp', call('test.text.echo', { text: 'x' }));
    expect(fine.headers.get('ratelimit-remaining')).toBe('59');
  });

  it('takes batches of the revisions that have them', async () => {
    const both = await server.send(
      'POST',
      '/mcp',
      [rpc('tools/list', {}, 1), call('test.text.echo', { text: 'x' })].map((m, i) => ({ ...m, id: i })),
    );
    expect(both.body.map((answer: { id: number }) => answer.id).sort()).toEqual([0, 1]);
    expect((await server.send('POST', '/mcp', [rpc('ping')])).body).toHaveLength(1);
    const refused = await server.send('POST', '/mcp', [rpc('ping')], { 'mcp-protocol-version': '2025-11-25' });
    expect([refused.status, refused.body.error.code]).toEqual([400, -32600]);
  });

  it('names worker and idempotency key by _meta or header', async () => {
    await server.send('POST', '/mcp', call('test.text.echo', { text: 'x' }, { 'signalbox/agent_id': 'w1', idempotency_key: 'k1' }), {
      'x-agent-id': 'w2',
      'idempotency-key': 'k2',
    });
    expect(server.parts.pipeline.calls.at(-1)).toMatchObject({ caller: { principal: 'w1' }, idempotencyKey: 'k1', front: 'mcp' });
    await server.send('POST', '/mcp', call('test.text.echo', { text: 'x' }), { 'x-agent-id': 'w2', 'idempotency-key': 'k2' });
    expect(server.parts.pipeline.calls.at(-1)).toMatchObject({ caller: { principal: 'w2' }, idempotencyKey: 'k2' });
    const bad = await server.send('POST', '/mcp', call('test.text.echo', { text: 'x' }, { 'signalbox/agent_id': '<script>' }));
    expect(bad.body.error.code).toBe(-32602);
  });
});

describe('profiles and names', () => {
  const names = async (path: string, headers = {}) =>
    (await server.send('POST', path, rpc('tools/list'), headers)).body.result.tools.map((tool: { name: string }) => tool.name);

  it('come from the URL, then header, then key', async () => {
    expect(await names('/mcp/p/core')).toEqual(['test-text-echo']);
    expect(await names('/mcp/p/devflow/')).toEqual(['echo_devflow']);
    expect(await names('/mcp', { 'x-mcp-profile': 'agentic-rag' })).toEqual(['echo_rag']);
    expect(await names('/mcp?profile=perception')).toEqual(['fetch_rss_feed']);
    expect(await names('/mcp')).toHaveLength(4);
    const unknown = await server.send('POST', '/mcp/p/nope', rpc('tools/list'));
    expect([unknown.status, unknown.body.error.data.alternatives.includes('core')]).toEqual([404, true]);
  });

  it('are hyphenated for every client that is not known to take something else', async () => {
    const spelling: Record<string, string> = {
      mcp: 'test-text-echo',
      'claude-ai': 'test-text-echo',
      'never heard of': 'test-text-echo',
      'mcp-inspector': 'test.text.echo',
      'MCP-Inspector (via mcp-remote 0.1)': 'test.text.echo',
      'mcp-inspector-fork': 'test-text-echo',
      'codex-mcp-client': 'test_text_echo',
    };
    for (const [client, name] of Object.entries(spelling)) {
      const id = await openSession(server, 'alice', client);
      expect(await names('/mcp', { 'mcp-session-id': id }), client).toContain(name);
    }
    expect(await names('/mcp')).toContain('test-text-echo');
  });

  it('are spelled as the settings say', async () => {
    const listed = async (config: Partial<ServerConfig>, client = 'mcp'): Promise<string> => {
      await using other = await testServer({ config: testConfig(config) });
      const id = await openSession(other, 'alice', client);
      return JSON.stringify((await other.send('POST', '/mcp', rpc('tools/list'), { 'mcp-session-id': id })).body);
    };
    expect(await listed({ MCP_NAME_STYLE: 'dotted' })).toContain('test.text.echo');
    expect(await listed({ MCP_DOT_CLIENTS: ['mcp'] })).toContain('test.text.echo');
    expect(await listed({ MCP_DOT_CLIENTS: ['mcp'], MCP_HYPHEN_CLIENTS: ['MCP'] })).toContain('test-text-echo');
    expect(await listed({ MCP_UNDERSCORE_CLIENTS: ['mcp'] })).toContain('test_text_echo');
  });

  it('tell what tools answer in the profile unified, and where it is switched on', async () => {
    const outputs = async (profile: string, config: Partial<ServerConfig> = {}) => {
      await using other = await testServer({ config: testConfig(config) });
      const { body } = await other.send('POST', `/mcp/p/${profile}`, rpc('tools/list'));
      return body.result.tools.map((tool: { outputSchema?: { properties: object } }) => tool.outputSchema !== undefined);
    };
    expect(await outputs('unified')).toEqual([true, true, true, true]);
    expect(await outputs('core')).toEqual([false]);
    expect(await outputs('core', { MCP_OUTPUT_SCHEMAS: 'all' })).toEqual([true]);
    expect(await outputs('unified', { MCP_OUTPUT_SCHEMAS: 'none' })).toEqual([false, false, false, false]);
    // An alias answers in its own system's shape.
    expect(await outputs('devflow', { MCP_OUTPUT_SCHEMAS: 'all' })).toEqual([false]);
  });
});

describe('sessions', () => {
  it('introduce the server', async () => {
    const { body, headers } = await server.send('POST', '/mcp', initialize());
    expect(body.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'signalbox', version: '0.0.0-test' },
      capabilities: { tools: { listChanged: true }, experimental: { deprecated_tools: { tools: expect.any(Array) } } },
    });
    expect(body.result.instructions).toContain('durable through crashes');
    expect(headers.get('mcp-session-id')).toBeTruthy();
  });

  it('are known by id and key', async () => {
    const mine = await openSession(server, 'alice');
    const theirs = await openSession(server, 'bob');
    const use = (id: string, key: string, body: object = rpc('tools/list')) =>
      server.send('POST', '/mcp', body, { 'x-api-key': key, 'mcp-session-id': id });
    expect((await use(mine, 'alice')).status).toBe(200);
    expect((await use(theirs, 'bob')).status).toBe(200);
    for (const answer of [
      await use(mine, 'bob'),
      await use(theirs, 'alice'),
      await use('made-up', 'alice'),
      await use(mine, 'bob', call('test.text.echo', { text: 'x' })),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, -32001]);
    }
    const stolen = await server.send('DELETE', '/mcp', undefined, { 'x-api-key': 'bob', 'mcp-session-id': mine });
    expect(stolen.status).toBe(404);
    expect((await server.send('GET', '/mcp', undefined, { accept: 'text/event-stream' })).status).toBe(400);
    expect((await server.send('DELETE', '/mcp', undefined, { 'mcp-session-id': mine })).status).toBe(200);
    expect((await use(mine, 'alice')).status).toBe(404);
  });

  it('come back after a restart, for their key only', async () => {
    const sessions = memorySessions();
    let id: string;
    {
      await using before = await testServer({ sessions });
      id = await openSession(before, 'alice', 'claude-ai');
    }
    await using after = await testServer({ sessions });
    const both = await Promise.all([1, 2].map(() => after.send('POST', '/mcp', rpc('tools/list'), { 'mcp-session-id': id })));
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);
    expect(both[0]!.body).toContain('test-text-echo');
    expect((await after.send('POST', '/mcp', rpc('tools/list'), { 'mcp-session-id': id, 'x-api-key': 'bob' })).status).toBe(404);
    await after.send('DELETE', '/mcp', undefined, { 'mcp-session-id': id });
    expect((await after.send('POST', '/mcp', rpc('tools/list'), { 'mcp-session-id': id })).status).toBe(404);
  });
});

describe('long calls', () => {
  it('report progress as a stream that ends with the answer', async () => {
    const id = await openSession(server);
    const { headers, body } = await server.send('POST', '/mcp', call('test.job.wait', { steps: 3 }, { progressToken: 'p' }), {
      'mcp-session-id': id,
      accept: 'application/json, text/event-stream',
    });
    expect(headers.get('content-type')).toBe('text/event-stream');
    const messages = (body as string)
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(messages[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 3 } });
    expect(messages.at(-2)).toMatchObject({ params: { progress: 3 } });
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { data: { done: true } } } });
  });

  it('without event-stream in Accept answer JSON', async () => {
    const { body } = await server.send('POST', '/mcp', call('test.job.wait', { steps: 2 }, { progressToken: 'p' }), {
      accept: 'application/json',
    });
    expect(body.result.structuredContent.data.done).toBe(true);
  });

  it('become a stream when they take their time', async () => {
    await using slow = await testServer({ patienceMs: 10 });
    const answer = fetch(`${slow.url}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': 'alice', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(call('test.job.wait', { gate: 'slow' })),
    });
    expect((await answer).headers.get('content-type')).toBe('text/event-stream');
    gates.open('slow');
    expect(await (await answer).text()).toContain('"done":true');
  });

  it('are cancelled by notification', async () => {
    const id = await openSession(server);
    const answer = server.send('POST', '/mcp', { ...call('test.job.wait', { gate: 'cancel-1' }), id: 77 }, { 'mcp-session-id': id });
    await gates.whenRunning('cancel-1');
    await server.send(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } },
      { 'mcp-session-id': id },
    );
    expect((await answer).status).toBe(202);
    expect(gates.aborted.has('cancel-1')).toBe(true);
  });

  it.each(['/mcp', '/mcp/execute', '/mcp/tools/test.job.wait'])('are cancelled by closing the connection of %s', async (path) => {
    const gate = `gone ${path}`;
    const body =
      path === '/mcp' ? call('test.job.wait', { gate }) : path === '/mcp/execute' ? { tool: 'test.job.wait', args: { gate } } : { gate };
    const sent = httpRequest(server.url + path, { method: 'POST', headers: { 'x-api-key': 'alice', 'content-type': 'application/json' } });
    sent.on('error', () => {});
    sent.end(JSON.stringify(body));
    await gates.whenRunning(gate);
    sent.destroy();
    await vi.waitFor(() => expect(gates.aborted.has(gate)).toBe(true), { timeout: 20_000 });
  });
});
