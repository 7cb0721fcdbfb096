import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../testing.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const json = { 'content-type': 'application/json' };

describe('an empty body that is said to be JSON', () => {
  it('ends an MCP session', async () => {
    const id = (await server.send('POST', '/mcp', initialize)).headers.get('mcp-session-id')!;
    expect((await server.send('DELETE', '/mcp', undefined, { ...json, 'mcp-session-id': id })).status).toBe(200);
    const ping = await server.send('POST', '/mcp', { jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id });
    expect(ping.status).toBe(404);
  });

  it.each(['', ' \n'])('is no body (%j)', async (body) => {
    expect((await server.send('POST', '/mcp/tools/test.job.wait', body, json)).body).toMatchObject({ done: true });
    expect((await server.send('POST', '/mcp', body, json)).body.error).toMatchObject({ code: -32600, message: 'The request has no body.' });
    const execute = await server.send('POST', '/mcp/execute', body, json);
    expect([execute.status, execute.body.error.message]).toEqual([400, expect.stringContaining('The body must be')]);
  });

  it('is still told from JSON that cannot be read', async () => {
    const { status, body } = await server.send('POST', '/mcp', '{"jsonrpc"', json);
    expect([status, body.error.code]).toEqual([400, -32700]);
  });
});
