import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gates, testServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer({ pingMs: 20 })));
afterAll(async () => await server.app.close());

/** An event reader like a browser's EventSource. */
async function listen(path = '/mcp/sse', key = 'alice') {
  const abort = new AbortController();
  const response = await fetch(server.url + path, { headers: { 'x-api-key': key }, signal: abort.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const events: { event: string; data: any }[] = [];
  let taken = 0;
  const next = async (name: string): Promise<any> => {
    for (;;) {
      while (taken < events.length) {
        const found = events[taken]!;
        taken += 1;
        if (found.event === name) return found.data;
      }
      rest += (await reader.read()).value ?? '';
      const parts = rest.split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1];
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (event && data !== undefined) events.push({ event, data: /^[[{]/.test(data) ? JSON.parse(data) : data });
      }
    }
  };
  return { response, events, next, close: () => abort.abort() };
}

describe('/mcp/sse', () => {
  it('begins with tools, endpoint and ping, and keeps pinging', async () => {
    const stream = await listen();
    const tools = await stream.next('tools');
    expect(tools[0]).toMatchObject({ name: 'test-text-echo', parameters: { type: 'object' }, inputSchema: { type: 'object' } });
    const endpoint = await stream.next('endpoint');
    expect(endpoint).toContain(stream.response.headers.get('x-connection-id'));
    expect(await stream.next('ping')).toEqual({});
    expect(await stream.next('ping')).toEqual({});
    expect(stream.events.slice(0, 3).map(({ event }) => event)).toEqual(['tools', 'endpoint', 'ping']);
    stream.close();
  });

  it('answers devflow on the stream, and MCP by messages', async () => {
    const stream = await listen('/mcp/sse?profile=devflow');
    expect((await stream.next('tools')).map((tool: { name: string }) => tool.name)).toEqual(['echo_devflow']);
    const endpoint = await stream.next('endpoint');
    expect((await server.send('POST', endpoint, { tool: 'echo_devflow', args: { text: 'one' }, request_id: 'a' })).status).toBe(202);
    expect(await stream.next('tool_response')).toMatchObject({ request_id: 'a', result: { text: 'one' }, error: null });
    await server.send('POST', endpoint, { jsonrpc: '2.0', id: 5, method: 'tools/list' });
    expect((await stream.next('message')).result.tools).toHaveLength(1);
    expect((await server.send('POST', endpoint, { jsonrpc: '2.0' })).status).toBe(400);
    expect((await server.send('POST', endpoint, { hello: 1 })).status).toBe(400);
    stream.close();
  });

  it('repeats what /mcp/execute answers to the connection it names, for its own key only', async () => {
    const stream = await listen();
    const id = /connection_id=(.*)$/.exec(await stream.next('endpoint'))![1];
    const both = await server.send('POST', '/mcp/execute', {
      tool: 'echo_devflow',
      args: { text: 'two' },
      request_id: 'b',
      connection_id: id,
    });
    expect(await stream.next('tool_response')).toEqual(both.body);
    const other = await server.send(
      'POST',
      '/mcp/execute',
      { tool: 'echo_devflow', args: { text: 'x' }, connection_id: id },
      { 'x-api-key': 'bob' },
    );
    expect(other.status).toBe(404);
    const post = await server.send(
      'POST',
      `/mcp/sse/messages?connection_id=${id}`,
      { tool: 'echo_devflow', args: { text: 'x' } },
      { 'x-api-key': 'bob' },
    );
    expect(post.status).toBe(404);
    stream.close();
  });

  it('cancels what runs when the client leaves', async () => {
    const stream = await listen();
    const endpoint = await stream.next('endpoint');
    await server.send('POST', endpoint, { tool: 'test.job.wait', args: { gate: 'sse-gone' } });
    await gates.whenRunning('sse-gone');
    stream.close();
    await vi.waitFor(() => expect(gates.aborted.has('sse-gone')).toBe(true), { timeout: 20_000 });
    await vi.waitFor(async () => expect((await server.send('POST', endpoint, { tool: 'echo_devflow' })).status).toBe(404), {
      timeout: 20_000,
    });
  });

  it('needs a key', async () => {
    expect((await fetch(`${server.url}/mcp/sse`)).status).toBe(401);
  });
});
