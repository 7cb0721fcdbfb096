import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openCheckedBlobs } from '../adapters/blobs/open.ts';
import type { AppError } from '../contracts/errors.ts';
import { knownMigrations } from '../deploy/backup/manifest.ts';
import { type Config, readRuntime, type Runtime, runtimeFile } from '../platform/config.ts';
import { cacheFolder } from '../platform/embedded/parts.ts';
import { isPortFree } from '../platform/embedded/ports.ts';
import { status, type StackStatus } from '../platform/embedded/status.ts';
import { exits } from './exit.ts';
import { type Check, fail, ok, warn } from './doctor-check.ts';
import { temporalChecks } from './doctor-temporal.ts';
import { lostProcesses } from './lost.ts';
import { oneLine, paint, say, sayJson } from './output.ts';
import { cliConfig } from './target.ts';

export async function doctorCommand({ fix = false, json }: { fix?: boolean; json: boolean }): Promise<void> {
  const config = cliConfig();
  const checks: Check[] = [];
  const add = (found: Check | Check[]): void => {
    for (const check of [found].flat()) {
      checks.push(check);
      if (!json) show(check);
    }
  };
  const stack = await status(config);
  const runtime = stack.state === 'up' ? readRuntime(config) : null;
  add(node());
  add(parts(config));
  add(dataFolder(config));
  add(await blobStore(config));
  const own = stack.state === 'down' && config.DATABASE_URL !== undefined && config.TEMPORAL_ADDRESS !== undefined;
  if (own) add(ok('processes', 'servers of your own, by DATABASE_URL and TEMPORAL_ADDRESS'));
  else add([...processes(stack), ...(await ports(config, runtime))]);
  const databaseUrl = config.DATABASE_URL ?? runtime?.database_url;
  const address = config.TEMPORAL_ADDRESS ?? runtime?.temporal;
  if (databaseUrl) add(await database(databaseUrl));
  if (address) add(await temporalChecks(config, address));
  const api = config.SIGNALBOX_URL ?? runtime?.api;
  if (api) add(await ready(api));
  if (databaseUrl && address && checks.every((check) => check.state !== 'fail')) {
    add(await lostProcesses({ ...config, DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: address }, fix));
  }
  const failed = checks.filter((check) => check.state === 'fail').length;
  if (failed > 0) process.exitCode = stack.state === 'down' && !config.DATABASE_URL ? exits.unreachable : exits.failed;
  if (json) return sayJson({ ok: failed === 0, checks });
  const warned = checks.filter((check) => check.state === 'warn').length;
  say();
  say(failed + warned === 0 ? 'All is well.' : `${failed} failed, ${warned} to look at.`);
}

function show(check: Check): void {
  const colour = ({ ok: 'green', warn: 'yellow', fail: 'red' } as const)[check.state];
  say(`${paint(colour, check.state.padEnd(4))}  ${check.name.padEnd(17)}  ${oneLine(check.detail)}`);
  if (check.next) say(`${' '.repeat(25)}→ ${oneLine(check.next)}`);
}

function node(): Check {
  const major = Number(process.versions.node.split('.')[0]);
  return major >= 24 ? ok('node', process.version) : fail('node', process.version, 'Signalbox needs Node 24: `npm ci` brings one.');
}

function parts(config: Config): Check[] {
  const folder = cacheFolder(config);
  const held = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  const wanted: [string, string, boolean][] = [
    ['postgres', 'postgres-', config.DATABASE_URL === undefined],
    ['temporal', 'temporal-', config.TEMPORAL_ADDRESS === undefined],
    ['embedding model', 'bge-', config.EMBEDDING_MODEL_DIR === undefined],
  ];
  const missing = wanted.filter(([, prefix, needed]) => needed && !held.some((name) => name.startsWith(prefix))).map(([name]) => name);
  const here = wanted.flatMap(([, prefix]) => held.filter((name) => name.startsWith(prefix)));
  if (missing.length === 0) return [ok('parts', here.join(', ') || 'all configured')];
  return [warn('parts', `not in ${folder}: ${missing.join(', ')}`, 'Taken from PATH or downloaded at the next start.')];
}

const gigabyte = 2 ** 30;

function dataFolder(config: Config): Check[] {
  const folder = config.SIGNALBOX_DATA_DIR;
  if (!existsSync(folder)) return [ok('data folder', `${folder}, made at the first start`)];
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    return [fail('data folder', `${folder} cannot be written`, 'Give yourself the right, or set SIGNALBOX_DATA_DIR.')];
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = (bavail * bsize) / gigabyte;
  const found =
    free < 1
      ? warn('data folder', `${folder}, ${free.toFixed(1)} GB free`, 'Postgres stops when the disk is full: make room.')
      : ok('data folder', `${folder}, ${Math.round(free)} GB free`);
  const file = runtimeFile(config);
  const open = existsSync(file) && (statSync(file).mode & 0o077) !== 0;
  return open ? [found, warn('runtime.json', 'others may read it, and it holds the local key', `chmod 600 ${file}`)] : [found];
}

/** Writes, reads and deletes a probe. */
async function blobStore(config: Config): Promise<Check[]> {
  // Before the first start there is no folder, and this must not make one.
  if (config.BLOB_STORE_URL === 'folder' && !existsSync(config.SIGNALBOX_DATA_DIR)) return [];
  try {
    const blobs = await openCheckedBlobs(config);
    await blobs.close();
    return [ok('blobs', blobs.place)];
  } catch (error) {
    const { message, hint } = error as AppError;
    return [fail('blobs', message, hint ?? 'docs/operations.md, "Blobs", says what it needs.')];
  }
}

function processes(stack: StackStatus): Check[] {
  if (stack.state === 'down') return [fail('processes', 'nothing runs', 'Start it with `npm start` or `npx signalbox up --detach`.')];
  if (stack.state === 'starting') return [warn('processes', 'a start is under way', 'Try again in a minute.')];
  if (stack.state === 'abandoned')
    return [fail('processes', 'the supervisor is gone, its children are not', '`signalbox down`, then `signalbox up`.')];
  const dead = stack.parts.filter((part) => !part.running).map((part) => part.name);
  if (dead.length === 0) return [ok('processes', stack.parts.map((part) => `${part.name} ${part.pid}`).join(', '))];
  return [
    fail('processes', `not running: ${dead.join(', ')}`, `The supervisor restarts them; their logs: ${join(stack.data_dir, 'logs')}`),
  ];
}

async function ports(config: Config, runtime: Runtime | null): Promise<Check[]> {
  // A server of one's own is where it is.
  const ours = (part: string, address: string | undefined): boolean => (runtime ? part in runtime.pids : address === undefined);
  const wanted = [
    ['MCP_SERVER_PORT', config.MCP_SERVER_PORT, runtime?.api],
    ...(ours('temporal', config.TEMPORAL_ADDRESS)
      ? ([
          ['TEMPORAL_PORT', config.TEMPORAL_PORT, runtime && `http://${runtime.temporal}`],
          ['TEMPORAL_UI_PORT', config.TEMPORAL_UI_PORT, runtime?.temporal_ui],
        ] as const)
      : []),
    ...(ours('postgres', config.DATABASE_URL) ? ([['POSTGRES_PORT', config.POSTGRES_PORT, runtime?.database_url]] as const) : []),
  ] as const;
  if (runtime === null) {
    const busy = [];
    for (const [name, port] of wanted) if (port !== 0 && !(await isPortFree(port))) busy.push(`${name} ${port}`);
    return busy.length === 0
      ? [ok('ports', 'free')]
      : [warn('ports', `taken: ${busy.join(', ')}`, 'The next start moves aside and says where to, or set them.')];
  }
  const moved = wanted
    .filter(([, port, url]) => port !== 0 && url && new URL(url).port !== String(port))
    .map(([name, port, url]) => `${name} ${port} → ${new URL(url ?? '').port}`);
  const all = wanted.map(([, , url]) => (url ? new URL(url).port : '-')).join(', ');
  return moved.length === 0
    ? [ok('ports', all)]
    : [
        warn(
          'ports',
          `not where they were asked for: ${moved.join(', ')}`,
          'Clients use the address in runtime.json; free the port and restart to move back.',
        ),
      ];
}

async function database(url: string): Promise<Check[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  try {
    await client.connect();
  } catch (error) {
    return [
      fail(
        'database',
        `${new URL(url).host}: ${(error as Error).message}`,
        'Is it running? Its log: logs/postgres.log in the data folder.',
      ),
    ];
  }
  try {
    const { rows } = await client.query<{ version: string; vector: string | null; bypass: boolean; bare: string[] | null }>(`
      select current_setting('server_version') as version, (select extversion from pg_extension where extname = 'vector') as vector,
        (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as bypass,
        (select array_agg(c.relname::text) from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'tenant_id' and not c.relrowsecurity) as bare`);
    const found = rows[0]!;
    return [
      ok('database', `Postgres ${found.version} at ${new URL(url).host}`),
      found.vector ? ok('pgvector', found.vector) : fail('pgvector', 'not installed', 'create extension vector, as the database owner.'),
      found.bypass || found.bare
        ? fail(
            'row security',
            found.bypass ? 'this role passes it by' : `off on ${found.bare?.join(', ')}`,
            'Use the role signalbox_app in DATABASE_URL.',
          )
        : ok('row security', 'holds this role on every table'),
      await migrations(client),
    ];
  } finally {
    await client.end();
  }
}

async function migrations(client: pg.Client): Promise<Check> {
  const known = knownMigrations();
  try {
    const { rows } = await client.query<{ name: string }>('select applied_migrations() as name');
    const applied = new Set(rows.map((row) => row.name));
    const missing = known.filter((name) => !applied.has(name));
    if (missing.length > 0) return fail('migrations', `not applied: ${missing.join(', ')}`, 'Restart: `signalbox up` applies them.');
    const newer = [...applied].filter((name) => !known.includes(name));
    if (newer.length > 0) return warn('migrations', `the database is newer than this code: ${newer.join(', ')}`, 'Update the checkout.');
    return ok('migrations', `${applied.size} applied`);
  } catch (error) {
    return (error as { code?: unknown }).code === '42883'
      ? fail('migrations', 'the database is older than this code', 'Restart: `signalbox up` applies what is missing.')
      : warn('migrations', (error as Error).message, 'Look at the log of Postgres.');
  }
}

async function ready(api: string): Promise<Check[]> {
  try {
    const response = await fetch(`${api}/ready`, { signal: AbortSignal.timeout(5000) });
    const { dependencies } = (await response.json()) as {
      dependencies: Record<string, { status: string; optional?: boolean; detail?: string }>;
    };
    const down = Object.entries(dependencies)
      .filter(([, part]) => part.status !== 'up' && !part.optional)
      .map(([name]) => name);
    const model = dependencies['embeddings'];
    return [
      down.length === 0 ? ok('api', api) : fail('api', `not ready: ${down.join(', ')}`, 'Its log: logs/api.log in the data folder.'),
      model?.status === 'up'
        ? ok('embedding model', model.detail ?? 'loaded')
        : warn(
            'embedding model',
            model?.detail ?? 'none',
            'Search goes by words alone. Set EMBEDDING_MODEL_DIR or EMBEDDING_URL, or restart with the network up.',
          ),
    ];
  } catch (error) {
    return [fail('api', `${api}: ${(error as Error).message}`, 'Is it running? Its log: logs/api.log in the data folder.')];
  }
}
