/** The package `signalbox-client` in real Python programs, with a real stack. Skipped, with a message, where Python is missing. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClientStack, internalError, pendingApproval, type Tenant } from '../setup/clients.ts';
import { pythonWith, runSteps, type Python } from '../setup/python.ts';
import { eventually } from '../setup/stack.ts';

const found = await pythonWith(join(import.meta.dirname, 'requirements.txt'));
const python = found as Python;
const source = resolve(import.meta.dirname, '../../clients/python');
let api: ClientStack;

// Python starts slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

beforeAll(async () => {
  if (found) api = await ClientStack.start();
}, 120_000);
afterAll(async () => await api?.stop());

type Steps = Parameters<typeof runSteps>[2]['steps'];

const scenario = <T = Record<string, any>>({ apiKey }: Tenant, [name = '', ...more]: string[], steps: Steps = {}): Promise<T> =>
  runSteps<T>(python, [join(import.meta.dirname, 'scenarios.py'), name, ...more], {
    env: { SIGNALBOX_URL: api.proxy.url, SIGNALBOX_API_KEY: apiKey },
    steps,
  });

describe.skipIf(!found)('the package', () => {
  it('has the version of this release, and builds all models', async () => {
    const { version } = JSON.parse(readFileSync(resolve(source, '../../package.json'), 'utf8')) as { version: string };
    expect(readFileSync(join(source, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`);
    const program = [
      'import importlib, json, pkgutil, signalbox_client.tools as tools',
      'from signalbox_client import Answer, Call',
      'modules = [importlib.import_module(f"signalbox_client.tools.{found.name}") for found in pkgutil.iter_modules(tools.__path__)]',
      'models = [model for module in modules for model in vars(module).values() if isinstance(model, type) and model.__module__ == module.__name__]',
      'for model in models: model.model_rebuild(raise_errors=True)',
      'print(json.dumps({"calls": sorted(model.tool for model in models if issubclass(model, Call))}))',
    ];
    const { calls } = await runSteps<{ calls: string[] }>(python, ['-W', 'error', '-c', program.join('\n')], {});
    const { tools } = await import('../../tools/index.ts');
    expect(calls).toEqual(tools.map(({ name }) => name).toSorted());
  });

  it('does what its README shows', async () => {
    const [, program = ''] = /```python\n([^]*?)```/.exec(readFileSync(join(source, 'README.md'), 'utf8')) ?? [];
    const tenant = await api.tenant('readme');
    const env = { ...process.env, ...python.env, SIGNALBOX_URL: api.proxy.url, SIGNALBOX_API_KEY: tenant.apiKey };
    const { stdout } = await promisify(execFile)(python.command, ['-c', program], { env });
    expect(stdout.trim()).toBe('Working on Write the release notes');
    expect((await tenant.ok('work.task.list', { details: true })).tasks).toMatchObject([
      { description: 'Write the release notes', status: 'done' },
    ]);
  });
});

describe.skipIf(!found)('calls from Python', () => {
  it('answer with models, with JSON, and page by page', async () => {
    const tenant = await api.tenant('calls');
    const said = await scenario(tenant, ['calls'], { 'four more': () => tenant.tasks(4) });
    expect(said['made'].task).toMatchObject({ description: 'One', tags: ['a'], created_by: said['agent_id'], phase_id: 1 });
    expect(said).toMatchObject({ pages: [2, 2, 1], envelope: ['success', 2, 2], other: 'builders' });
    expect(said['by_name'].task.id).toBe(said['made'].task.id);
  });

  it('say what is wrong, once', async () => {
    api.proxy.answerInstead('graph.store.clear', [pendingApproval]);
    const before = api.proxy.calls.length;
    const { wrong, missing, gated, address } = await scenario(await api.tenant('refused'), ['refused']);
    expect(wrong).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'Invalid API key',
      hint: expect.stringContaining('X-API-Key'),
      retryable: false,
    });
    expect(missing).toMatchObject({ code: 'NOT_FOUND', tool_call_id: expect.any(String), retryable: false });
    expect(gated).toMatchObject({ code: 'PENDING_APPROVAL', details: { approval_id: 'apr_1' } });
    expect(address).toContain('begins with http');
    expect(api.proxy.calls.slice(before).map(({ status }) => status)).toEqual([401, 404]);
  });

  it('are repeated once under the same key when only the answer was lost', async () => {
    const tenant = await api.tenant('lost');
    api.proxy.loseAnswers('work.task.create', 1);
    const before = api.proxy.calls.length;
    const { id } = await scenario(tenant, ['lost_answer']);
    const made = api.proxy.calls.slice(before);
    expect([made.length, new Set(made.map(({ key }) => key)).size, made[0]!.key?.length]).toEqual([2, 1, 36]);
    expect((await tenant.ok('work.task.list')).tasks.map((task: { id: string }) => task.id)).toEqual([id]);
  });

  it('wait as long as they are told to, and not longer than they may', async () => {
    const instead = (...answers: Parameters<typeof api.proxy.answerInstead>[1]) => api.proxy.answerInstead('work.phase.list', answers);
    instead({ status: 429, headers: { 'retry-after': '1' }, body: 'slow down' }, { status: 503, body: '' });
    const said = await scenario(await api.tenant('limited'), ['limited'], {
      'for an hour': () => instead({ status: 429, headers: { 'retry-after': '3600' }, body: '' }),
      'something else': () => instead({ status: 200, body: '<html>' }),
    });
    expect(said['phases']).toBeGreaterThan(0);
    expect(said['waited']).toBeGreaterThan(1);
    expect(said['hour']).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retry_after_seconds: 3600 });
    expect(said['else']).toMatchObject({ code: 'INTERNAL', hint: expect.stringContaining('address') });
  });

  it('outlast an api that is away', async () => {
    const tenant = await api.tenant('away');
    const said = await scenario(tenant, ['away'], { 'stop the api': () => api.stopApi(), 'start the api': () => api.startApi() });
    expect(said).toMatchObject({ refused: { code: 'UNREACHABLE', retryable: true }, made: 'Later' });
    expect((await tenant.ok('work.task.list')).tasks).toHaveLength(1);
  });
});

describe.skipIf(!found)('a lease in Python', () => {
  it('is kept while the work takes longer, and completes', async () => {
    const tenant = await api.tenant('kept');
    const [id = ''] = await tenant.tasks(1);
    api.proxy.answerInstead('work.task.heartbeat', [internalError]);
    const said = await scenario(tenant, ['kept'], {
      async 'outlive the lease'({ until }) {
        api.proxy.loseAnswers('work.task.complete', 1);
        const old = Date.parse(until as string) + 1000;
        await eventually('it is older than its lease', async () => Date.now() > old && (await tenant.task(id))['progress'] === 'half');
      },
    });
    expect(said).toMatchObject({ second: { code: 'CONFLICT', details: { task_id: id } }, held: true, after: [false, 'CONFLICT', true] });
    expect(said['done'].task).toMatchObject({ id, status: 'done', result: 'done' });
  });

  it('gives the task back when the body fails or is cancelled, and reports failures', async () => {
    const tenant = await api.tenant('left');
    const [id = ''] = await tenant.tasks(1);
    const said = await scenario(tenant, ['left'], { look: () => tenant.task(id) });
    expect(said).toEqual({ raised: `broke in ${id}`, cancelled: 'CancelledError', seen: ['ready', 'ready'], failed: 'no access' });
  });

  it('is found again by a worker of the same name', async () => {
    const tenant = await api.tenant('resumed');
    await tenant.tasks(2);
    expect(await scenario(tenant, ['resumed'])).toEqual([false, true, true]);
  });

  it('that was taken away cancels the body', async () => {
    const tenant = await api.tenant('taken');
    const [id = ''] = await tenant.tasks(1);
    const said = await scenario(tenant, ['lost_lease', 'take it away'], {
      'take it away': () => tenant.ok('work.task.release', { task_id: id }),
      'it is over': () => null,
    });
    expect(said).toMatchObject({ seen: ['cancelled', 'LEASE_LOST'], left: 0, then: 'done' });
    expect(said['lost']).toMatchObject({ code: 'LEASE_LOST', message: expect.stringContaining(id), hint: expect.stringContaining('Stop') });
  });

  it('that nobody answers for is lost at its end', async () => {
    const tenant = await api.tenant('silent');
    await tenant.tasks(1);
    const said = await scenario(tenant, ['lost_lease', 'nobody answers'], {
      'nobody answers': () => void (api.proxy.away = true),
      'it is over': () => void (api.proxy.away = false),
    });
    expect(said).toMatchObject({ lost: { code: 'LEASE_LOST' }, seen: ['cancelled', 'LEASE_LOST'], left: 0, then: 'done' });
  });

  it('that is lost while the body ignores its cancellation is an error at its end', async () => {
    const tenant = await api.tenant('unaware');
    const [id = ''] = await tenant.tasks(1);
    const said = await scenario(tenant, ['unaware'], { 'take it away': () => tenant.ok('work.task.release', { task_id: id }) });
    expect(said).toEqual({ lost: 'LEASE_LOST' });
  });

  it('is never shared by workers', async () => {
    const tenant = await api.tenant('many');
    const made = await tenant.tasks(24);
    api.proxy.loseAnswers('work.task.claim', 3);
    api.proxy.loseAnswers('work.task.complete', 3);
    expect(await scenario(tenant, ['many'])).toEqual(made.toSorted());
  });
});

describe.skipIf(!found)('events in Python', () => {
  it('come in order, and none is lost while the api is away', async () => {
    const tenant = await api.tenant('events');
    const told: string[] = [];
    const begun = api.proxy.calls.length;
    const said = await scenario(tenant, ['events'], {
      async 'two with a break'() {
        await eventually('it listens', async () => api.proxy.calls.slice(begun).some(({ tool }) => tool === 'event.stream.subscribe'));
        told.push(...(await tenant.tasks(1)));
        api.proxy.away = true;
        told.push(...(await tenant.tasks(1)));
        api.proxy.away = false;
      },
    });
    expect(said).toEqual({ heard: told, missed: told[1] });
  });
});
