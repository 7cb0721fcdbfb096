import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig, testServer, type TestServer } from '../testing.ts';
import { landingPage } from './landing.ts';
import { backendServices } from './status.ts';

let server: TestServer;
beforeAll(async () => void (server = await testServer()));
afterAll(async () => await server.app.close());

describe('GET /mcp/tools', () => {
  it('lists all that the key may call, whatever its profile', async () => {
    const { body } = await server.send('GET', '/mcp/tools');
    const alias = body.tools.find((tool: { name: string }) => tool.name === 'echo_devflow');
    expect(alias.alias_of).toBe('test.text.echo');
    expect(alias.parameters).toEqual(alias.inputSchema);
    expect(body.tools.map((tool: { name: string }) => tool.name)).toEqual(
      expect.arrayContaining(['test.text.echo', 'echo_rag', 'fetch_rss_feed']),
    );
  });
});

describe('POST /mcp/tools/{name} (perception)', () => {
  const post = (name: string, body: unknown) => server.send('POST', `/mcp/tools/${name}`, body);

  it('answers the bare data, 207 when partial', async () => {
    expect(await post('test.text.echo', { text: 'x' })).toMatchObject({ status: 200, body: { text: 'x', worker: 'alice' } });
    expect(await post('test.item.store', {})).toMatchObject({ status: 207, body: { stored: 1 } });
  });

  it.each([
    ['fetch_rss_feed', { feed_id: 'f1' }, 404, 'FEED_NOT_FOUND'],
    ['fetch_rss_feed', { feed_id: 'f1', code: 'SERVICE_UNAVAILABLE' }, 500, 'FEED_FETCH_FAILED'],
    ['fetch_rss_feed', { feed_id: 'f1', code: 'RATE_LIMIT_EXCEEDED' }, 429, 'RATE_LIMIT_EXCEEDED'],
    ['fetch_rss_feed', {}, 400, 'INVALID_REQUEST'],
    ['test.error.raise', { code: 'SERVICE_UNAVAILABLE' }, 503, 'SERVICE_UNAVAILABLE'],
    ['no_such_tool', {}, 404, 'NOT_FOUND'],
    ['test.text.echo', '{', 400, 'INVALID_REQUEST'],
    ['test.text.echo', [], 400, 'INVALID_REQUEST'],
  ])('%s %j → %i %s', async (name, body, status, code) => {
    const answer = await post(name, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toBeTruthy();
    if (typeof body === 'object' && 'feed_id' in body) expect(answer.body.error.feed_id).toBe('f1');
    if (status === 429) expect(answer.headers.get('retry-after')).toBe('7');
  });
});

describe('POST /mcp/execute (devflow)', () => {
  const execute = (body: unknown) => server.send('POST', '/mcp/execute', body);

  it('repeats the request id and answers the data', async () => {
    const { status, body } = await execute({ tool: 'echo_devflow', args: { text: 'x' }, request_id: 'r1' });
    expect([status, body.request_id, body.result.text, body.error]).toEqual([200, 'r1', 'x', null]);
  });

  it('says what failed as text', async () => {
    const unknown = await execute({ tool: 'nope', request_id: 'r2' });
    expect(unknown.body).toMatchObject({
      request_id: 'r2',
      result: null,
      error: expect.stringContaining('nope'),
      error_detail: { code: 'NOT_FOUND' },
    });
    const limited = await execute({ tool: 'test.error.raise', args: { code: 'RATE_LIMIT_EXCEEDED' } });
    expect([limited.status, limited.headers.get('retry-after'), limited.body.result]).toEqual([429, '7', null]);
    expect((await execute({ args: {} })).status).toBe(400);
    expect((await execute({ tool: 'echo_devflow', connection_id: 'unknown' })).status).toBe(404);
  });
});

describe('POST /api/tools/{name}', () => {
  it('answers the envelope', async () => {
    const fine = await server.send('POST', '/api/tools/test.text.echo', { text: 'x' }, { 'idempotency-key': 'k' });
    expect(fine.body).toMatchObject({
      status: 'success',
      data: { text: 'x', key: 'k' },
      tool_call_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    });
    expect(fine.headers.get('ratelimit-limit')).toBe('60');
    const failed = await server.send('POST', '/api/tools/test.error.raise', { code: 'CONFLICT' });
    expect([failed.status, failed.body.error.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('status', () => {
  const open = (path: string, on = server) => on.send('GET', path, undefined, { 'x-api-key': '' });

  it('needs no key', async () => {
    expect((await open('/health')).body).toMatchObject({ status: 'ok', version: '0.0.0-test' });
    expect((await open('/mcp/health')).body).toMatchObject({
      status: 'healthy',
      backend_services: { knowledge_hub: 'up', workflow_engine: 'up', qdrant: 'up' },
    });
    expect((await open('/mcp/metrics')).body).toMatchObject({ requests_total: expect.any(Number), tools: expect.any(Object) });
    expect((await open('/metrics')).body).toContain('signalbox_tool_calls_total');
  });

  it('names tools only to those with a key or the token of a scraper, and never those of other servers', async () => {
    await using own = await testServer({ config: testConfig({ METRICS_TOKEN: 'a-token-for-scrapers' }) });
    await own.send('POST', '/api/tools/test.text.echo', { text: 'x' });
    own.parts.pipeline.metrics.called({ name: 'external.acme_crm.find_deal', front: 'mcp', durationMs: 1 });
    const read = async (path: string, headers: Record<string, string>): Promise<string> =>
      JSON.stringify((await own.send('GET', path, undefined, { 'x-api-key': '', ...headers })).body);
    for (const path of ['/metrics', '/mcp/metrics']) {
      const stranger = await read(path, {});
      expect(stranger).not.toMatch(/test\.text\.echo|tool=|"external|acme/);
      for (const headers of [{ 'x-api-key': 'alice' }, { authorization: 'Bearer a-token-for-scrapers' }]) {
        const known = await read(path, headers);
        expect(known).toMatch(/test\.text\.echo/);
        expect(known).toMatch(/external/);
        expect(known).not.toMatch(/acme/);
      }
      expect((await own.send('GET', path, undefined, { 'x-api-key': '', authorization: 'Bearer a-token-for-nobody' })).status).toBe(401);
    }
    const sums = await read('/metrics', {});
    expect(sums).toContain('signalbox_tool_calls_total{class=\\"none\\",front=\\"mcp\\",outcome=\\"success\\"} 1');
    expect(sums).toMatch(/signalbox_tool_call_seconds_count 2/);
    expect(sums).toContain('signalbox_call_seconds_count{class=\\"L1\\",front=\\"rest\\"} 1');
    expect(sums).toContain('process_cpu_user_seconds_total');
  });

  it('tells what is down', async () => {
    await using broken = await testServer({
      health: async () => ({
        postgres: { up: true },
        temporal: { up: false, detail: 'does not answer' },
        embeddings: { up: false, optional: true },
      }),
    });
    const ready = await open('/ready', broken);
    expect([ready.status, ready.body.ready, ready.body.dependencies.temporal.status]).toEqual([503, false, 'down']);
    await using readsOnly = await testServer({
      health: async () => ({ postgres: { up: true }, temporal: { up: false, optional: true, writes: true } }),
    });
    expect(await open('/ready', readsOnly)).toMatchObject({ status: 200, body: { ready: true, degraded: ['temporal'] } });
    expect((await open('/mcp/health', broken)).body).toMatchObject({
      status: 'degraded',
      backend_services: { workflow_engine: 'down', knowledge_hub: 'up' },
    });
    expect(backendServices({ postgres: { up: true }, qdrant: { up: false } }).qdrant).toBe('down');
  });

  it('has a page that shows how to connect and no key', async () => {
    const { body, headers } = await open('/about');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const text of ['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop', 'curl', `${server.url}/mcp`, 'YOUR_KEY'])
      expect(body).toContain(text);
    expect(body).not.toContain('<script');
    const odd = await server.app.inject({ method: 'GET', url: '/about', headers: { host: 'localhost' } });
    expect(odd.statusCode).toBe(200);
    expect(body).not.toContain('npm run console:build');
  });

  it('has a page of all tools', async () => {
    const { body, headers } = await open('/docs');
    expect(headers.get('content-type')).toContain('text/html');
    expect(body).toContain('<h3 id="worktaskclaim"><code>work.task.claim</code></h3>');
    expect(body).toContain('<td><code>claim_task</code></td>');
    expect(body).toContain('href="#work"');
    expect(body).toContain('id="work"');
    expect(body).not.toContain('npm run gen');
  });

  it('serves the runbooks that alerts link to', async () => {
    const rules = await readFile(new URL('../../deploy/prometheus/rules/signalbox.yml', import.meta.url), 'utf8');
    const anchors = [...rules.matchAll(/runbook_url: docs\/runbooks\.md#(\S+)/g)].map(([, anchor]) => anchor);
    expect(anchors).toContain('an-api-is-down');
    const { body } = await open('/docs/runbooks');
    for (const anchor of anchors) expect(body).toContain(`<h2 id="${anchor}">`);
  });

  it('calls what is not switched on off, and what works up', () => {
    const health = { neo4j_sync: { up: true, optional: true, detail: 'disabled' }, postgres: { up: true } };
    const page = landingPage({ version: '1', host: 'localhost', health, temporalUi: undefined, open: false });
    expect(page).toContain('<li class="off"><b>neo4j_sync</b> off <small>not configured</small></li>');
    expect(page).toContain('<li class="up"><b>postgres</b> up</li>');
  });

  it('MCP can be switched off', async () => {
    await using off = await testServer({ config: testConfig({ MCP_SERVER_ENABLED: false }) });
    expect((await off.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
    expect((await off.send('POST', '/api/tools/test.text.echo', { text: 'x' })).status).toBe(200);
    await using noSse = await testServer({ config: testConfig({ MCP_SSE_ENABLED: false }) });
    expect((await noSse.send('GET', '/mcp/sse')).status).toBe(404);
  });
});
