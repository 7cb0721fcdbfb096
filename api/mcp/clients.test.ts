/** The official clients, new and old, against the whole server on a real socket. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gates, testServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

const requestInit = { headers: { 'x-api-key': 'alice' } };
const mcp = () => new URL(`${server.url}/mcp`);

const kinds = {
  'v2 auto (2026-07-28)': async () => {
    const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(mcp(), { requestInit }));
    return client;
  },
  'v2 legacy': async () => {
    const client = new Client({ name: 'new', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(mcp(), { requestInit }));
    return client;
  },
  'v1 Streamable HTTP': async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new OldHttp(mcp(), { requestInit }));
    return client as unknown as Client;
  },
  'v1 SSE': async () => {
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(new OldSse(new URL(`${server.url}/mcp/sse`), { requestInit }));
    return client as unknown as Client;
  },
};

describe.each(Object.entries(kinds))('%s', (kind, connect) => {
  it('lists, calls, hears of progress and errors, and cancels', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'signalbox' });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('test-text-echo');

    const echo = await client.callTool({
      name: 'test.text.echo',
      arguments: { text: 'hi' },
      _meta: { 'signalbox/agent_id': 'w9', idempotency_key: kind },
    });
    expect(echo.structuredContent).toMatchObject({ status: 'success', data: { text: 'hi', worker: 'w9' } });
    expect(server.parts.pipeline.calls.at(-1)?.idempotencyKey).toBe(kind);

    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void steps.push(progress);
    await (client.callTool as (...args: unknown[]) => Promise<unknown>).call(
      client,
      { name: 'test.job.wait', arguments: { steps: 3 } },
      ...(kind.startsWith('v1') ? [undefined] : []),
      { onprogress },
    );
    expect([steps[0], steps.at(-1)]).toEqual([1, 3]);

    const failed = await client.callTool({ name: 'test.error.raise', arguments: { code: 'CONFLICT' } });
    expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: 'CONFLICT' } } });
    await expect(client.callTool({ name: 'test.txt.echo', arguments: {} })).rejects.toThrow(/test-text-echo/);

    const abort = new AbortController();
    const hanging = (client.callTool as (...args: unknown[]) => Promise<unknown>).call(
      client,
      { name: 'test.job.wait', arguments: { gate: kind } },
      ...(kind.startsWith('v1') ? [undefined] : []),
      { signal: abort.signal },
    );
    await gates.whenRunning(kind);
    abort.abort();
    await expect(hanging).rejects.toThrow();
    await vi.waitFor(() => expect(gates.aborted.has(kind)).toBe(true), { timeout: 20_000 });

    if (kind !== 'v1 SSE') {
      await expect(client.callTool({ name: 'test.error.raise', arguments: { code: 'RATE_LIMIT_EXCEEDED' } })).rejects.toThrow(
        /429|RATE_LIMIT/,
      );
    }
    await client.close();
  });
});

it('tells clients that the list changed', async () => {
  const heard: string[] = [];
  const options = (name: string) => ({ listChanged: { tools: { debounceMs: 0, onChanged: () => void heard.push(name) } } });
  const legacy = new Client({ name: 'x', version: '1' }, options('legacy'));
  await legacy.connect(new StreamableHTTPClientTransport(mcp(), { requestInit }));
  const modern = new Client({ name: 'x', version: '1' }, { ...options('modern'), versionNegotiation: { mode: 'auto' } });
  await modern.connect(new StreamableHTTPClientTransport(mcp(), { requestInit }));
  await vi.waitFor(
    () => {
      server.app.toolsChanged();
      expect(heard).toEqual(expect.arrayContaining(['legacy', 'modern']));
    },
    { timeout: 20_000 },
  );
  await Promise.all([legacy.close(), modern.close()]);
});

it('refuses a bad key before MCP', async () => {
  const client = new Client({ name: 'x', version: '1' });
  const transport = new StreamableHTTPClientTransport(mcp(), { requestInit: { headers: { 'x-api-key': 'wrong' } } });
  await expect(client.connect(transport)).rejects.toThrow(/401|Unauthorized|API key/i);
});
