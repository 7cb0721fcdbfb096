import { Agent, get as httpGet } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../contracts/errors.ts';
import { buildServer } from './server.ts';
import { gates, testConfig, testParts, testServer, type TestServer } from './testing.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = (name: string, args: object = {}, id: number | null = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('keys', () => {
  it('takes X-API-Key and Authorization: Bearer alike', async () => {
    expect((await server.send('POST', '/mcp', list)).status).toBe(200);
    expect((await server.send('POST', '/mcp', list, { 'x-api-key': '', authorization: 'Bearer bob' })).status).toBe(200);
  });

  it.each(['/mcp', '/mcp/execute', '/mcp/tools/echo', '/api/tools/echo'])('refuses a bad key on %s', async (path) => {
    const answer = await server.send('POST', path, {}, { 'x-api-key': 'wrong' });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(JSON.stringify(answer.body)).toContain('Invalid API key');
  });

  it('refuses no key, and never says 401 when the key store is away', async () => {
    expect((await server.send('GET', '/mcp/tools', undefined, { 'x-api-key': '' })).status).toBe(401);
    const away = await server.send('GET', '/mcp/tools', undefined, { 'x-api-key': 'away' });
    expect(away.status).toBe(503);
    expect(away.body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(away.headers.get('retry-after')).toBe('2');
  });

  it('limits failures per address, but never locks a good key out', async () => {
    await using own = await testServer();
    const statuses: number[] = [];
    for (let i = 0; i < 62; i += 1) statuses.push((await own.send('GET', '/mcp/tools', undefined, { 'x-api-key': 'wrong' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    expect((await own.send('GET', '/mcp/tools')).status).toBe(200);
  });

  it('names the worker by X-Agent-Id, and refuses strange names', async () => {
    const answer = await server.send('POST', '/api/tools/test.text.echo', { text: 'x' }, { 'x-agent-id': 'worker-7' });
    expect(answer.body.data.worker).toBe('worker-7');
    for (const bad of ['-x', 'a'.repeat(129), 'a b', '<b>']) {
      const refused = await server.send('POST', '/api/tools/test.text.echo', { text: 'x' }, { 'x-agent-id': bad });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('AUTH_MODE=local needs no key, and refuses to be open to others', async () => {
    await using local = await testServer({ config: testConfig({ AUTH_MODE: 'local' }) });
    const answer = await local.send('POST', '/api/tools/test.text.echo', { text: 'x' }, { 'x-api-key': '' });
    expect(answer.status).toBe(200);
    expect(local.parts.pipeline.calls.at(-1)?.caller).toMatchObject({ tenant: 'default', role: 'admin', principalKind: 'human' });
    expect(() => buildServer(testParts({ config: testConfig({ AUTH_MODE: 'local', MCP_SERVER_HOST: '0.0.0.0' }) }))).toThrow(/loopback/);
  });
});

describe('DNS rebinding', () => {
  const app = (values: Parameters<typeof testConfig>[0]) => buildServer(testParts({ config: testConfig(values) }));
  const get = (built: ReturnType<typeof app>, headers: Record<string, string>) => built.inject({ method: 'GET', url: '/health', headers });

  it('checks Host and Origin on loopback', async () => {
    const built = app({});
    expect((await get(built, { host: 'localhost:8080' })).statusCode).toBe(200);
    expect((await get(built, { host: '[::1]:8080', origin: 'http://127.0.0.1:3000' })).statusCode).toBe(200);
    expect((await get(built, { host: 'evil.example' })).statusCode).toBe(403);
    expect((await get(built, { host: 'localhost', origin: 'http://evil.example' })).statusCode).toBe(403);
    expect((await get(built, { host: 'localhost', origin: 'null' })).statusCode).toBe(403);
    expect((await get(built, { host: 'localhost', origin: 'http://localhost.evil.example' })).statusCode).toBe(403);
  });

  it('checks Host for browsers only when bound to all addresses', async () => {
    const built = app({ MCP_SERVER_HOST: '0.0.0.0', MCP_ALLOWED_HOSTS: ['box.example'], MCP_ALLOWED_ORIGINS: ['https://app.example'] });
    expect((await get(built, { host: '10.0.0.7' })).statusCode).toBe(200);
    expect((await get(built, { host: '10.0.0.7', origin: 'https://app.example' })).statusCode).toBe(403);
    const allowed = await get(built, { host: 'box.example', origin: 'https://app.example' });
    expect([allowed.statusCode, allowed.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example']);
  });

  it('answers a preflight without a key, for allowed origins only', async () => {
    const preflight = (origin: string) => server.send('OPTIONS', '/mcp', undefined, { origin, 'x-api-key': '' });
    expect((await preflight('http://localhost:6274')).status).toBe(204);
    expect((await preflight('http://evil.example')).status).toBe(403);
  });
});

describe('errors of the transport', () => {
  it('are JSON-RPC on /mcp', async () => {
    const cases: [unknown, Record<string, string>, number, number][] = [
      ['{"jsonrpc":', {}, 400, -32700],
      [{ hello: 1 }, {}, 400, -32600],
      [[], {}, 400, -32600],
      ['x', { 'content-type': 'text/plain' }, 415, -32600],
      ['x'.repeat(10_000_000), {}, 413, -32000],
      [list, { 'mcp-protocol-version': '1999-01-01' }, 400, -32000],
    ];
    for (const [body, headers, status, code] of cases) {
      const answer = await server.send('POST', '/mcp', body, headers);
      expect([answer.status, answer.body.jsonrpc, answer.body.error.code]).toEqual([status, '2.0', code]);
    }
  });

  it('are envelopes elsewhere', async () => {
    const bad = await server.send('POST', '/api/tools/test.text.echo', '{');
    expect([bad.status, bad.body.status, bad.body.error.code]).toEqual([400, 'error', 'VALIDATION_ERROR']);
    const big = await server.send('POST', '/mcp/execute', 'x'.repeat(10_000_000));
    expect([big.status, big.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const missing = await server.send('GET', '/nowhere');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(missing.body.error.suggestion).toBeTruthy();
  });

  it('of health are the same without a body, for monitors that ask by HEAD', async () => {
    const app = buildServer(testParts());
    for (const url of ['/health', '/ready']) {
      const [whole, head] = [await app.inject({ method: 'GET', url }), await app.inject({ method: 'HEAD', url })];
      expect([head.statusCode, head.headers['content-type'], head.body], url).toEqual([200, whole.headers['content-type'], '']);
    }
  });

  it('never leak what broke', async () => {
    const app = buildServer(testParts({ health: () => Promise.reject(new Error('postgres://user:hunter2@db')) }));
    const answer = await app.inject({ method: 'GET', url: '/ready' });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('hunter2');
    const call = await server.send('POST', '/api/tools/test.error.raise', { code: 'DEFECT' });
    expect([call.status, JSON.stringify(call.body).includes('hunter2')]).toEqual([500, false]);
  });

  it('pass AppErrors of the key store on', async () => {
    const app = buildServer(testParts({ authenticate: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE', 'away')) }));
    expect((await app.inject({ method: 'GET', url: '/mcp/tools', headers: { 'x-api-key': 'x' } })).statusCode).toBe(503);
  });
});

describe('shutdown', () => {
  it('answers what was accepted, whatever way it came', async () => {
    const own = await testServer();
    const stream = await fetch(`${own.url}/mcp/sse`, { headers: { 'x-api-key': 'alice' } });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const until = async (text: string): Promise<void> => {
      while (!seen.includes(text)) seen += (await reader.read()).value;
    };
    await until('event: ping');
    const endpoint = /data: (\/mcp\/sse\S+)/.exec(seen)![1]!;

    const names = ['drain-mcp', 'drain-rest', 'drain-execute'];
    const answers = [
      own.send('POST', '/mcp', call('test.job.wait', { gate: 'drain-mcp' })),
      own.send('POST', '/api/tools/test.job.wait', { gate: 'drain-rest' }),
      own.send('POST', '/mcp/execute', { tool: 'test.job.wait', args: { gate: 'drain-execute' } }),
    ];
    await own.send('POST', endpoint, { tool: 'test.job.wait', args: { gate: 'drain-sse' }, request_id: 'late' });
    await Promise.all([...names, 'drain-sse'].map((name) => gates.whenRunning(name)));

    const closed = own.app.close();
    for (const name of [...names, 'drain-sse']) gates.open(name);
    const done = await Promise.all(answers);
    expect(done.map((answer) => answer.status)).toEqual([200, 200, 200]);
    await until('"late"');
    await closed;
    expect(names.some((name) => gates.aborted.has(name))).toBe(false);
    await expect(fetch(`${own.url}/health`)).rejects.toThrow();
  });

  it('answers what comes on an open connection meanwhile, and ends the connection with it', async () => {
    const own = await testServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (path: string): Promise<{ status: number; connection: string | undefined }> =>
      new Promise((resolve, reject) => {
        httpGet(own.url + path, { agent }, (response) => {
          response.resume();
          response.on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }));
        }).on('error', reject);
      });
    expect(await get('/ready')).toEqual({ status: 200, connection: 'keep-alive' });
    const running = own.send('POST', '/mcp', call('test.job.wait', { gate: 'drain-open' }));
    await gates.whenRunning('drain-open');
    const closed = own.app.close();
    expect(await get('/health')).toEqual({ status: 200, connection: 'close' });
    gates.open('drain-open');
    expect((await running).status).toBe(200);
    await closed;
    agent.destroy();
  });

  it('tells load balancers before it begins', async () => {
    const own = await testServer();
    own.app.drain();
    const ready = await own.send('GET', '/ready');
    expect([ready.status, ready.body]).toEqual([503, expect.objectContaining({ ready: false, draining: true })]);
    const answer = await fetch(`${own.url}/health`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await own.app.close();
  });

  it('does not wait for ever', async () => {
    const own = await testServer();
    const hanging = own.send('POST', '/mcp', call('test.job.wait', { gate: 'drain-never' })).catch(() => 'cut');
    await gates.whenRunning('drain-never');
    const started = Date.now();
    await own.app.close();
    expect(Date.now() - started).toBeLessThan(20_000);
    expect(await hanging).toBe('cut');
    await vi.waitFor(() => expect(gates.aborted.has('drain-never')).toBe(true), { timeout: 20_000 });
  });
});

describe('every answer', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/health'],
    ['GET', '/docs/api'],
    ['GET', '/metrics'],
    ['GET', '/mcp/sse'],
    ['GET', '/nowhere'],
    ['GET', '/.well-known/agent-card.json'],
    ['POST', '/mcp'],
    ['POST', '/api/tools/test.text.echo'],
    ['POST', '/a2a'],
    ['OPTIONS', '/mcp'],
  ])('%s %s keeps its type and our addresses to itself', async (method, path) => {
    for (const key of ['alice', 'wrong']) {
      const gone = new AbortController();
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        signal: gone.signal,
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect([answer.headers.get('x-content-type-options'), answer.headers.get('referrer-policy')]).toEqual(['nosniff', 'no-referrer']);
      gone.abort();
      await answer.body?.cancel().catch(() => {});
    }
    const foreign = await server.send('GET', path, undefined, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.headers.get('x-content-type-options')]).toEqual([403, 'nosniff']);
  });
});
