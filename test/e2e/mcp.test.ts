/** The api as a separate process, with real Postgres and Temporal, through the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { freePort } from '../../platform/embedded/ports.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

// Each starts processes.
vi.setConfig({ testTimeout: 120_000 });

let stack: TestStack;
let apiKey: string;
let port: number;
let url: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  stack = await testStack({ model: false });
  ({ apiKey } = await stack.caller({ name: 'e2e' }));
  port = await freePort(0, { taken: new Set() });
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stack.stop();
});

async function startApi(env: Record<string, string> = {}): Promise<ChildProcess> {
  const { config } = stack;
  const child = fork(new URL('../../api/main.ts', import.meta.url), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'] ?? '',
      MCP_SERVER_PORT: String(port),
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
      TEMPORAL_NAMESPACE: stack.namespace,
      SIGNALBOX_DATA_DIR: config.SIGNALBOX_DATA_DIR,
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const [message] = (await once(child, 'message')) as [{ type: string }];
  expect(message.type).toBe('ready');
  return child;
}

async function end(child: ChildProcess, how: () => void): Promise<number | null> {
  const exited = once(child, 'exit');
  how();
  return ((await exited) as [number | null])[0];
}

const get = async (path: string): Promise<{ status: number; body: any }> => {
  const response = await fetch(url + path, { headers: { 'x-api-key': apiKey } });
  return { status: response.status, body: await response.json() };
};

describe('the api process', () => {
  it('serves real tools, keeps its sessions over a kill -9, and drains on SIGTERM', async () => {
    let api = await startApi();
    expect((await get('/ready')).body.ready).toBe(true);
    const client = new Client({ name: 'e2e', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': apiKey } } });
    await client.connect(transport);
    const session = transport.sessionId;
    const data = async (name: string, args: Record<string, unknown>): Promise<any> =>
      ((await client.callTool({ name, arguments: args })).structuredContent as { data: unknown }).data;
    await data('work.task.create', { description: 'Write the report', phase_id: 1 });
    expect((await data('work.task.claim', { phase_id: 1 })).task.description).toBe('Write the report');

    await end(api, () => api.kill('SIGKILL'));
    api = await startApi();
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    expect(transport.sessionId).toBe(session);

    const { status, body } = await get('/api/agents/v1/health');
    expect([status, body.status]).toEqual([200, 'success']);

    const last = client.callTool({ name: 'work.task.create', arguments: { description: 'One more', phase_id: 1 } });
    const outcome = last.then((answer) => answer.structuredContent as { status: string });
    const begun = "select 1 from ledger_events where tool = 'work.task.create' and type = 'tool.call.started' offset 1";
    await eventually('the last call has begun', async () => (await asTenant('acme', () => stack.db.query(begun)))[0]);
    const [code, answer] = await Promise.all([end(api, () => api.kill('SIGTERM')), outcome]);
    expect([code, answer.status]).toEqual([0, 'success']);
  });

  it('ends when the process that started it is gone', async () => {
    const api = await startApi();
    expect(await end(api, () => api.disconnect())).toBe(0);
  });

  it('comes up without Postgres and says so, never 401', async () => {
    const nobody = await freePort(0, { taken: new Set([port]) });
    const away = new URL(stack.databaseUrl);
    away.port = String(nobody);
    const api = await startApi({ DATABASE_URL: away.href });
    expect((await get('/health')).status).toBe(200);
    expect((await get('/ready')).status).toBe(503);
    const tools = await get('/mcp/tools');
    expect([tools.status, tools.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(await end(api, () => api.kill('SIGTERM'))).toBe(0);
  });
});
