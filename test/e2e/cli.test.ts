/** The real command against a real, separate stack: a start, all commands as a shell user sees them, a stop, a second start. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { readConfig, readRuntime, runtimeFile, type Runtime } from '../../platform/config.ts';
import { removeFolder, tempFolder } from '../../platform/embedded/fixtures/help.ts';
import { commandLine, isAlive } from '../../platform/embedded/process.ts';
import { eventually } from '../setup/stack.ts';

const launcher = join(import.meta.dirname, '..', '..', 'cli', 'signalbox.js');

// Each command is a process of its own.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let environment: Record<string, string>;
let runtime: Runtime;

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the command to its end. `env` extends the environment; an empty value means unset. */
async function run(args: string[], options: { env?: Record<string, string>; input?: string; node?: string } = {}): Promise<Outcome> {
  const child = spawn(options.node ?? process.execPath, [launcher, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...environment, ...options.env },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(options.input ?? '');
  return await new Promise((done) => child.on('close', (code) => done({ code, out, err })));
}

/** The one JSON document of a command that must succeed. */
async function json<T = Record<string, any>>(args: string[], options: Parameters<typeof run>[1] = {}): Promise<T> {
  const { code, out, err } = await run([...args, '--json'], options);
  if (code !== 0) throw new Error(`signalbox ${args.join(' ')} ended with ${code}: ${out}${err}`);
  return JSON.parse(out) as T;
}

const runtimeNow = (): Runtime | null => readRuntime(readConfig(environment));

beforeAll(async () => {
  folder = await tempFolder();
  environment = {
    SIGNALBOX_DATA_DIR: join(folder, 'data'),
    MCP_SERVER_PORT: '0',
    TEMPORAL_PORT: '0',
    TEMPORAL_UI_PORT: '0',
    POSTGRES_PORT: '0',
    EMBEDDING_MODEL_DIR: inject('servers').modelDir ?? 'none',
    ...(process.env['SIGNALBOX_CACHE_DIR'] ? { SIGNALBOX_CACHE_DIR: process.env['SIGNALBOX_CACHE_DIR'] } : {}),
  };
});

afterAll(async () => {
  await run(['down']);
  await removeFolder(folder);
}, 120_000);

describe('without a stack', () => {
  it('helps, without loading anything heavy', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const command of [
      'up',
      'down',
      'status',
      'doctor',
      'mcp',
      'keys',
      'tools',
      'ingest',
      'search',
      'entities',
      'tasks',
      'jobs',
      'ledger',
      'connect',
    ]) {
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect((await run(['tasks', 'claim', '--help'])).out).toContain('$ signalbox tasks claim --phase 2');
  });

  it('tells wrong usage (2) from nothing running (3)', { timeout: 180_000 }, async () => {
    expect(await run(['bogus'])).toMatchObject({ code: 2, err: expect.stringContaining('bogus') as string });
    expect(await run(['tasks'])).toMatchObject({ code: 2 });
    expect(await run(['tasks', 'ls', '--status', 'bogus'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('in_progress') as string,
    });
    expect(await run(['tools', 'call', 'work.task.list', '{broken'])).toMatchObject({ code: 2 });
    expect(await run(['status'], { env: { MCP_SERVER_PORT: 'many' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('MCP_SERVER_PORT') as string,
    });
    for (const args of [['tasks', 'ls'], ['status'], ['keys', 'ls'], ['search', 'x'], ['connect', 'cursor']]) {
      expect({ args, ...(await run(args)) }).toMatchObject({ args, code: 3, err: expect.stringContaining('npm start') as string });
    }
    expect(await run(['doctor'])).toMatchObject({ code: 3, out: expect.stringContaining('npm start') as string });
    expect(await run(['tools', 'ls'], { env: { SIGNALBOX_URL: 'http://127.0.0.1:9' } })).toMatchObject({ code: 3, out: '' });
    const failed = await run(['tasks', 'ls', '--json']);
    expect(JSON.parse(failed.out)).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
    expect((await run(['down'])).code).toBe(0);
  });
});

describe('with a stack', () => {
  beforeAll(async () => {
    runtime = await json<Runtime>(['up', '--detach']);
  }, 180_000);

  it('starts in the background and tells where everything is', async () => {
    expect(runtime).toEqual(runtimeNow());
    expect(statSync(runtimeFile(readConfig(environment))).mode & 0o777).toBe(0o600);
    expect(runtime).toMatchObject({ mcp: `${runtime.api}/mcp`, tenant: 'default', api_key: expect.stringMatching(/^sb_/) as string });
    expect(Object.keys(runtime.pids).sort()).toEqual(['api', 'postgres', 'supervisor', 'temporal', 'worker']);
    const status = await json(['status']);
    expect(status['state']).toBe('up');
    expect(status['parts'].every((part: { running: boolean }) => part.running)).toBe(true);
    const { out } = await run(['status']);
    expect(out).toContain(runtime.api);
    expect(out).not.toContain('\u001b');
  });

  it('tells a second start that it is up, and starts nothing', async () => {
    for (const args of [['up'], ['up', '--detach']]) {
      const second = await run(args);
      expect(second).toMatchObject({ code: 0, out: expect.stringContaining(`already up at ${runtime.api}`) as string });
    }
    expect(await json(['up'])).toEqual(runtime);
    expect(runtimeNow()?.pids).toEqual(runtime.pids);
  });

  it('keeps the local key out of every log', async () => {
    const logs = join(environment['SIGNALBOX_DATA_DIR']!, 'logs');
    for (const log of readdirSync(logs)) expect(readFileSync(join(logs, log), 'utf8')).not.toContain(runtime.api_key);
  });

  it('finds nothing wrong', { timeout: 180_000 }, async () => {
    const { code, out } = await run(['doctor', '--json']);
    const report = JSON.parse(out) as { ok: boolean; checks: { name: string; state: string }[] };
    expect(report.checks.filter((check) => check.state === 'fail')).toEqual([]);
    expect(report.checks.map((check) => check.name)).toEqual(
      expect.arrayContaining([
        'node',
        'database',
        'migrations',
        'row security',
        'temporal',
        'search attributes',
        'workers',
        'api',
        'lost processes',
      ]),
    );
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
  });

  it('opens the console: an address that signs a browser in once', { timeout: 180_000 }, async () => {
    expect(runtime.console).toBe(`http://signalbox.localhost:${new URL(runtime.api).port}`);
    const { url, expires_in } = await json(['console', '--print']);
    expect(expires_in).toBe(60);
    const [, base, code] = /^(http:\/\/signalbox\.localhost:\d+)\/console\/sign-in#code=([\w-]{43})$/.exec(url)!;
    expect(base).toBe(runtime.console);
    const signIn = () =>
      fetch(`${runtime.api}/console/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ code }),
      });
    expect(await (await signIn()).json()).toMatchObject({ principal: 'local', tenant: 'default', role: 'admin' });
    expect((await signIn()).status).toBe(401);
    // Another address and key: no code without a valid key.
    // The address alone, for other programs.
    expect((await run(['console', '--print'])).out).toMatch(/^http:\/\/\S+\n$/);
    const refused = await run(['console', '--print'], { env: { SIGNALBOX_API_KEY: 'sb_wrong' } });
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Invalid API key')]);
  });

  it('makes, lists and revokes keys', { timeout: 180_000 }, async () => {
    const key = await json([
      'keys',
      'create',
      '--tenant',
      'acme',
      '--role',
      'agent',
      '--name',
      'builder',
      '--scopes',
      'work:read,work:write',
      '--rpm',
      '500',
      '--burst',
      '5',
    ]);
    expect(key).toMatchObject({
      api_key: expect.stringMatching(/^sb_/) as string,
      tenant: 'acme',
      role: 'agent',
      kind: 'agent',
      name: 'builder',
      scopes: ['work:read', 'work:write'],
      rpm: 500,
      burst: 5,
    });
    const listed = await run(['keys', 'ls', '--tenant', 'acme']);
    expect(listed.out).toContain(key['key_id']);
    expect(listed.out).not.toContain(key['api_key']);
    const env = { SIGNALBOX_API_KEY: key['api_key'] as string };
    expect((await run(['tasks', 'ls'], { env })).code).toBe(0);
    expect(await run(['search', 'x'], { env })).toMatchObject({ code: 4, err: expect.stringContaining('FORBIDDEN') as string });
    expect((await run(['keys', 'revoke', key['key_id'], '--tenant', 'acme'])).code).toBe(0);
    const refused = await eventually('the revoked key is refused', async () => {
      const attempt = await run(['tasks', 'ls'], { env });
      return attempt.code === 4 && attempt;
    });
    expect(refused.err).toContain('UNAUTHORIZED');
    expect(await run(['keys', 'create', '--tenant', 'acme', '--role', 'emperor'])).toMatchObject({ code: 2 });
    expect(await run(['keys', 'create', '--tenant', 'Not A Name', '--role', 'pm'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('tenant') as string,
    });
    expect(await run(['keys', 'revoke', 'key_none'])).toMatchObject({ code: 1, err: expect.stringContaining('NOT_FOUND') as string });
  });

  it('makes keys for a time and for some tools, and rotates them', { timeout: 180_000 }, async () => {
    const acme = ['--tenant', 'acme'];
    const key = await json(['keys', 'create', ...acme, '--role', 'agent', '--expires', '90d', '--capability', 'cap:work']);
    expect(key).toMatchObject({ capabilities: ['cap:work'], team: null, last_used_at: null });
    expect(Date.parse(key['expires_at']) - Date.now()).toBeGreaterThan(89 * 86_400_000);
    const fresh = await json(['keys', 'rotate', key['key_id'], ...acme, '--grace', '1h']);
    expect(fresh).toMatchObject({ api_key: expect.stringMatching(/^sb_/) as string, replaces: key['key_id'], capabilities: ['cap:work'] });
    for (const { api_key } of [key, fresh])
      expect((await run(['tasks', 'ls'], { env: { SIGNALBOX_API_KEY: api_key as string } })).code).toBe(0);
    const teamed = await json(['keys', 'create', ...acme, '--role', 'stakeholder', '--team', 'sales']);
    expect(teamed).toMatchObject({ team: 'sales' });
    expect(await run(['tasks', 'ls'], { env: { SIGNALBOX_API_KEY: teamed['api_key'] as string } })).toMatchObject({
      code: 4,
      err: expect.stringContaining('access.stakeholder.configure') as string,
    });
    expect(await run(['keys', 'rotate', key['key_id'], ...acme])).toMatchObject({
      code: 1,
      err: expect.stringContaining(fresh['key_id']) as string,
    });
    const listed = await run(['keys', 'ls', ...acme]);
    expect(listed.out).toMatch(/last used/);
    for (const wrong of ['soon', '0d', '-1h', '5000d'])
      expect((await run(['keys', 'create', ...acme, '--role', 'agent', '--expires', wrong])).code).toBe(2);
  });

  it('sends the local key to the local stack only', async () => {
    const elsewhere = await json(['connect', 'cursor'], { env: { SIGNALBOX_URL: 'http://signalbox.invalid:8080' } });
    expect(JSON.stringify(elsewhere)).not.toContain(runtime.api_key);
    const here = await json(['connect', 'cursor'], { env: { SIGNALBOX_URL: runtime.api.replace('127.0.0.1', 'localhost') } });
    expect(JSON.stringify(here)).toContain(runtime.api_key);
  });

  it('lists, describes and calls tools', { timeout: 180_000 }, async () => {
    const all = await json<{ tools: { name: string }[] }>(['tools', 'ls']);
    const core = await json<{ tools: { name: string }[] }>(['tools', 'ls', '--profile', 'core']);
    expect(all.tools.length).toBeGreaterThan(core.tools.length);
    expect(core.tools.map((tool) => tool.name)).toContain('work.task.claim');
    expect(await run(['tools', 'ls', '--profile', 'bogus'])).toMatchObject({ code: 1, err: expect.stringContaining('core') as string });
    expect(await json(['tools', 'describe', 'claim_task'])).toMatchObject({ name: 'claim_task', alias_of: 'work.task.claim' });
    expect((await run(['tools', 'describe', 'work.task.claim'])).out).toContain('lease_seconds');

    writeFileSync(join(folder, 'arguments.json'), '{"domain": "work"}');
    for (const [given, input] of [
      ['{"domain": "work"}', ''],
      ['@arguments.json', ''],
      ['-', '{"domain": "work"}'],
    ] as const) {
      const envelope = await json(['tools', 'call', 'system.tool.list', given], { input });
      expect(envelope).toMatchObject({
        status: 'success',
        data: { domains: [{ domain: 'work' }] },
        tool_call_id: expect.any(String) as string,
      });
    }
    expect(JSON.parse((await run(['tools', 'call', 'system.tool.list'])).out)).toHaveProperty('domains');
    const failed = await run(['tools', 'call', 'work.task.gte', '{}', '--json']);
    expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('work.task.get') as string });
    expect(JSON.parse(failed.out)).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
    expect(await run(['tools', 'call', 'work.task.list'], { env: { SIGNALBOX_API_KEY: 'sb_wrong' } })).toMatchObject({ code: 4 });
  });

  it('takes a task from filing to done', { timeout: 180_000 }, async () => {
    const create = [
      'tasks',
      'create',
      'Lay the cable',
      '--phase',
      '2',
      '--priority',
      'high',
      '--tags',
      'harbour',
      '--idempotency-key',
      'cli-1',
    ];
    const { task } = await json(create);
    expect((await json(create))['task'].id).toBe(task.id);
    const { task: waiting } = await json(['tasks', 'create', 'Test the cable', '--phase', '3', '--blocked-by', task.id]);
    expect(waiting.status).toBe('blocked');
    expect((await run(['tasks', 'claim'])).code).toBe(2);
    const { task: claimed } = await json(['tasks', 'claim', '--phase', '2', '--agent-id', 'layer-1']);
    expect(claimed).toMatchObject({ id: task.id, assigned_agent_id: 'layer-1', fencing_token: 1 });
    expect(await json(['tasks', 'claim', '--phase', '2', '--agent-id', 'layer-2'])).toEqual({ task: null });
    expect(await run(['tasks', 'complete', task.id, '--token', '9', '--agent-id', 'layer-1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('CONFLICT') as string,
    });
    const completed = await json(['tasks', 'complete', task.id, '--token', '1', '--result', 'Laid', '--agent-id', 'layer-1']);
    expect(completed).toMatchObject({ task: { status: 'done' }, unblocked_tasks: [waiting.id] });
    expect((await run(['tasks', 'get', task.id])).out).toMatch(/result\s+Laid/);
    await json(['tasks', 'claim', '--phase', '3', '--agent-id', 'tester-1']);
    const ready = ['tasks', 'ready', waiting.id, '--agent-id', 'tester-1'];
    expect(await run(ready)).toMatchObject({ code: 4, err: expect.stringContaining('token') as string });
    expect((await run([...ready, '--token', '1'])).out).toContain(`${waiting.id} is ready.`);
    expect((await json(['tasks', 'ls', '--tags', 'harbour']))['tasks']).toHaveLength(1);
    expect((await run(['tasks', 'board'])).out).toContain('Test the cable');
    const refused = await eventually('the ledger has the refusal', async () => {
      const { events } = await json<{ events: { error_code: string; tool: string }[] }>([
        'ledger',
        '--since',
        '1h',
        '--type',
        'failed',
        '--principal',
        'layer-1',
      ]);
      return events.length > 0 && events;
    });
    expect(refused).toMatchObject([{ error_code: 'CONFLICT', tool: 'work.task.complete' }]);
  });

  it('shapes tasks: a plan from a text, edits, a graph, a cancel', { timeout: 180_000 }, async () => {
    const plan = '# Harbour\n- Dig the trench\n- Lay the cable (after Dig the trench)\n';
    expect((await run(['tasks', 'plan', '-', '--by-rules'], { input: plan })).out).toContain('Lay the cable');
    const { tasks } = await json(['tasks', 'plan', '-', '--by-rules', '--accept'], { input: plan });
    const [dig, lay] = (tasks as { task_id: string }[]).map(({ task_id }) => task_id) as [string, string];
    expect(await json(['tasks', 'edit', dig, '--title', 'Dig', '--expected-rev', '0'])).toMatchObject({
      task: { title: 'Dig', edit_rev: 1 },
    });
    expect((await run(['tasks', 'edit', dig, '--title', 'No', '--expected-rev', '0'])).err).toContain('edit_rev is 1');
    expect((await run(['tasks', 'move', dig])).code).toBe(2);
    expect((await run(['tasks', 'move', dig, '--priority', 'high'])).out).toContain('priority high');
    expect((await run(['tasks', 'assign', dig, 'digger'])).out).toContain('reserved for digger');
    expect((await run(['tasks', 'graph', lay])).out).toMatch(new RegExp(`waits for\\n└─ ${dig} ready Dig`));
    expect((await run(['tasks', 'cancel', dig])).err).toContain(lay);
    expect((await run(['tasks', 'cancel', dig, '--free'])).out).toContain(`Now ready: ${lay}`);
    expect((await run(['tasks', 'delete', lay, '--reason', 'Done by others'])).out).toContain('is deleted');
    expect((await run(['tasks', 'get', lay])).code).not.toBe(0);
  });

  it('takes files in and finds what they say', { timeout: 180_000 }, async () => {
    const file = join(folder, 'call.vtt');
    writeFileSync(
      file,
      'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ana Ruiz>The turnstile jams whenever it freezes.\n\n00:00:05.000 --> 00:00:08.000\n<v Ole Berg>Then we heat the axle.\n',
    );
    const { sources } = await json<{ sources: Record<string, unknown>[] }>(['ingest', file, '--tags', 'winter']);
    expect(sources).toMatchObject([{ file, source_id: expect.any(String) as string, chunk_count: expect.any(Number) as number }]);
    expect(await run(['jobs', 'get', String(sources[0]?.['job_id'])])).toMatchObject({
      code: 0,
      out: expect.stringContaining('completed') as string,
    });
    const { hits } = await json<{ hits: { metadata: { place: { speaker: string } } }[] }>([
      'search',
      'turnstile',
      'freezes',
      '--tags',
      'winter',
    ]);
    expect(hits[0]?.metadata.place).toMatchObject({ speaker: 'Ana Ruiz', start_time: '00:00:01.000' });
    expect((await run(['search', 'turnstile freezes'])).out).toContain('00:00:01, Ana Ruiz');
    expect(await run(['ingest', join(folder, 'absent.md')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('absent.md') as string,
    });
    expect(await run(['jobs', 'cancel', 'job_none'])).toMatchObject({ code: 1 });
    const recounted = await json<Record<string, number>>(['recount']);
    expect(recounted).toMatchObject({ corrected: 0, signals: expect.any(Number) as number });
    expect((await run(['recount'])).out).toMatch(new RegExp(`counts +${recounted['counts']}`));
  });

  it('writes a client configuration beside what is there', async () => {
    const file = join(folder, '.mcp.json');
    writeFileSync(file, '{"mcpServers": {"other": {"command": "x"}}, "kept": true}');
    const { backup } = await json<{ backup: string }>(['connect', 'claude-code', '--write', '--profile', 'devflow']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: {
        other: { command: 'x' },
        signalbox: {
          type: 'http',
          url: `${runtime.mcp}/p/devflow`,
          headers: { 'X-API-Key': runtime.api_key, 'X-Agent-Id': expect.stringMatching(/^claude-code@[\w.-]+\/[\w.-]+$/) as string },
        },
      },
      kept: true,
    });
    expect(JSON.parse(readFileSync(backup, 'utf8'))).toHaveProperty('kept');
    writeFileSync(join(folder, 'opencode.json'), '// mine\n{}');
    expect((await run(['connect', 'opencode', '--write'])).code).toBe(1);
    expect(readFileSync(join(folder, 'opencode.json'), 'utf8')).toBe('// mine\n{}');
    expect((await run(['completion', 'bash'])).out).toContain('complete -o bashdefault -F _signalbox signalbox');
  });

  it('stops everything, and the next start has it all again', { timeout: 120_000 }, async () => {
    const pids = Object.values(runtime.pids);
    expect((await run(['down'])).code).toBe(0);
    expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
    const ours = readdirSync('/proc').filter(
      (name) => /^\d+$/.test(name) && commandLine(Number(name))?.includes(environment['SIGNALBOX_DATA_DIR']!),
    );
    expect(ours).toEqual([]);
    expect(runtimeNow()).toBeNull();
    expect((await run(['status'])).code).toBe(3);

    const again = await json<Runtime>(['up', '--detach']);
    expect(again.api_key).toBe(runtime.api_key);
    const { tasks } = await json<{ tasks: { status: string; description: string }[] }>(['tasks', 'ls']);
    expect(tasks.map((task) => `${task.description}: ${task.status}`)).toEqual(['Lay the cable: done', 'Test the cable: ready']);
    const { task } = await json(['tasks', 'claim', '--phase', '3']);
    expect(task).toMatchObject({ description: 'Test the cable', fencing_token: 2 });
    expect((await json<{ hits: unknown[] }>(['search', 'turnstile']))['hits'].length).toBeGreaterThan(0);
  });
});
