/** The package `@signalbox/client`, as it is published, with a real stack. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Client from '../../clients/typescript/src/index.ts';
import { ClientStack, internalError, pendingApproval, type Tenant } from '../setup/clients.ts';
import type { ShakyProxy } from '../setup/shaky-proxy.ts';
import { eventually } from '../setup/stack.ts';

const run = promisify(execFile);
const source = resolve(import.meta.dirname, '../../clients/typescript');
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

let api: ClientStack;
let proxy: ShakyProxy;
/** A program's folder with the package installed. */
let folder: string;
let kit: typeof Client;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-client-'));
  const installed = join(folder, 'node_modules/@signalbox/client');
  mkdirSync(installed, { recursive: true });
  cpSync(join(source, 'package.json'), join(installed, 'package.json'));
  await run(process.execPath, [tsc, '-p', source, '--outDir', join(installed, 'dist')]);
  kit = (await import(/* @vite-ignore */ pathToFileURL(join(installed, 'dist/index.js')).href)) as typeof Client;
  api = await ClientStack.start();
  proxy = api.proxy;
}, 120_000);
afterAll(async () => {
  await api?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A tenant, and clients with its key. */
async function tenantOf(name: string): Promise<Tenant & { client(options?: Partial<Client.Connection>): Client.Signalbox }> {
  const tenant = await api.tenant(name);
  return { ...tenant, client: (options = {}) => new kit.Signalbox({ url: proxy.url, apiKey: tenant.apiKey, ...options }) };
}

const failure = (promise: Promise<unknown>): Promise<Client.SignalboxError> =>
  promise.then(
    (answer) => {
      throw new Error(`no failure: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => error as Client.SignalboxError,
  );
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));

describe('the package', () => {
  it('holds code and types without dependencies', () => {
    const installed = join(folder, 'node_modules/@signalbox/client');
    const names = readdirSync(join(installed, 'dist')).toSorted();
    expect(names).toEqual(['client', 'errors', 'http', 'index', 'lease', 'tools'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]));
    for (const name of names) {
      const imported = [...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(/from ['"]([^'"]+)/g)].map(([, from]) => from!);
      expect(
        imported.filter((from) => !/^\.\/\w+\.[jt]s$/.test(from)),
        name,
      ).toEqual([]);
    }
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    const ours = JSON.parse(readFileSync(resolve(source, '../../package.json'), 'utf8')) as Record<string, unknown>;
    expect([manifest['dependencies'], manifest['version']]).toEqual([undefined, ours['version']]);
  });

  it('types names, inputs and outputs', async () => {
    const program = `
      import { Signalbox, type Output } from '@signalbox/client';
      const signalbox = new Signalbox({ url: 'http://127.0.0.1:1', apiKey: 'key' });
      export const task: Promise<Output<'work.task.create'>> = signalbox.call('work.task.create', { description: 'x', phase_id: 1 });
      export const description: Promise<string> = task.then((made) => made.task.description);
      export const phases = signalbox.call('work.phase.list');
      export async function* all() { for await (const { tasks } of signalbox.pages('work.task.list', { status: 'ready' })) yield tasks[0]?.id.length; }
      // @ts-expect-error -- no such tool
      void signalbox.call('work.task.make', {});
      // @ts-expect-error -- phase_id is missing
      void signalbox.call('work.task.create', { description: 'x' });
      // @ts-expect-error -- an argument is required
      void signalbox.call('work.task.get');
      // @ts-expect-error -- it has no pages
      void signalbox.pages('work.task.get', { task_id: 'x' });
    `;
    const options = {
      strict: true,
      noEmit: true,
      target: 'es2024',
      module: 'nodenext',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      types: [],
    };
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
    await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => expect.unreachable(error.stdout));
  });

  it('does what its README shows', async () => {
    const [, program = ''] = /```ts\n([^]*?)```/.exec(readFileSync(join(source, 'README.md'), 'utf8')) ?? [];
    expect(program.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
    const tenant = await tenantOf('readme');
    writeFileSync(join(folder, 'readme.ts'), program);
    const env = { ...process.env, SIGNALBOX_URL: proxy.url, SIGNALBOX_API_KEY: tenant.apiKey };
    const { stdout } = await run(process.execPath, ['readme.ts'], { cwd: folder, env });
    expect(stdout).toBe('Working on Write the release notes\n');
    const { tasks } = await tenant.ok('work.task.list', { details: true });
    expect(tasks).toMatchObject([
      { description: 'Write the release notes', status: 'done', assigned_agent_id: expect.stringMatching(/^worker-/) },
    ]);
  });
});

describe('calls', () => {
  it('answer with data, with the envelope, and page by page', async () => {
    const tenant = await tenantOf('calls');
    const client = tenant.client();
    const { task } = await client.call('work.task.create', { description: 'One', phase_id: 1, tags: ['a'] });
    expect(task).toMatchObject({ description: 'One', tags: ['a'], created_by: client.agentId });
    await tenant.tasks(4);
    const envelope = await client.envelope('work.task.list', { limit: 2 });
    expect([envelope.status, envelope.data?.tasks.length]).toEqual(['success', 2]);
    const pages: number[] = [];
    for await (const { tasks } of client.pages('work.task.list', { limit: 2 })) pages.push(tasks.length);
    expect(pages).toEqual([2, 2, 1]);
    expect(await client.callAny('work-task-get', { task_id: task.id })).toMatchObject({ task: { id: task.id } });
    const own = tenant.client({ agentId: '' });
    expect((await own.call('work.task.create', { description: 'Two', phase_id: 1 })).task.created_by).toBe('builders');
  });

  it('say what is wrong, once', async () => {
    const { client } = await tenantOf('refused');
    const before = proxy.calls.length;
    const wrong = await failure(client({ apiKey: 'wrong' }).call('work.phase.list'));
    expect(wrong).toBeInstanceOf(kit.SignalboxError);
    expect(wrong).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'Invalid API key',
      hint: expect.stringContaining('X-API-Key'),
      retryable: false,
    });
    const missing = await failure(client().call('work.task.get', { task_id: 'task_none' }));
    expect(missing).toMatchObject({ code: 'NOT_FOUND', toolCallId: expect.any(String), retryable: false });
    expect(proxy.calls.slice(before).map(({ status }) => status)).toEqual([401, 404]);
    expect(() => client({ url: 'localhost:8080' })).toThrow(/begins with http/);
  });

  it('are repeated once under the same key when only the answer was lost', async () => {
    const tenant = await tenantOf('lost');
    proxy.loseAnswers('work.task.create', 1);
    const before = proxy.calls.length;
    const { task } = await tenant.client().call('work.task.create', { description: 'Once', phase_id: 1 });
    const made = proxy.calls.slice(before);
    expect([made.length, new Set(made.map(({ key }) => key)).size, made[0]!.key?.length]).toEqual([2, 1, 36]);
    expect((await tenant.ok('work.task.list')).tasks.map(({ id }: { id: string }) => id)).toEqual([task.id]);
  });

  it('wait as long as they are told to, and not longer than they may', async () => {
    const { client } = await tenantOf('limited');
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: 'slow down' };
    proxy.answerInstead('work.phase.list', [busy, { status: 503, body: '' }]);
    const started = performance.now();
    expect((await client().call('work.phase.list')).phases.length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeGreaterThan(1000);
    proxy.answerInstead('work.phase.list', [{ status: 429, headers: { 'retry-after': '3600' }, body: '' }]);
    expect(await failure(client().call('work.phase.list'))).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 3600 });
    proxy.answerInstead('work.phase.list', [{ status: 200, body: '<html>' }]);
    expect(await failure(client().call('work.phase.list'))).toMatchObject({ code: 'INTERNAL', hint: expect.stringContaining('address') });
  });

  it('outlast an api that is away, and end when their caller no longer waits', async () => {
    const tenant = await tenantOf('away');
    await api.stopApi();
    const created = tenant.client().call('work.task.create', { description: 'Later', phase_id: 1 });
    const impatient = await failure(tenant.client({ retryForMs: 300 }).call('work.phase.list'));
    expect(impatient).toMatchObject({ code: 'UNREACHABLE', retryable: true, cause: expect.any(Error) });
    const leaving = new AbortController();
    const left = failure(tenant.client().call('work.phase.list', {}, { signal: leaving.signal }));
    leaving.abort(new Error('left'));
    expect((await left).message).toBe('left');
    await api.startApi();
    expect((await created).task.description).toBe('Later');
    expect((await tenant.ok('work.task.list')).tasks).toHaveLength(1);
  });

  it('that wait for a person say so', async () => {
    const { client } = await tenantOf('gated');
    proxy.answerInstead('graph.store.clear', [pendingApproval]);
    expect(await failure(client().callAny('graph.store.clear'))).toMatchObject({
      code: 'PENDING_APPROVAL',
      details: { approval_id: 'apr_1' },
    });
  });
});

describe('a lease', () => {
  it('is kept while the work takes longer, and completes', async () => {
    const tenant = await tenantOf('kept');
    const [id = ''] = await tenant.tasks(1);
    const client = tenant.client();
    proxy.answerInstead('work.task.heartbeat', [internalError]);
    // A third of it is no whole number of milliseconds, which a timeout must be.
    await using lease = await client.claim({ phase_id: 1, lease_seconds: 8 });
    expect(lease?.task.id).toBe(id);
    expect(await failure(client.claim({ phase_id: 1 }))).toMatchObject({ code: 'CONFLICT', details: { task_id: id } });
    lease!.progress('half');
    const until = Date.parse(lease!.task.lease_expires_at!) + 1000;
    await eventually('it is older than its lease', async () => Date.now() > until && (await tenant.task(id))['progress'] === 'half');
    expect([lease!.held, lease!.signal.aborted]).toEqual([true, false]);
    proxy.loseAnswers('work.task.complete', 1);
    expect((await lease!.complete('done')).task).toMatchObject({ status: 'done', result: 'done' });
    expect(lease!.held).toBe(false);
    expect(await failure(lease!.complete())).toMatchObject({ code: 'CONFLICT' });
    expect(await client.claim({ phase_id: 1 })).toBeNull();
  });

  it('gives the task back when it is left, and reports failures', async () => {
    const tenant = await tenantOf('left');
    const [id = ''] = await tenant.tasks(1);
    const client = tenant.client();
    const thrown = await failure(
      (async () => {
        await using lease = await client.claim({ phase_id: 1 });
        throw new Error(`broke in ${lease!.task.id}`);
      })(),
    );
    expect(thrown.message).toBe(`broke in ${id}`);
    expect(await tenant.task(id)).toMatchObject({ status: 'ready', assigned_agent_id: null });
    await using again = await client.claim({ task_id: id });
    expect((await again!.fail('no access', { retry: false })).task).toMatchObject({ failure: 'no access' });
  });

  it('is found again by a worker of the same name', async () => {
    const tenant = await tenantOf('resumed');
    await tenant.tasks(2);
    const first = await tenant.client({ agentId: 'builder-1' }).claim({ phase_id: 1, lease_seconds: 60 });
    await using second = await tenant.client({ agentId: 'builder-1' }).claim({ phase_id: 1 });
    expect([first!.resumed, second!.resumed, second!.task.id === first!.task.id]).toEqual([false, true, true]);
    await second!.complete();
  });

  it('that was taken away aborts the work', async () => {
    const tenant = await tenantOf('taken');
    const [id = ''] = await tenant.tasks(1);
    await using lease = await tenant.client().claim({ phase_id: 1, lease_seconds: 3 });
    await tenant.ok('work.task.release', { task_id: id });
    await aborted(lease!.signal);
    expect(lease!.signal.reason).toMatchObject({
      code: 'LEASE_LOST',
      message: expect.stringContaining(id),
      hint: expect.stringContaining('Stop'),
    });
    expect(await failure(lease!.complete())).toMatchObject({ code: 'LEASE_LOST' });
    const next = tenant.client();
    await using other = await next.claim({ phase_id: 1 });
    expect((await other!.complete()).task).toMatchObject({ status: 'done', assigned_agent_id: next.agentId });
  });

  it('that nobody answers for is lost at its end, not later', async () => {
    const tenant = await tenantOf('silent');
    const [id = ''] = await tenant.tasks(1);
    const lease = await tenant.client().claim({ phase_id: 1, lease_seconds: 3 });
    const ends = Date.parse(lease!.task.lease_expires_at!);
    proxy.away = true;
    try {
      await aborted(lease!.signal);
    } finally {
      proxy.away = false;
    }
    expect(Date.now()).toBeLessThan(ends + 2000);
    await eventually('another worker has it', async () => {
      await using other = await tenant.client().claim({ phase_id: 1 });
      return other?.task.id === id;
    });
  });

  it('survives an absence of the api that is shorter', async () => {
    const tenant = await tenantOf('short');
    await tenant.tasks(1);
    await using lease = await tenant.client({ retryForMs: 300 }).claim({ phase_id: 1, lease_seconds: 12 });
    proxy.away = true;
    expect(await failure(lease!.complete())).toMatchObject({ code: 'UNREACHABLE' });
    expect(lease!.held).toBe(true);
    const before = proxy.calls.length;
    const until = Date.now() + 4500;
    await eventually('a heartbeat has failed', async () => Date.now() > until);
    proxy.away = false;
    await eventually('a heartbeat has come', async () =>
      proxy.calls.slice(before).some((call) => call.tool === 'work.task.heartbeat' && call.status === 200),
    );
    expect((await lease!.complete()).task.status).toBe('done');
  });

  it('is never shared by workers', async () => {
    const tenant = await tenantOf('many');
    const made = await tenant.tasks(24);
    const worked: string[] = [];
    const work = async (client: Client.Signalbox): Promise<void> => {
      for (;;) {
        await using lease = await client.claim({ phase_id: 1 });
        if (!lease) return;
        worked.push(lease.task.id);
        await lease.complete(client.agentId);
      }
    };
    proxy.loseAnswers('work.task.claim', 3);
    proxy.loseAnswers('work.task.complete', 3);
    await Promise.all(Array.from({ length: 4 }, () => work(tenant.client())));
    expect(worked.toSorted()).toEqual(made.toSorted());
  });
});

describe('events', () => {
  it('come in order, and none is lost while the api is away', async () => {
    const tenant = await tenantOf('events');
    const ended = new AbortController();
    const heard: Client.Event[] = [];
    const begun = proxy.calls.length;
    const listening = (async () => {
      for await (const event of tenant.client().events({ types: ['work.task_changed'], signal: ended.signal })) heard.push(event);
    })();
    await eventually('it listens', async () => proxy.calls.slice(begun).some(({ tool }) => tool === 'event.stream.subscribe'));
    const [first = ''] = await tenant.tasks(1);
    await eventually('the first is heard', async () => heard.length === 1);
    proxy.away = true;
    const [second = ''] = await tenant.tasks(1);
    proxy.away = false;
    await eventually('the second is heard', async () => heard.length === 2);
    ended.abort();
    await listening;
    expect(heard.map(({ subject }) => subject)).toEqual([first, second]);

    const missed: string[] = [];
    for await (const event of tenant.client().events({ types: ['work.task_changed'], after: heard[0]!.id })) {
      missed.push(event.subject);
      break;
    }
    expect(missed).toEqual([second]);
  });
});
