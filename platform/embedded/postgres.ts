/**
 * The embedded Postgres: created on first use, started on loopback, durable, and small enough for a laptop. Folder
 * layout: `<dir>/data` (the cluster), `<dir>/owner.password` and `<dir>/app.password` (mode 0600).
 */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isLinuxSince, memoryMb } from './machine.ts';
import { checkCluster, damaged, isFilled, keptPassword, makeCluster, OWNER_ROLE, uidOption } from './postgres-cluster.ts';
import { stopLeftoverPostgres } from './postgres-leftover.ts';
import { portTaken } from './ports.ts';
import { fileSize, isRoot, logSince, messageOf, NOBODY, type Running, spawnServer, stackError, until } from './process.ts';

export { clusterMajor } from './postgres-cluster.ts';
export const APP_ROLE = 'signalbox_app';
export const DATABASE = 'signalbox';

export interface PostgresOptions {
  /** Folder with initdb and postgres; see `acquirePostgres`. */
  binDir: string;
  /** Folder of this database; created when missing. */
  dir: string;
  /** A free port; see `freePort`. */
  port: number;
  /** File that receives the server's log. */
  log: string;
}

export interface RunningPostgres extends Running {
  port: number;
  /** As the owner: migrations only. */
  ownerUrl: string;
  /** As the application role, which row-level security binds. */
  appUrl: string;
}

/**
 * Full durability: an acknowledged write survives kill -9 and power loss. Of the shared buffers only what was read takes memory;
 * a vector index that does not fit is read page by page through the system's cache, at several times the cost.
 */
const settings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '150',
  shared_buffers: `${Math.min(4096, Math.max(128, Math.round(memoryMb() / 8)))}MB`,
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: `${Math.max(512, Math.round(memoryMb() / 2))}MB`,
  random_page_cost: '1.1',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  max_wal_senders: '0',
  wal_level: 'minimal',
  checkpoint_timeout: '15min',
  // A server that was killed first makes all its files durable: thousands of them one by one take seconds. Before Linux 5.8,
  // doing it at once could hide an error of the disk.
  ...(isLinuxSince(5, 8) && { recovery_init_sync_method: 'syncfs' }),
  password_encryption: 'scram-sha-256',
  // A vanished client must not hold its locks for TCP's two hours.
  tcp_keepalives_idle: '60',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] %u ',
};

/**
 * Starts Postgres on a folder, which it creates when new, and waits until it answers. A Postgres that still runs on
 * the folder (its supervisor was killed) is stopped first.
 * @throws AppError when the folder is damaged, was created by another version, or cannot be used; nothing in it is
 * deleted
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dir = resolve(options.dir);
  const data = join(dir, 'data');
  await mkdir(dir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
  await prepareForNobody(dir, options.binDir);
  await stopLeftoverPostgres(dir);
  const ownerPassword = await keptPassword(join(dir, 'owner.password'), !(await isFilled(data)));
  if (await isFilled(data)) await checkCluster(data, options.binDir);
  else await makeCluster(dir, data, options.binDir, ownerPassword);
  const appPassword = await keptPassword(join(dir, 'app.password'), true);

  const server = await startAndWait(data, options, ownerPassword);
  try {
    await ensureDatabase(options.port, ownerPassword, appPassword);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...server,
    port: options.port,
    ownerUrl: url(OWNER_ROLE, ownerPassword, options.port),
    appUrl: url(APP_ROLE, appPassword, options.port),
  };
}

const url = (role: string, password: string, port: number, database = DATABASE): string =>
  `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;

/** For root, the server runs as "nobody", who must be able to enter every parent folder. */
async function prepareForNobody(dir: string, binDir: string): Promise<void> {
  if (!isRoot()) return;
  await chmod(dir, 0o711);
  const wanted = [
    { path: dir, what: 'The data folder', setting: 'SIGNALBOX_DATA_DIR' },
    { path: resolve(binDir), what: 'The Postgres program', setting: 'SIGNALBOX_CACHE_DIR' },
  ];
  for (const { path, what, setting } of wanted) {
    const closed = await firstClosedFolder(path);
    if (closed === null) continue;
    throw stackError(
      `${what} ${path} cannot be reached by the user Postgres runs as (uid ${NOBODY}; it refuses to run as root): ${closed} is closed to others.`,
      `Set ${setting} to a folder every user can enter (for example below /var/lib or /var/cache), run as another user than root, or chmod o+x ${closed}.`,
    );
  }
}

async function firstClosedFolder(path: string): Promise<string | null> {
  const above = dirname(path) === path ? null : await firstClosedFolder(dirname(path));
  if (above !== null) return above;
  const info = await stat(path);
  const bit = info.uid === NOBODY ? 0o100 : info.gid === NOBODY ? 0o010 : 0o001;
  return (info.mode & bit) === 0 ? path : null;
}

async function startAndWait(data: string, options: PostgresOptions, password: string): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const offset = fileSize(options.log);
    const server = await spawnServer({
      command: join(options.binDir, 'postgres'),
      args: ['-D', data, '-p', String(options.port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      log: options.log,
      cwd: data,
      ...uidOption(),
      stopSignal: 'INT',
      stopSteps: [
        ['SIGINT', 15_000],
        ['SIGQUIT', 5000],
        ['SIGKILL', 5000],
      ],
    });
    const answer = await answers(server, data, options.port, password).catch((error: unknown) => error as Error);
    if (answer === true) return server;
    await server.stop();
    const output = logSince(options.log, offset);
    // After a kill -9 its orphaned backends hold the shared memory for a moment.
    if (/shared memory block .* still in use/.test(output) && attempt < 20) {
      await sleep(250);
      continue;
    }
    // Where another server took the port in between, it was that one which refused the password.
    throw answer instanceof Error && !bindFailed(output) ? answer : startFailure(data, options, output);
  }
}

const bindFailed = (output: string): boolean => /could not bind|Address already in use/i.test(output);

function startFailure(data: string, options: PostgresOptions, output: string): Error {
  const line =
    output
      .split('\n')
      .filter((text) => /FATAL|PANIC/.test(text))
      .at(-1) ??
    output.trim().split('\n').at(-1) ??
    '';
  const detail = /DETAIL:\s*(.*?)\.?$/m.exec(output)?.[1];
  const reason = line.replace(/^.*?(FATAL|PANIC):\s*/, '') + (detail ? ` (${detail})` : '');
  if (
    /control file|pg_control|checkpoint record|could not (open|read|access) (file|directory)|invalid (page|data)|incorrect (checksum|resource)/i.test(
      output,
    )
  ) {
    return damaged(data, reason);
  }
  if (bindFailed(output)) {
    return portTaken(`Postgres cannot listen on 127.0.0.1:${options.port}: the port is taken.`, 'Set POSTGRES_PORT to another port.');
  }
  return stackError(`Postgres did not start: ${reason || 'it did not answer in time'}.`, `Its log: ${options.log}`);
}

/** Waits for the first answer. Crash recovery may take long and is not a failure. */
async function answers(server: Running, data: string, port: number, password: string): Promise<boolean> {
  let gone = false;
  void server.exited.then(() => (gone = true));
  let patience = Date.now() + 30_000;
  const latest = Date.now() + 600_000;
  let ready = false;
  await until(
    async () => {
      if (gone || Date.now() > Math.min(patience, latest)) return true;
      try {
        const { rows } = await withClient(url(OWNER_ROLE, password, port, 'postgres'), (client) =>
          client.query<{ data_directory: string }>('show data_directory'),
        );
        // Another server may have taken the port in between; ours ends then.
        ready = rows[0]?.data_directory === data;
      } catch (error) {
        const code = (error as { code?: string }).code;
        if (code === '28P01')
          throw stackError(
            'The database does not accept the kept password.',
            'Put owner.password back from a backup of this folder.',
            error,
          );
        if (code === '57P03') patience = Date.now() + 30_000;
      }
      return ready;
    },
    660_000,
    40,
  );
  return ready && !gone;
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Row-level security binds the application role; its attributes are set again at every start. */
async function ensureDatabase(port: number, ownerPassword: string, appPassword: string): Promise<void> {
  const attributes = 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION';
  try {
    await withClient(url(OWNER_ROLE, ownerPassword, port, 'postgres'), async (client) => {
      const { rows } = await client.query<{ role: boolean; database: boolean }>(
        'select exists(select from pg_roles where rolname = $1) as role, exists(select from pg_database where datname = $2) as database',
        [APP_ROLE, DATABASE],
      );
      const verb = rows[0]?.role ? 'ALTER' : 'CREATE';
      await client.query(`${verb} ROLE ${APP_ROLE} ${attributes} PASSWORD '${appPassword}'`);
      if (!rows[0]?.database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE}`);
    });
  } catch (error) {
    throw stackError(`Cannot prepare the database: ${messageOf(error)}.`, undefined, error);
  }
}
