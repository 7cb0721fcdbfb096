import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig, testServer, type TestServer } from '../testing.ts';

const script = `console.log("${'x'.repeat(2_000)}")`;
const folder = mkdtempSync(join(tmpdir(), 'console-'));
afterAll(() => rmSync(folder, { recursive: true }));

function build(stamp: string, name: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets', name), script);
  writeFileSync(join(folder, 'assets', `${name}.br`), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets', `${name}.gz`), gzipSync(script));
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta name="csp-nonce" content="__NONCE__"><script src="/console/assets/${name}"></script>`,
  );
  writeFileSync(join(folder, 'build.json'), JSON.stringify({ stamp }));
}

/** Without the decompression of fetch, and with a Host of its own. */
const raw = (
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> =>
  new Promise((resolve, reject) => {
    httpRequest(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }));
    })
      .on('error', reject)
      .end();
  });

describe('the pages', () => {
  let server: TestServer;
  beforeAll(async () => {
    build('one', 'a1.js');
    server = await testServer({ consoleFolder: folder });
  });
  afterAll(async () => await server.app.close());

  it.each(['/', '/console', '/console/inbox', '/console/work/task_1.2'])(
    'is the shell at %s, with a nonce of its own each time',
    async (path) => {
      const first = await raw(server.url + path);
      const second = await raw(server.url + path);
      expect(first.status).toBe(200);
      const csp = String(first.headers['content-security-policy']);
      const nonce = /'nonce-([^']+)'/.exec(csp)![1]!;
      expect(csp).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
      );
      expect(first.body.toString()).toContain(`content="${nonce}"`);
      expect(String(second.headers['content-security-policy'])).not.toContain(nonce);
      expect(first.headers).toMatchObject({
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('sends files as they were compressed at build, for good', async () => {
    for (const [accepted, encoding, bytes] of [
      ['gzip, br', 'br', brotliCompressSync(script)],
      ['gzip', 'gzip', gzipSync(script)],
      ['identity', undefined, Buffer.from(script)],
    ] as const) {
      const { headers, body } = await raw(`${server.url}/console/assets/a1.js`, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['cache-control']).toContain('immutable');
      expect(headers['content-type']).toContain('text/javascript');
      expect(body.equals(bytes)).toBe(true);
    }
  });

  it('answers 404 for a file or an address of its API that does not exist, and for paths out of its folder', async () => {
    for (const path of ['/console/assets/none.js', '/console/api/none', '/console/assets/%2e%2e%2fbuild.json'])
      expect([path, (await raw(server.url + path)).status]).toEqual([path, 404]);
    expect((await raw(`${server.url}/console/build.json`)).body.toString()).not.toContain('stamp');
  });

  it('takes over a new build, and keeps the files of the one before for open tabs', async () => {
    rmSync(join(folder, 'assets', 'a1.js'));
    build('two', 'a2.js');
    expect((await raw(`${server.url}/`)).body.toString()).toContain('a2.js');
    expect((await raw(`${server.url}/console/assets/a1.js`)).status).toBe(200);
  });

  it('is served under its own name, and still not under others', async () => {
    expect((await raw(`${server.url}/`, { host: 'signalbox.localhost:8080' })).status).toBe(200);
    expect((await raw(`${server.url}/`, { host: 'evil.localhost:8080' })).status).toBe(403);
  });
});

describe('without a build', () => {
  it('shows the page about this server, and says so', async () => {
    await using server = await testServer();
    const root = await server.send('GET', '/');
    expect([root.status, root.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("default-src 'none'")]);
    expect(root.body).toContain('npm run console:build');
    const inner = await server.send('GET', '/console/inbox');
    expect([inner.status, inner.headers.get('retry-after')]).toEqual([503, '2']);
  });
});

describe('without keys (AUTH_MODE=local)', () => {
  it('still answers its own pages only', async () => {
    await using server = await testServer({ config: testConfig({ AUTH_MODE: 'local' }) });
    const call = async (headers: Record<string, string>) =>
      (await server.send('POST', '/console/api/tools/test.text.echo', { text: 'x' }, { 'x-api-key': '', ...headers })).status;
    expect(await call({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await call({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await call({ origin: server.url })).toBe(200);
    expect(await call({ origin: 'http://127.0.0.1:1' })).toBe(403);
    expect(await call({})).toBe(403);
    expect(server.parts.pipeline.calls.map(({ front }) => front)).toEqual(['console', 'console']);
  });
});
