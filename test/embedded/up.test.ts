import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, readdirSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { childEnvironment, type Config, readConfig, readRuntime, type Runtime, runtimeFile } from '../../platform/config.ts';
import { eventually, removeFolder, tempFolder } from '../../platform/embedded/fixtures/help.ts';
import { isAlive, logSince, openLog, until } from '../../platform/embedded/process.ts';
import { down, status } from '../../platform/embedded/status.ts';
import { up, upDetached, type UpOptions } from '../../platform/embedded/up.ts';

const child = fileURLToPath(new URL('../../platform/embedded/fixtures/child.ts', import.meta.url));
const supervisorFile = fileURLToPath(new URL('../../platform/embedded/fixtures/supervisor.ts', import.meta.url));
let folder: string;
let config: Config;
let started: ChildProcess[] = [];

const options: UpOptions = {
  migrate: async () => ({ applied: [] }),
  ensureLocalKey: async () => ({ api_key: 'sbx_test', tenant: 'default' }),
  entries: { api: child, worker: child },
};

/** Any ports: other stacks may run on this machine. */
const environment = (): Record<string, string> => ({
  SIGNALBOX_DATA_DIR: join(folder, 'data'),
  MCP_SERVER_PORT: '0',
  POSTGRES_PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  EMBEDDING_MODEL_DIR: 'none',
});

beforeEach(async () => {
  folder = await tempFolder();
  config = readConfig(childEnvironment(environment()));
  started = [];
});
afterEach(async () => {
  await down(config);
  for (const each of started) each.kill('SIGKILL');
  await removeFolder(folder);
});

async function select(runtime: Runtime): Promise<unknown> {
  const client = new pg.Client({ connectionString: runtime.database_url });
  await client.connect();
  const { rows } = await client.query('select current_user as who');
  await client.end();
  return rows;
}

function startSupervisor(): number {
  const log = openLog(join(folder, 'supervisor.log'));
  const process = spawn(globalThis.process.execPath, [supervisorFile], {
    env: childEnvironment(environment()),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  started.push(process);
  return process.pid as number;
}

/** What all supervisors have told, and the ends of the logs of what they started. */
function told(): string {
  const logs = join(folder, 'data', 'logs');
  const files = [join(folder, 'supervisor.log'), ...(existsSync(logs) ? readdirSync(logs).map((name) => join(logs, name)) : [])];
  return files.map((file) => `${file}:\n${logSince(file, 0)}`).join('\n');
}

async function runtimeOf(supervisor: number): Promise<Runtime> {
  const isUp = (): boolean => readRuntime(config)?.pids['supervisor'] === supervisor;
  await until(() => isUp() || !isAlive(supervisor), 60_000);
  if (!isUp()) throw new Error(`The stack is not up; its supervisor ${isAlive(supervisor) ? 'runs' : 'has ended'}.\n${told()}`);
  return readRuntime(config) as Runtime;
}

test('starts everything, tells about it, restarts what crashes, stops in order', { timeout: 120_000 }, async () => {
  const stack = await up(config, options);
  const { runtime } = stack;
  expect(Object.keys(runtime.pids).sort()).toEqual(['api', 'postgres', 'supervisor', 'temporal', 'worker']);
  expect((await stat(runtimeFile(config))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(runtimeFile(config), 'utf8'))).toEqual(runtime);
  expect(runtime.mcp).toBe(`${runtime.api}/mcp`);
  expect(await select(runtime)).toEqual([{ who: 'signalbox_app' }]);

  await expect(up(config, options)).rejects.toMatchObject({
    message: expect.stringContaining(`pid ${process.pid}`) as string,
    hint: expect.stringContaining('signalbox down') as string,
  });

  const before = { ...runtime.pids };
  for (const name of ['worker', 'postgres', 'temporal']) process.kill(before[name] as number, 'SIGKILL');
  await eventually(
    'all are back in runtime.json',
    () => {
      const now = readRuntime(config)?.pids ?? {};
      return ['worker', 'postgres', 'temporal'].every((name) => now[name] !== undefined && now[name] !== before[name]);
    },
    60_000,
  );
  expect(await select(runtime)).toEqual([{ who: 'signalbox_app' }]);

  const seen = await status(config);
  expect(seen.state).toBe('up');
  expect(seen.parts.every((part) => part.running && (part.rss_bytes ?? 1) > 0)).toBe(true);

  await stack.stop();
  await stack.wait();
  expect(existsSync(runtimeFile(config))).toBe(false);
  expect(await status(config)).toMatchObject({ state: 'down', supervisor: null, parts: [] });
  expect(Object.entries(runtime.pids).filter(([name, pid]) => name !== 'supervisor' && isAlive(pid))).toEqual([]);
});

test('after a kill -9 of the supervisor its children end, and the next start works', { timeout: 120_000 }, async () => {
  const first = startSupervisor();
  const runtime = await runtimeOf(first);
  process.kill(first, 'SIGKILL');
  const ended = (): boolean => !isAlive(runtime.pids['api'] as number) && !isAlive(runtime.pids['worker'] as number);
  await eventually('api and worker end', ended, 60_000);

  const second = startSupervisor();
  const next = await runtimeOf(second);
  expect(isAlive(runtime.pids['postgres'] as number)).toBe(false);
  expect(isAlive(runtime.pids['temporal'] as number)).toBe(false);
  expect(await select(next)).toEqual([{ who: 'signalbox_app' }]);
  expect(await down(config)).toEqual({ ran: true, leftovers: [] });
  expect(isAlive(second)).toBe(false);
  expect(await down(config)).toEqual({ ran: false, leftovers: [] });
});

test('runs in the background', { timeout: 120_000 }, async () => {
  const env = Object.entries(environment()).map(([name, value]) => `${name}=${value}`);
  // Through env(1), which becomes the supervisor: the test's own process keeps its environment.
  const runtime = await upDetached(config, { command: ['env', ...env, process.execPath, supervisorFile] });
  expect(isAlive(runtime.pids['supervisor'] as number)).toBe(true);
  expect((await status(config)).state).toBe('up');
  expect((await down(config)).ran).toBe(true);
});

test('a configured database and Temporal are used and not started', { timeout: 60_000 }, async () => {
  const given = {
    ...config,
    DATABASE_URL: 'postgresql://app:x@db.invalid/name',
    DATABASE_OWNER_URL: 'postgresql://owner:x@db.invalid/name',
    TEMPORAL_ADDRESS: 'temporal.invalid:7233',
  };
  const migrated: string[] = [];
  const stack = await up(given, { ...options, migrate: async (url) => (migrated.push(url), { applied: [] }) });
  expect(migrated).toEqual([given.DATABASE_OWNER_URL]);
  expect(Object.keys(stack.runtime.pids).sort()).toEqual(['api', 'supervisor', 'worker']);
  expect(stack.runtime).toMatchObject({ temporal: given.TEMPORAL_ADDRESS, database_url: given.DATABASE_URL });
  await stack.stop();
});

test('a start that fails stops what had started and frees the folder', { timeout: 60_000 }, async () => {
  const broken = join(folder, 'broken.ts');
  await writeFile(broken, "throw new Error('cannot serve');\n");
  await expect(up(config, { ...options, entries: { api: broken, worker: child } })).rejects.toThrow(
    /api ended before it was ready[\s\S]*cannot serve/,
  );
  expect((await status(config)).state).toBe('down');
  await expect(up(config, { ...options, signal: AbortSignal.abort() })).rejects.toThrow('interrupted');
  expect((await status(config)).state).toBe('down');
});
