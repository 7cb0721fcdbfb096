import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SessionStore } from '../api/mcp/sessions.ts';
import { buildServer } from '../api/server.ts';
import { gates, memorySessions, testParts, testServer, type TestServer } from '../api/testing.ts';
import { runStdioBridge } from './mcp.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

/** A bridge in this process, with access to its input and output lines. */
function bridge({ apiKey = 'alice', ...options }: { url?: string; apiKey?: string; profile?: string; patienceMs?: number } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const logs: string[] = [];
  const lines: any[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    lines.push(...parts.map((line) => JSON.parse(line)));
  });
  const authorization = async (): Promise<Record<string, string>> => ({ 'x-api-key': apiKey });
  const log = (line: string): void => void logs.push(line);
  const done = runStdioBridge({ url: server.url, authorization, ...options, input, output, log });
  return {
    lines,
    logs,
    done,
    say: (message: unknown) => void input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    end: () => void input.end(),
    heard: (test: (line: any) => boolean) =>
      vi.waitFor(() => expect(lines.find(test)).toBeDefined(), { timeout: 20_000 }).then(() => lines.find(test)),
  };
}

const call = (id: number, name: string, args: object = {}, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
});
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

describe('lines', () => {
  it('answers everything in flight before it ends', async () => {
    const own = bridge();
    own.say(initialize);
    own.say(initialized);
    own.say({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    own.say(call(2, 'test.job.wait', { gate: 'bridge-end' }));
    await gates.whenRunning('bridge-end');
    own.end();
    gates.open('bridge-end');
    await own.done;
    expect(own.lines.map((line) => line.id).sort((a, b) => a - b)).toEqual([0, 1, 2]);
    expect(own.lines.find((line) => line.id === 2).result.structuredContent.data.done).toBe(true);
  });

  it('forwards progress and cancellation', async () => {
    const own = bridge();
    own.say(initialize);
    own.say(initialized);
    own.say(call(1, 'test.job.wait', { steps: 2, gate: 'bridge-cancel' }, { progressToken: 't' }));
    expect(await own.heard((line) => line.method === 'notifications/progress')).toMatchObject({
      params: { progressToken: 't', progress: 1 },
    });
    await gates.whenRunning('bridge-cancel');
    own.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await vi.waitFor(() => expect(gates.aborted.has('bridge-cancel')).toBe(true), { timeout: 20_000 });
    own.end();
    await own.done;
    expect(own.lines.some((line) => line.id === 1)).toBe(false);
  });

  it("speaks devflow's form, in order, and lists a profile's tools", async () => {
    const own = bridge({ profile: 'devflow' });
    own.say({ tool: 'test.job.wait', args: { steps: 5 } });
    own.say({ tool: 'echo_devflow', args: { text: 'second' } });
    own.say({ tool: 'nope', args: {}, request_id: 'r' });
    own.say({ jsonrpc: '2.0', id: 9, method: 'tools/list' });
    own.say('this is no JSON');
    own.end();
    await own.done;
    const s1 = own.lines.filter((line) => 'request_id' in line);
    expect(s1.map((line) => line.result)).toEqual([{ done: true }, expect.objectContaining({ text: 'second' }), null]);
    expect(s1[2]).toMatchObject({ request_id: 'r', error: expect.stringContaining('nope') });
    expect(own.lines.find((line) => line.id === 9).result.tools.map((tool: { name: string }) => tool.name)).toEqual(['echo_devflow']);
    expect(own.lines.find((line) => line.error?.code === -32700)).toBeDefined();
  });

  it('passes refusals on under the id of what was asked', async () => {
    const own = bridge({ apiKey: 'wrong' });
    own.say(initialize);
    own.say({ tool: 'echo_devflow', args: {} });
    own.end();
    await own.done;
    expect(own.lines.find((line) => line.id === 0).error.message).toContain('Invalid API key');
    expect(own.lines.find((line) => 'request_id' in line).error).toContain('Invalid API key');
  });

  it('says so when nothing runs there', async () => {
    const gone = await testServer();
    await gone.app.close();
    const own = bridge({ url: gone.url, patienceMs: 100 });
    own.say(initialize);
    own.end();
    await own.done;
    expect(own.lines[0]).toMatchObject({ id: 0, error: { message: expect.stringContaining('npm start') } });
    expect(own.logs.join()).toContain('waiting');
  });
});

describe('a restart of the api', () => {
  const listenOn = async (port: number, sessions?: SessionStore) => {
    const app = buildServer(testParts(sessions ? { sessions } : {}));
    await app.listen({ host: '127.0.0.1', port });
    return { app, port: (app.server.address() as AddressInfo).port };
  };
  it.each([
    ['with stored sessions', memorySessions()],
    ['without', undefined],
  ])('is bridged, %s', async (_name, sessions) => {
    const first = await listenOn(0, sessions);
    const own = bridge({ url: `http://127.0.0.1:${first.port}` });
    own.say(initialize);
    own.say(initialized);
    own.say(call(1, 'test.text.echo', { text: 'before' }));
    await own.heard((line) => line.id === 1);
    await first.app.close();
    own.say(call(2, 'test.text.echo', { text: 'meanwhile' }));
    await vi.waitFor(() => expect(own.logs.join()).toContain('waiting'), { timeout: 20_000 });
    const second = await listenOn(first.port, sessions);
    expect((await own.heard((line) => line.id === 2)).result.structuredContent.data.text).toBe('meanwhile');
    expect(own.lines.some((line) => line.method === 'notifications/tools/list_changed')).toBe(sessions === undefined);
    own.end();
    await own.done;
    await second.app.close();
  });

  it('repeats a call whose connection broke under the same idempotency key', async () => {
    const first = await listenOn(0);
    const own = bridge({ url: `http://127.0.0.1:${first.port}` });
    own.say(call(1, 'test.job.wait', { gate: 'bridge-broken' }));
    await gates.whenRunning('bridge-broken');
    first.app.server.closeAllConnections();
    const { port } = first;
    await vi.waitFor(() => expect(gates.aborted.has('bridge-broken')).toBe(true), { timeout: 20_000 });
    gates.open('bridge-broken');
    gates.reset('bridge-broken');
    await gates.whenRunning('bridge-broken');
    gates.open('bridge-broken');
    expect((await own.heard((line) => line.id === 1)).result.structuredContent.data.done).toBe(true);
    own.end();
    await own.done;
    expect(port).toBeGreaterThan(0);
    await first.app.close();
  });
});

describe('as a process, for real clients', () => {
  const parameters = () => ({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      `import { runStdioBridge } from ${JSON.stringify(new URL('mcp.ts', import.meta.url).href)};
       await runStdioBridge({ url: ${JSON.stringify(server.url)}, authorization: async () => ({ 'x-api-key': 'alice' }) });`,
    ],
  });
  const clients: [string, () => Promise<Client>][] = [
    [
      'v2 auto',
      async () => {
        const client = new Client({ name: 'new', version: '1' }, { versionNegotiation: { mode: 'auto' } });
        await client.connect(new StdioClientTransport(parameters()));
        return client;
      },
    ],
    [
      'v2 legacy',
      async () => {
        const client = new Client({ name: 'new', version: '1' });
        await client.connect(new StdioClientTransport(parameters()));
        return client;
      },
    ],
    [
      'v1',
      async () => {
        const client = new OldClient({ name: 'old', version: '1' });
        await client.connect(new OldStdio(parameters()));
        return client as unknown as Client;
      },
    ],
  ];

  it.each(clients)('%s', async (_name, connect) => {
    const client = await connect();
    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    expect((await client.callTool({ name: 'test.text.echo', arguments: { text: 'hi' } })).structuredContent).toMatchObject({
      data: { text: 'hi' },
    });
    await client.close();
  });
});
