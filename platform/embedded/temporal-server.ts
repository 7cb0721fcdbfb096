/**
 * Temporal's real server, as people run it in clusters: built from its Go modules, with its records in Postgres. For
 * trying and testing; `npm start` uses the development server.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { freePort } from './ports.ts';
import { fileSize, logSince, run, type Running, spawnServer, stackError } from './process.ts';
import { runStep } from './step.ts';
import type { TemporalQuestion } from './temporal-answers.ts';

const version = '1.29.2';
const programs = ['server', 'sql'] as const;
const folderName = `temporal-server-${version}-${process.platform}-${process.arch}`;
const buildTimeoutMs = 1_800_000;

/**
 * Builds the server once and keeps it in the cache folder.
 * @returns the folder with `server` and `sql`, the tool for its schema
 * @throws AppError when there is no Go, or it does not build
 */
export async function acquireTemporalServer(cacheDir: string, onProgress: (line: string) => void = () => {}): Promise<string> {
  const target = join(cacheDir, folderName);
  if (programs.every((name) => existsSync(join(target, name)))) return target;
  const go = await run('go', ['version'], { timeoutMs: 30_000 });
  if (go.code !== 0)
    throw stackError(
      "Cannot build Temporal's server: there is no Go.",
      'Install Go 1.24 or newer (https://go.dev/dl), and repeat the command.',
    );
  await mkdir(cacheDir, { recursive: true });
  const temp = await mkdtemp(join(cacheDir, `.tmp-${folderName}-`));
  try {
    onProgress(`Building Temporal ${version} from its Go modules; this takes some minutes, once`);
    const modules = ['cmd/server', 'cmd/tools/sql'].map((path) => `go.temporal.io/server/${path}@v${version}`);
    const built = await run('env', [`GOBIN=${temp}`, 'CGO_ENABLED=0', 'go', 'install', '-p', '2', ...modules], {
      timeoutMs: buildTimeoutMs,
    });
    if (built.code === null)
      throw stackError(
        `Temporal's server was not built within ${buildTimeoutMs / 60_000} minutes.`,
        'Repeat the command: it goes on where it was.',
      );
    if (built.code !== 0)
      throw stackError(`Temporal's server does not build: ${built.output.trim().slice(-600)}`, 'Check the network, and `go env GOPROXY`.');
    await chmod(temp, 0o755);
    await rename(temp, target).catch(async (error: unknown) => {
      // Another process has built it meanwhile.
      if (!existsSync(join(target, 'server'))) throw error;
    });
    return target;
  } finally {
    await rm(temp, { recursive: true, force: true });
  }
}

export interface TemporalServerOptions {
  /** Folder with its programs; see `acquireTemporalServer`. */
  programs: string;
  /** Folder of its configuration; created when missing. */
  dir: string;
  /** A Postgres role that may create databases. */
  databaseUrl: string;
  /** A free port for gRPC, below 32768; see `lowPort`. */
  port: number;
  log: string;
  /** Dynamic configuration, YAML. Default: the one of deploy/temporal. */
  dynamicConfig?: string;
}

const recordsDatabase = 'temporal';
const visibilityDatabase = 'temporal_visibility';
const ownDynamicConfig = join(import.meta.dirname, '../../deploy/temporal/dynamic-config.yaml');

/**
 * Creates or upgrades its schema, starts it, and waits until it answers.
 * @throws AppError with its last output when it does not start
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<Running & { address: string; port: number }> {
  const dir = resolve(options.dir);
  await mkdir(join(dir, 'config'), { recursive: true, mode: 0o700 });
  const visibility = await keepsVisibility(options.databaseUrl);
  await migrate(options, visibility);
  // JSON is YAML.
  await writeFile(join(dir, 'config', 'signalbox.yaml'), JSON.stringify(await configuration(options, visibility), null, 2), {
    mode: 0o600,
  });
  const offset = fileSize(options.log);
  const server = await spawnServer({
    command: join(options.programs, 'server'),
    args: ['--root', dir, '--config', 'config', '--env', 'signalbox', '--allow-no-auth', 'start'],
    log: options.log,
    cwd: dir,
    stopSignal: 'TERM',
    stopSteps: [
      ['SIGTERM', 15_000],
      ['SIGKILL', 5_000],
    ],
  });
  const address = `127.0.0.1:${options.port}`;
  const ended = new AbortController();
  // Its own namespace exists as soon as it serves.
  const question: TemporalQuestion = { address, namespace: 'temporal-system', timeoutMs: 90_000 };
  const asked = runStep<string | null>(new URL('./temporal-answers.ts', import.meta.url), question, ended.signal);
  asked.catch(() => {});
  const problem = await Promise.race([asked, server.exited.then(() => 'it ended at once')]);
  ended.abort();
  if (problem === null) return { ...server, address, port: options.port };
  await server.stop();
  throw stackError(
    `Temporal's server did not start (${problem}).\n${logSince(options.log, offset).trim().split('\n').slice(-8).join('\n')}`,
    `Its log: ${options.log}`,
  );
}

/** The visibility schema needs an extension that a small Postgres may lack; then a file keeps the list of processes. */
async function keepsVisibility(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(`select 1 from pg_available_extensions where name = 'btree_gin'`)).rowCount === 1;
  } finally {
    await client.end();
  }
}

async function migrate({ programs: folder, databaseUrl }: TemporalServerOptions, visibility: boolean): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl);
  for (const [database, schema] of [
    [recordsDatabase, 'temporal'] as const,
    ...(visibility ? [[visibilityDatabase, 'visibility'] as const] : []),
  ]) {
    const made = await createDatabase(databaseUrl, database);
    const connection = ['--plugin', 'postgres12', '--ep', hostname, '-p', port || '5432', '-u', decodeURIComponent(username), '--pw', decodeURIComponent(password), '--db', database]; // prettier-ignore
    const steps = [...(made ? [['setup-schema', '-v', '0.0']] : []), ['update-schema', '--schema-name', `postgresql/v12/${schema}`]];
    for (const step of steps) {
      const { code, output } = await run(join(folder, 'sql'), [...connection, ...step], { timeoutMs: 300_000 });
      if (code !== 0) throw stackError(`The schema of ${database} could not be written (${step[0]}): ${output.trim().slice(-400)}`);
    }
  }
}

/** @returns whether it did not exist */
async function createDatabase(url: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

/** A free port that fits into the smallint in which its schema keeps ports. */
export const lowPort = (taken = new Set<number>()): Promise<number> => freePort(10_000 + Math.floor(Math.random() * 20_000), { taken });

const visibilityFile = (dir: string) => ({
  sql: {
    pluginName: 'sqlite',
    databaseName: join(resolve(dir), 'visibility.db'),
    connectAddr: 'localhost',
    connectProtocol: 'tcp',
    connectAttributes: { mode: 'rwc', cache: 'private', journal_mode: 'wal', synchronous: '2', setup: 'true' },
    maxConns: 1,
    maxIdleConns: 1,
    maxConnLifetime: '1h',
  },
});

/** All four services in one process, on loopback. */
async function configuration(options: TemporalServerOptions, visibility: boolean): Promise<object> {
  const taken = new Set([options.port]);
  const former = await formerPorts(options);
  const port = (before: number | undefined): Promise<number> => (before === undefined ? lowPort(taken) : freePort(before, { taken }));
  const rpc = async (service: string, grpcPort?: number) => ({
    rpc: {
      grpcPort: grpcPort ?? (await port(former[service]?.rpc.grpcPort)),
      membershipPort: await port(former[service]?.rpc.membershipPort),
      bindOnLocalHost: true,
    },
  });
  const { host, username, password } = new URL(options.databaseUrl);
  const store = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      maxConns: 20,
      maxIdleConns: 20,
      maxConnLifetime: '1h',
    },
  });
  const address = `127.0.0.1:${options.port}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store(recordsDatabase), visibility: visibility ? store(visibilityDatabase) : visibilityFile(options.dir) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: await rpc('frontend', options.port),
      matching: await rpc('matching'),
      history: await rpc('history'),
      worker: await rpc('worker'),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: { active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: address } },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    namespaceDefaults: { archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } } },
    publicClient: { hostPort: address },
    dynamicConfigClient: { filepath: options.dynamicConfig ?? ownDynamicConfig, pollInterval: '60s' },
  };
}

type Services = Partial<Record<string, { rpc: { grpcPort: number; membershipPort: number } }>>;

/**
 * The ports of its services at its last start. Killed and started on new ones, the server waits for the members that it
 * was, and refuses everything for up to a minute.
 */
async function formerPorts({ dir }: TemporalServerOptions): Promise<Services> {
  try {
    return (JSON.parse(await readFile(join(dir, 'config', 'signalbox.yaml'), 'utf8')) as { services: Services }).services;
  } catch {
    // It has not been started in this folder before.
    return {};
  }
}
