/** Starts the whole stack: parts, Postgres, Temporal, migrations, api and worker. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, readRuntime, type Runtime, runtimeFile } from '../config.ts';
import { consoleAddress } from '../console-address.ts';
import { startNodeChild } from './child.ts';
import { stopLeftovers } from './leftovers.ts';
import { takeLock } from './lock.ts';
import {
  type AcquireOptions,
  acquireEmbeddingModel,
  acquireNode,
  acquirePostgres,
  acquireTemporal,
  cacheFolder,
  noModelRuntime,
} from './parts.ts';
import { freePort, onFreePorts } from './ports.ts';
import { clusterMajor, startPostgres } from './postgres.ts';
import { fileSize, isAlive, isRoot, logSince, messageOf, openLog, type Running, stackError, until } from './process.ts';
import { createSupervisor, rotateLog, type Supervisor } from './supervisor.ts';
import { startTemporal } from './temporal.ts';

/** Dependencies of `up` on the rest of the product, passed in so that this folder does not import it. */
export interface UpOptions {
  /** Migrates the database. */
  migrate(ownerUrl: string): Promise<{ applied: string[] }>;
  /** Creates or finds the key of this machine's user. */
  ensureLocalKey(appUrl: string): Promise<{ api_key: string; tenant: string }>;
  /** Receives one line per step, and per crash and restart later on. */
  onProgress?: (line: string) => void;
  /** Aborts a running start: started processes are stopped, and `up` rejects. Afterwards use `stop`. */
  signal?: AbortSignal;
  /** The address at which api and worker find the database, e.g. that of a pooler before it; default: its own. */
  through?: (appUrl: string) => Promise<string>;
  /** Entry files, for tests; default api/main.ts and workers/main.ts of this checkout. */
  entries?: { api: string; worker: string };
}

export interface Stack {
  runtime: Runtime;
  /** Stops everything in order and removes runtime.json. Safe to call twice. */
  stop(): Promise<void>;
  /** Resolves when everything has been stopped. */
  wait(): Promise<void>;
}

const defaultEntries = {
  api: fileURLToPath(new URL('../../api/main.ts', import.meta.url)),
  worker: fileURLToPath(new URL('../../workers/main.ts', import.meta.url)),
};

interface Context {
  config: Config;
  dir: string;
  parts: AcquireOptions;
  taken: Set<number>;
  supervisor: Supervisor;
  progress: (line: string) => void;
}

/**
 * Starts the stack of `config.SIGNALBOX_DATA_DIR` in this process and resolves when all of it is ready. A configured
 * database or Temporal is used and not started.
 * @throws AppError when the folder is in use, a part cannot be obtained, or a child does not start; started processes
 * are stopped
 */
export async function up(config: Config, options: UpOptions): Promise<Stack> {
  const progress = options.onProgress ?? (() => {});
  const dir = resolve(config.SIGNALBOX_DATA_DIR);
  await makeDataFolder(dir, config.DATABASE_URL === undefined);
  const release = await takeLock(dir);
  const write = { queue: Promise.resolve() };
  let runtime: Runtime | undefined;
  const supervisor = createSupervisor({
    stopOrder: ['api', 'worker', 'temporal', 'postgres'],
    onEvent: progress,
    onRestart: () => {
      if (runtime === undefined) return;
      runtime.pids = { supervisor: process.pid, ...supervisor.pids() };
      void writeRuntime(config, runtime, write);
    },
  });
  const cleanUp = async (): Promise<void> => {
    await supervisor.stop();
    await write.queue;
    await rm(runtimeFile(config), { force: true });
    await release();
  };
  try {
    await stopLeftovers(config, progress);
    const parts = { cacheDir: cacheFolder(config), onProgress: progress, partsUrl: config.SIGNALBOX_PARTS_URL };
    const context: Context = { config, dir, parts, taken: new Set(), supervisor, progress };
    runtime = await unlessAborted(startAll(context, options), options.signal);
    runtime.pids = { supervisor: process.pid, ...supervisor.pids() };
    await writeRuntime(config, runtime, write);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  let stopped: Promise<void> | undefined;
  let announce = (): void => {};
  const done = new Promise<void>((resolveDone) => (announce = resolveDone));
  return {
    runtime,
    stop: () => (stopped ??= cleanUp().finally(() => announce())),
    wait: () => done,
  };
}

/** Rejects as soon as the signal aborts; the caller then stops all processes, which ends the work too. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((done, fail) => {
    const leave = (): void => fail(stackError('The start was interrupted.'));
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(done, fail).finally(() => signal.removeEventListener('abort', leave));
  });
}

async function startAll(context: Context, options: UpOptions): Promise<Runtime> {
  const { config, dir, progress, supervisor } = context;
  const port = await freePort(config.MCP_SERVER_PORT, { name: 'the api', taken: context.taken, onMoved: progress });
  const [database, temporal, model, node] = await allOrFirstError([
    startDatabase(context, options),
    startProcesses(context),
    findModel(context),
    acquireNode(context.parts),
  ]);
  const wildcard = ['0.0.0.0', '::', ''].includes(config.MCP_SERVER_HOST);
  const api = `http://${wildcard ? '127.0.0.1' : config.MCP_SERVER_HOST}:${port}`;
  const databaseUrl = (await options.through?.(database.appUrl)) ?? database.appUrl;
  const env = {
    SIGNALBOX_DATA_DIR: dir,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_UI_URL: temporal.uiUrl,
    EMBEDDING_MODEL_DIR: model,
    ...(config.EMBEDDING_FORMER_MODEL_DIR ? { EMBEDDING_FORMER_MODEL_DIR: resolve(config.EMBEDDING_FORMER_MODEL_DIR) } : {}),
    MCP_SERVER_PORT: String(port),
    ...(config.A2A_ENDPOINT_URL === undefined ? { A2A_ENDPOINT_URL: api } : {}),
    // For local feeds, webhooks and agents; no other service of the stack listens on these ports.
    ...(config.PRIVATE_TARGETS.length === 0 ? { PRIVATE_TARGETS: '127.0.0.1:8390-8399' } : {}),
  };
  const entries = options.entries ?? defaultEntries;
  const startChild = (name: 'api' | 'worker'): Promise<Running> => {
    const log = join(dir, 'logs', `${name}.log`);
    return supervisor.start({
      name,
      log,
      start: (signal) => startNodeChild({ name, file: entries[name], node, dataDir: dir, env, log, signal }),
    });
  };
  progress('Starting api and worker');
  const [key] = await allOrFirstError([options.ensureLocalKey(database.appUrl), startChild('worker'), startChild('api')]);
  return {
    api,
    mcp: `${api}/mcp`,
    a2a: `${api}/a2a`,
    console: consoleAddress(api),
    docs: `${api}/docs`,
    temporal: temporal.address,
    temporal_ui: temporal.uiUrl,
    database_url: databaseUrl,
    database_owner_url: database.ownerUrl,
    api_key: key.api_key,
    tenant: key.tenant,
    pids: {},
  };
}

async function startDatabase(context: Context, options: UpOptions): Promise<{ ownerUrl: string; appUrl: string }> {
  const { config, dir, progress, supervisor } = context;
  let urls = { appUrl: config.DATABASE_URL ?? '', ownerUrl: config.DATABASE_OWNER_URL ?? config.DATABASE_URL ?? '' };
  if (config.DATABASE_URL === undefined) {
    const folder = join(dir, 'postgres');
    const major = clusterMajor(folder);
    const binDir = await acquirePostgres({ ...context.parts, ...(major === undefined ? {} : { major }) });
    progress(major === undefined ? 'Making the database' : 'Starting Postgres');
    const log = join(dir, 'logs', 'postgres.log');
    const start = onFreePorts([{ name: 'Postgres', port: config.POSTGRES_PORT }], { taken: context.taken, onMoved: progress }, ([port]) =>
      startPostgres({ binDir, dir: folder, port: port!, log }),
    );
    urls = await supervisor.start({ name: 'postgres', log, start });
  }
  const { applied } = await options.migrate(urls.ownerUrl);
  if (applied.length > 0) progress(`Database: ${applied.length} migration${applied.length === 1 ? '' : 's'} applied`);
  return urls;
}

async function startProcesses(context: Context): Promise<{ address: string; uiUrl: string }> {
  const { config, dir, progress, supervisor } = context;
  if (config.TEMPORAL_ADDRESS !== undefined) return { address: config.TEMPORAL_ADDRESS, uiUrl: config.TEMPORAL_UI_URL ?? '' };
  const binary = await acquireTemporal(context.parts);
  progress('Starting Temporal');
  const log = join(dir, 'logs', 'temporal.log');
  const start = onFreePorts(
    [
      { name: 'Temporal', port: config.TEMPORAL_PORT },
      { name: "Temporal's UI", port: config.TEMPORAL_UI_PORT },
    ],
    { taken: context.taken, onMoved: progress },
    ([port, uiPort]) =>
      startTemporal({ binary, dir: join(dir, 'temporal'), port: port!, uiPort: uiPort!, log, namespace: config.TEMPORAL_NAMESPACE }),
  );
  const temporal = await supervisor.start({ name: 'temporal', log, start });
  if (temporal.uiUrl === '') progress("Temporal's UI is not started: all its possible ports are taken");
  return temporal;
}

/** @returns the model's folder, or "none": search then matches words only. */
async function findModel(context: Context): Promise<string> {
  const given = context.config.EMBEDDING_MODEL_DIR;
  if (given !== undefined) return given === 'none' ? given : resolve(given);
  const noRuntime = noModelRuntime();
  const model = noRuntime === null ? await acquireEmbeddingModel(context.parts) : { dir: null, reason: `${noRuntime}.` };
  if (model.dir === null) context.progress(`WARNING: no embedding model, search matches words only (BM25): ${model.reason}`);
  return model.dir ?? 'none';
}

/** Like Promise.all, but waits for all: a process that still starts while an error is handled could not be stopped. */
async function allOrFirstError<T extends readonly Promise<unknown>[] | []>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

async function makeDataFolder(dir: string, holdsPostgres: boolean): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // Nobody may list it; Postgres, another user for root, may enter.
    await chmod(dir, holdsPostgres && isRoot() ? 0o711 : 0o700);
    await mkdir(join(dir, 'logs'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw stackError(
      `Cannot use the data folder ${dir}: ${messageOf(error)}.`,
      'Set SIGNALBOX_DATA_DIR to a folder you may write to.',
      error,
    );
  }
}

/** One after the other, with a rename: a reader never sees a partial file. */
function writeRuntime(config: Config, runtime: Runtime, write: { queue: Promise<void> }): Promise<void> {
  const file = runtimeFile(config);
  const temp = `${file}.${process.pid}`;
  write.queue = write.queue
    .then(() => writeFile(temp, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 }))
    .then(() => rename(temp, file))
    .catch(() => {});
  return write.queue;
}

export interface DetachedOptions {
  /** The command that runs `up` in the foreground, e.g. [process.execPath, cliFile, 'up']. */
  command: string[];
  onProgress?: (line: string) => void;
}

/**
 * Runs the supervisor in the background and resolves when the stack is ready. Its output goes to logs/supervisor.log.
 * @throws AppError with the last lines of that log when it ends first
 */
export async function upDetached(config: Config, options: DetachedOptions): Promise<Runtime> {
  const dir = resolve(config.SIGNALBOX_DATA_DIR);
  await makeDataFolder(dir, config.DATABASE_URL === undefined);
  const log = join(dir, 'logs', 'supervisor.log');
  rotateLog(log);
  let shown = fileSize(log);
  const start = shown;
  const out = openLog(log);
  const [command = '', ...args] = options.command;
  const child = spawn(command, args, { stdio: ['ignore', out, out], detached: true });
  closeSync(out);
  child.on('error', () => {});
  child.unref();
  const pid = child.pid ?? 0;
  let runtime: Runtime | null = null;
  await until(
    () => {
      if (options.onProgress && existsSync(log)) {
        const bytes = readFileSync(log).subarray(shown);
        const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
        shown += whole.length;
        for (const line of whole.toString().split('\n')) if (line.trim()) options.onProgress(line);
      }
      const written = readRuntime(config);
      runtime = written?.pids['supervisor'] === pid ? written : null;
      return runtime !== null || pid === 0 || !isAlive(pid);
    },
    900_000,
    50,
  );
  if (runtime !== null) return runtime;
  throw stackError(`Signalbox did not start.\n${logSince(log, start).trim().split('\n').slice(-12).join('\n')}`, `Its log: ${log}`);
}
