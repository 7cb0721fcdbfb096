/** Other MCP servers with different failures; none affects the others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openMcp } from '../../adapters/mcp/open.ts';
import type { McpServer } from '../../adapters/mcp/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { Idempotency } from '../../services/governance/idempotency.ts';
import { echo, openUpstream, text, type Upstream } from '../setup/mcp.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

const script = fileURLToPath(new URL('../setup/mcp-stdio.ts', import.meta.url));

let stack: TestStack;
let ann: Caller;
const open: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
});
afterEach(async () => {
  for (const { name } of (await stack.ok(ann, 'external.server.list')).servers) await stack.ok(ann, 'external.server.remove', { name });
  await Promise.all(open.splice(0).map((each) => each.stop()));
});
afterAll(() => stack.stop());

async function upstream(kind: Parameters<typeof openUpstream>[0], given: Parameters<typeof openUpstream>[1] = {}): Promise<Upstream> {
  const made = await openUpstream(kind, given);
  open.push(made);
  return made;
}
const add = (name: string, more: object) => stack.ok(ann, 'external.server.add', { name, approve_all: true, ...more });
const call = (name: string, said = 'x', args: object = { text: said }) => stack.call(ann, `external.${name}`, args);
const said = (answer: { data: unknown }): string => (answer.data as any).content[0].text;

const logFile = (): string => join(mkdtempSync(join(tmpdir(), 'signalbox-mcp-')), 'log');
const pids = (file: string, what: 'start' | 'child'): number[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(what))
    .map((line) => Number(line.split(' ')[1]));
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie no longer runs; it only waits for its parent.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const ended = (...all: number[]) => eventually('they have ended', () => Promise.resolve(!all.some(lives)));
const stdio = (file: string, ...modes: string[]) => ({ command: process.execPath, args: [script, file, ...modes] });

it('an expired session is renewed, also by many calls at once, and each call is made once', async () => {
  const there = await upstream('2025');
  await add('there', { url: there.url });
  expect(said(await call('there.echo'))).toBe('x');
  for (const session of there.sessions.values()) await session.close();
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => call('there.echo', `n${i}`)));
  expect(answers.map(said)).toEqual(Array.from({ length: 12 }, (_, i) => `n${i}`));
  expect(there.calls).toHaveLength(13);
  await eventually('no session is left over', () => Promise.resolve(there.sessions.size === 1));
});

it('a server that is started again is reached again, and one that is down says so at once', async () => {
  const there = await upstream('2025');
  await add('there', { url: there.url });
  await there.stop();
  const down = await call('there.echo');
  expect(down.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { server: 'there' } });
  const started = performance.now();
  const refused = await call('there.echo');
  expect(refused.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'not_sent' } });
  expect(performance.now() - started).toBeLessThan(5_000);
  await there.start();
  await eventually('it is back', async () => !(await call('there.echo')).error);
});

it('a connection that is lost while a call is under way leaves its outcome unknown, and the call is not repeated', async () => {
  const there = await upstream('2025');
  await add('there', { url: there.url });
  let hits = 0;
  there.intercept = (_request, response, body) => {
    if (body?.method !== 'tools/call') return false;
    hits += 1;
    response.destroy();
    return true;
  };
  expect((await call('there.echo')).error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'unknown_outcome' } });
  expect(hits).toBe(1);
  there.intercept = null;
  expect(said(await call('there.echo'))).toBe('x');
});

const offered = async (): Promise<string[]> =>
  (await stack.ok(ann, 'external.tool.list', { server: 'there' })).tools
    .filter(({ state }: { state: string }) => state !== 'gone')
    .map(({ name }: { name: string }) => name);
const refresh = () => asTenant('acme', () => stack.services.external.health.refresh('acme', 'there'));

it('a server that is changed while it is refreshed is asked at its new address', async () => {
  const former = await upstream('2025');
  const next = await upstream('2025', { tools: [{ ...echo, name: 'other' }] });
  await add('there', { url: former.url });
  let asked = 0;
  former.intercept = (_request, _response, body) => body?.method === 'tools/list' && (asked += 1) > 0;
  const refreshing = refresh();
  await eventually('it is being refreshed', () => Promise.resolve(asked === 1));
  const changed = await stack.ok(ann, 'external.server.update', { name: 'there', url: next.url });
  expect(changed).toMatchObject({ healthy: true, server: { health: 'healthy' } });
  expect((await refreshing).healthy).toBe(false);
  const { servers } = await stack.ok(ann, 'external.server.list');
  expect(servers).toMatchObject([{ name: 'there', health: 'healthy', last_error: null }]);
  expect(await offered()).toEqual(['external.there.other']);
});

it('one that replaces another of its name gets none of its tools, although a refresh of that one still runs', async () => {
  const former = await upstream('2025');
  const next = await upstream('2025', { tools: [{ ...echo, name: 'other' }] });
  await add('there', { url: former.url });
  const reached = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const real = stack.db.transaction.bind(stack.db);
  vi.spyOn(stack.db, 'transaction').mockImplementationOnce(async (work) => {
    reached.resolve();
    await held.promise;
    return await real(work);
  });
  const refreshing = refresh();
  await reached.promise;
  await stack.ok(ann, 'external.server.remove', { name: 'there' });
  const adding = add('there', { url: next.url });
  await eventually('it is added', async () => (await stack.ok(ann, 'external.server.list')).servers.length === 1);
  held.resolve();
  await refreshing;
  expect(await adding).toMatchObject({ healthy: true, approved: ['external.there.other'] });
  expect(await offered()).toEqual(['external.there.other']);
});

it('a call that may have been done is not made again under its key', async () => {
  const pay = { name: 'pay', inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } } } };
  const there = await upstream('2025', { tools: [pay] });
  await add('there', { url: there.url });
  const paid = (key: string) => stack.call(ann, 'external.there.pay', { text: key }, { idempotencyKey: key });
  let hits = 0;
  there.intercept = (_request, response, body) => {
    if (body?.method !== 'tools/call') return false;
    hits += 1;
    response.destroy();
    return true;
  };
  expect((await paid('first')).error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'unknown_outcome' } });
  there.intercept = null;
  for (let i = 0; i < 2; i += 1) {
    expect((await paid('first')).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'unknown_outcome' } });
  }
  expect([hits, there.calls.length]).toEqual([1, 0]);
  expect(said(await paid('second'))).toBe('second');
  expect(said(await paid('second'))).toBe('second');
  expect(there.calls).toHaveLength(1);

  // The request never arrived, so the key can be used again.
  await there.stop();
  expect((await paid('third')).error).toMatchObject({ details: { reason: 'not_sent' } });
  await there.start();
  await eventually('it is paid', async () => !(await paid('third')).error);
  expect(there.calls.map(({ args }) => args['text'])).toEqual(['second', 'third']);
});

it('nor is one whose process died in the middle of it, while what our own ids hold together goes on', async () => {
  const key = () => [ann, 'external.there.pay', newId('key'), 'hash'] as const;
  const dying = async (call: ReturnType<typeof key>): Promise<void> => {
    void new Idempotency(stack).once(...call, () => new Promise<never>(() => {}), { repeatable: false });
    await eventually('it is begun', async () => {
      const rows = await asTenant('acme', () =>
        stack.db.query(`update idempotency_records set owner = 'gone' where tenant_id = 'acme' and key = $1 returning 1`, [call[2]]),
      );
      return rows.length > 0;
    });
  };
  const [foreign, own] = [key(), key()];
  await asTenant('acme', async () => {
    await dying(foreign);
    let made = 0;
    const make = () => Promise.resolve((made += 1));
    const again = () => new Idempotency(stack).once(...foreign, make, { repeatable: false });
    const outcomes = await Promise.allSettled([again(), again(), again()]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT', details: { reason: 'unknown_outcome' } } });
    }
    expect(made).toBe(0);
    // In the same process, too: Postgres was away when the attempt's end was to be written.
    const unended = key();
    void new Idempotency(stack).once(...unended, () => new Promise<never>(() => {}), { repeatable: false });
    await eventually('it is begun', async () => {
      const rows = await stack.db.query(`select 1 from idempotency_records where tenant_id = 'acme' and key = $1`, [unended[2]]);
      return rows.length > 0;
    });
    await expect(new Idempotency(stack).once(...unended, make, { repeatable: false })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'unknown_outcome' },
    });
    expect(made).toBe(0);
    await dying(own);
    expect(await new Idempotency(stack).once(...own, make)).toEqual({ answer: 1, repeated: false });
  });
});

it('a call is made once under its key, whatever its answer holds', async () => {
  const pay = { name: 'pay', inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } } } };
  const answers: Record<string, object> = { nul: { 'k\0': 'a\0b' }, half: { k: 'a\ud83e' } };
  const there = await upstream('2025', {
    tools: [pay],
    answer: ({ args }) =>
      args['text'] === 'long'
        ? text(`${'x'.repeat(1_999)}😀${'x'.repeat(300_000)}`)
        : { ...text('a\0b'), structuredContent: answers[String(args['text'])] as Record<string, unknown> },
  });
  await add('there', { url: there.url });
  for (const key of ['nul', 'half', 'long']) {
    const [first, second] = [
      await stack.call(ann, 'external.there.pay', { text: key }, { idempotencyKey: key }),
      await stack.call(ann, 'external.there.pay', { text: key }, { idempotencyKey: key }),
    ];
    expect([first.error, second.error]).toEqual([undefined, undefined]);
    expect(second.data).toEqual(first.data);
    expect(second.envelope.warnings).toContain('Repeated call: this is the stored answer.');
    if (key === 'long') expect((first.data as { preview: string }).preview).toBe(`${'x'.repeat(1_999)}\ufffd`);
    else expect(said(first)).toBe('a\ufffdb');
    if (key === 'nul') expect(first.data).toMatchObject({ structured_content: { 'k\ufffd': 'a\ufffdb' } });
  }
  expect(there.calls.map(({ args }) => args['text'])).toEqual(['nul', 'half', 'long']);
});

it('nor is it made again when its answer was too large, or could not be kept', async () => {
  const once = (db: Database, key: string, execute: () => Promise<number>, repeatable = false) =>
    asTenant('acme', () => new Idempotency({ db }).once(ann, 'external.there.pay', key, 'hash', execute, { repeatable }));
  let made = 0;
  const make = () => Promise.resolve((made += 1));
  const unknown = { code: 'CONFLICT', details: { reason: 'unknown_outcome' } };
  const tooLarge = () => Promise.reject(new AppError('PAYLOAD_TOO_LARGE', 'The answer is too large.'));
  await expect(once(stack.db, 'large', tooLarge)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  await expect(once(stack.db, 'large', make)).rejects.toMatchObject(unknown);
  expect(made).toBe(0);
  // It has been made, and whoever waits for it is told so.
  const query: Database['query'] = (sql, values) =>
    sql.includes(`state = 'done'`) ? Promise.reject(new AppError('VALIDATION_ERROR', 'No.')) : stack.db.query(sql, values);
  const forgetful = { ...stack.db, query };
  expect(await once(forgetful, 'unkept', make)).toMatchObject({ answer: 1, repeated: false, unkept: { code: 'VALIDATION_ERROR' } });
  await expect(once(stack.db, 'unkept', make)).rejects.toMatchObject(unknown);
  // A call that is idempotent by our own ids continues.
  expect(await once(forgetful, 'own', make, true)).toMatchObject({ answer: 2 });
  expect(await once(stack.db, 'own', make, true)).toEqual({ answer: 3, repeated: false });
});

it('a stream that breaks off is taken up where it ended', async () => {
  const there = await upstream('2025');
  await add('there', { url: there.url });
  let id: unknown;
  there.intercept = (request, response, body) => {
    if (body?.method === 'tools/call') {
      id = body.id;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: e7\nretry: 10\ndata: \n\n');
      return true;
    }
    if (request.method !== 'GET' || request.headers['last-event-id'] !== 'e7') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`id: e8\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('later') })}\n\n`);
    return true;
  };
  expect(said(await call('there.echo'))).toBe('later');
});

it.each([
  [404, 'No MCP endpoint stands there'],
  [401, 'refuses these credentials'],
  [500, ''],
])('an address that answers %i is added, and told unhealthy', async (status, words) => {
  const there = await upstream('2025');
  there.intercept = (_request, response) => (response.writeHead(status).end('nothing here'), true);
  const added = await add('there', { url: there.url });
  expect(added).toMatchObject({ healthy: false, server: { health: 'unhealthy' } });
  expect(added.server.last_error).toContain(words);
  expect(added.server.last_error).toContain(`HTTP ${status}`);
  const tested = await stack.ok(ann, 'external.server.test', { name: 'there' });
  expect(tested.healthy).toBe(false);
  there.intercept = null;
  await eventually('mended, it is healthy', async () => (await stack.ok(ann, 'external.server.test', { name: 'there' })).healthy);
});

it('a slow server is given up in time; a dead and a hanging one delay neither others nor lists', async () => {
  const slow = await upstream('2025', { answer: () => new Promise(() => {}) });
  let release = (): void => {};
  const gate = new Promise<void>((done) => (release = done));
  const taking = await upstream('2025', { answer: async () => (await gate, text('at last')) });
  const healthy = await upstream('2025');
  await add('slow', { url: slow.url, timeout_ms: 8_000 });
  await add('taking', { url: taking.url });
  await add('healthy', { url: healthy.url });
  const held: Socket[] = [];
  const hanging = createServer((socket) => held.push(socket.resume()));
  await new Promise<void>((done) => hanging.listen(0, '127.0.0.1', done));
  open.push({
    async stop() {
      for (const socket of held) socket.destroy();
      await new Promise((done) => hanging.close(done));
    },
  });
  const port = (hanging.address() as { port: number }).port;
  const adding = add('hanging', { url: `http://127.0.0.1:${port}/mcp`, timeout_ms: 2_000 });
  await add('dead', { url: 'http://127.0.0.1:9999/mcp' });
  const late = call('slow.echo');
  const order: string[] = [];
  const taken = call('taking.echo').finally(() => order.push('taking'));
  await eventually('the call has arrived', () => Promise.resolve(taking.calls.length === 1));
  expect(said(await call('healthy.echo'))).toBe('x');
  const names = (await stack.pipeline.list(ann, 'all'))
    .map(({ name }) => name)
    .filter((name) => name.startsWith('external.') && name.endsWith('.echo'));
  order.push('others and lists');
  release();
  expect(said(await taken)).toBe('at last');
  expect(order).toEqual(['others and lists', 'taking']);
  expect(names.sort()).toEqual(['external.healthy.echo', 'external.slow.echo', 'external.taking.echo']);
  expect((await late).error).toMatchObject({ code: 'TIMEOUT', details: { reason: 'unknown_outcome' } });
  expect((await adding).healthy).toBe(false);
});

it('so many calls at a time, so many waiting, the rest are refused with a time to come back', async () => {
  let most = 0;
  let now = 0;
  let release = (): void => {};
  const gate = new Promise<void>((done) => (release = done));
  const there = await upstream('2025', {
    async answer({ args }) {
      now += 1;
      most = Math.max(most, now);
      await gate;
      now -= 1;
      return text(String(args['text']));
    },
  });
  await add('there', { url: there.url, concurrency: 2 });
  const calls = Array.from({ length: 50 }, (_, i) => call('there.echo', String(i)));
  await eventually('two are under way', () => Promise.resolve(now === 2));
  // Whichever came last; those that are taken are held.
  const refused = await Promise.race(calls);
  expect(refused.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1, details: { reason: 'busy' } });
  release();
  const answers = await Promise.all(calls);
  expect(answers.filter(({ error }) => error === undefined)).toHaveLength(34);
  expect(most).toBe(2);
});

it('a caller that leaves before its call is sent is told that it was not', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((done) => (release = done));
  const pay = { name: 'pay', inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } } } };
  const there = await upstream('2025', { tools: [pay], answer: async ({ args }) => (await gate, text(String(args['text']))) });
  await add('there', { url: there.url, concurrency: 1 });
  const paid = (key: string, signal?: AbortSignal) =>
    stack.call(ann, 'external.there.pay', { text: key }, { idempotencyKey: key, ...(signal ? { signal } : {}) });
  const first = paid('first of three');
  await eventually('it is under way', () => Promise.resolve(there.calls.length === 1));
  const notSent = { code: 'SERVICE_UNAVAILABLE', details: { reason: 'not_sent' }, hint: 'Nothing was sent. Repeat it.' };
  const leaving = new AbortController();
  const second = paid('second of three', leaving.signal);
  await eventually('its key is taken', async () => {
    const rows = await asTenant('acme', () =>
      stack.db.query(`select 1 from idempotency_records where tenant_id = 'acme' and key = 'second of three'`),
    );
    return rows.length > 0;
  });
  leaving.abort();
  expect((await second).error).toMatchObject(notSent);
  release();
  expect(said(await first)).toBe('first of three');
  // Gone before it had a place, which there was.
  expect((await paid('third of three', AbortSignal.abort())).error).toMatchObject(notSent);
  expect(said(await paid('second of three'))).toBe('second of three');
  expect(said(await paid('third of three'))).toBe('third of three');
  expect(there.calls.map(({ args }) => args['text'])).toEqual(['first of three', 'second of three', 'third of three']);
});

it('a long page of an error says what its status says', async () => {
  const there = await upstream('2025');
  await add('there', { url: there.url });
  there.intercept = (_request, response, body) => body?.method === 'tools/call' && (response.writeHead(500).end('x'.repeat(100_000)), true);
  expect((await call('there.echo')).error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'unknown_outcome', status: 500 },
  });
});

it('a child that is killed is started again; what it has started ends with it', async () => {
  const file = logFile();
  const added = await add('local', stdio(file, 'grandchild', 'stubborn'));
  expect(added).toMatchObject({ healthy: true, server: { transport: 'stdio', server_name: 'stdio-fixture', server_version: '1.2.3' } });
  expect(said(await call('local.echo', 'one'))).toBe('one');
  const { pid } = stack.mcp.open().find(({ key }) => key === 'acme/local')!;
  const before = [pids(file, 'start').at(-1)!, pids(file, 'child').at(-1)!];
  expect(before[0]).toBe(pid);
  process.kill(pid!, 'SIGKILL');
  await ended(...before);
  await eventually('it answers again', async () => !(await call('local.echo', 'two')).error);
  // A call in whose middle it dies is not repeated: its outcome is unknown.
  const crashed = await call('local.crash', '', {});
  expect(crashed.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'unknown_outcome' } });
  await eventually('and again', async () => !(await call('local.echo', 'three')).error);
  await stack.ok(ann, 'external.server.remove', { name: 'local' });
  await ended(...pids(file, 'start'), ...pids(file, 'child'));
});

it('an old server that ends when it is asked too much is spoken to as it wants', async () => {
  const file = logFile();
  expect(await add('local', stdio(file, 'strict'))).toMatchObject({ healthy: true });
  expect(said(await call('local.echo'))).toBe('x');
  expect(pids(file, 'start')).toHaveLength(2);
});

it('a child gets the environment that it was given, and none of ours', async () => {
  const file = logFile();
  process.env['SIGNALBOX_TEST_ONLY'] = 'x';
  await add('local', { ...stdio(file), credentials: { env: { SECRET_WORD: 'geheim-99' } } });
  const names = said(await call('local.environment', '', {})).split(',');
  delete process.env['SIGNALBOX_TEST_ONLY'];
  expect(names).toContain('SECRET_WORD');
  expect(names).not.toContain('SIGNALBOX_TEST_ONLY');
  expect(names.filter((name) => /DATABASE|NODE_OPTIONS|VITEST/.test(name))).toEqual([]);
});

it('a child that cannot start says why, without its credentials, and is not tried in a tight loop', async () => {
  const file = logFile();
  const added = await add('local', { ...stdio(file, 'broken'), credentials: { env: { SECRET_WORD: 'geheim-99' } } });
  expect(added.healthy).toBe(false);
  expect(added.server.last_error).toContain('cannot start with [removed]');
  for (let i = 0; i < 20; i += 1) await stack.call(ann, 'external.resource.list', { server: 'local' });
  expect(pids(file, 'start').length).toBeLessThan(10);
  const missing = await stack.ok(ann, 'external.server.add', { name: 'missing', command: '/no/such/program' });
  expect(missing.server.last_error).toContain('cannot be started (ENOENT)');
});

it('idle connections are closed and made anew; everything ends at the end', async () => {
  const there = await upstream('2025');
  const file = logFile();
  const mcp = openMcp({ allowPrivate: true, userAgent: 'test', idleMs: 5_000 });
  const web: McpServer = {
    key: 't/web',
    version: '1',
    target: { transport: 'http', url: there.url, headers: {} },
    timeoutMs: 60_000,
    concurrency: 2,
  };
  const child: McpServer = {
    ...web,
    key: 't/child',
    target: { transport: 'stdio', command: process.execPath, args: [script, file, 'grandchild'], env: {} },
  };
  // The child first: it may take longer to start than the other stays open.
  await mcp.tools(child);
  const { tools } = await mcp.tools(web);
  expect(tools).toEqual([echo]);
  expect(mcp.open()).toHaveLength(2);
  await eventually('idle ones are closed', () => Promise.resolve(mcp.open().length === 0));
  await ended(...pids(file, 'start'), ...pids(file, 'child'));
  await eventually('and their sessions ended', () => Promise.resolve(there.sessions.size === 0));
  await mcp.tools(child);
  await mcp.close();
  await ended(...pids(file, 'start'), ...pids(file, 'child'));
  await expect(async () => await mcp.tools(web)).rejects.toThrow('closed');
  // Also what is just being opened.
  const other = openMcp({ allowPrivate: true, userAgent: 'test' });
  const silent: McpServer = {
    ...child,
    target: { transport: 'stdio', command: process.execPath, args: [script, file, 'grandchild', 'silent'], env: {} },
  };
  const opening = other.tools(silent).catch((error: unknown) => error);
  await eventually('it is started', () => Promise.resolve(pids(file, 'start').length === 3));
  await other.close();
  expect(await opening).toBeInstanceOf(Error);
  await ended(...pids(file, 'start'), ...pids(file, 'child'));
});

it('when we are killed, children end all the same, and what they have started', async () => {
  const file = logFile();
  const holder = spawn(
    process.execPath,
    [fileURLToPath(new URL('../setup/mcp-holder.ts', import.meta.url)), script, file, 'grandchild', 'stubborn'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(holder.stdout, 'data');
  const all = [...pids(file, 'start'), ...pids(file, 'child')];
  expect(all.filter(lives).length).toBeGreaterThanOrEqual(2);
  holder.kill('SIGKILL');
  await ended(...all);
});
