/** `signalbox backup` and `signalbox restore`: of this folder's stack, running or not, and of servers of one's own. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCheckedBlobs } from '../adapters/blobs/open.ts';
import type { Blobs } from '../adapters/blobs/types.ts';
import { secretBox } from '../adapters/secrets/box.ts';
import { openTemporal, type Temporal } from '../adapters/temporal/client.ts';
import { temporalTarget } from '../adapters/temporal/connection.ts';
import { openSource, type Source } from '../deploy/backup/archive.ts';
import { backup } from '../deploy/backup/backup.ts';
import type { Manifest } from '../deploy/backup/manifest.ts';
import { checkBackup, restore, type Restored } from '../deploy/backup/restore.ts';
import { AppError } from '../contracts/errors.ts';
import { type Config, readRuntime } from '../platform/config.ts';
import { takeLock } from '../platform/embedded/lock.ts';
import { acquirePostgres, cacheFolder } from '../platform/embedded/parts.ts';
import { onFreePorts } from '../platform/embedded/ports.ts';
import { clusterMajor, startPostgres } from '../platform/embedded/postgres.ts';
import { isRoot } from '../platform/embedded/process.ts';
import type { BackupAsked, RestoreAsked } from './commands/stack.ts';
import { unreachable, usage } from './exit.ts';
import { elapsed, facts, megabytes, note, paint, say, sayJson } from './output.ts';
import { cliConfig } from './target.ts';

async function withBlobs<T>(config: Config, work: (blobs: Blobs) => Promise<T>): Promise<T> {
  const blobs = await openCheckedBlobs(config);
  try {
    return await work(blobs);
  } finally {
    await blobs.close();
  }
}

export async function backupCommand({ path, withKey, withoutBlobs, json }: BackupAsked): Promise<void> {
  const config = cliConfig();
  const started = performance.now();
  const onProgress = (line: string): void => note(`${paint('dim', elapsed(started), process.stderr)}  ${line}`);
  const key = withKey ? await keyText(config) : null;
  if (withKey && key === null) throw usage('There is no secret key here.', 'Set SIGNALBOX_SECRET_KEY, or leave --with-key out.');
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const manifest = await withOwner(config, onProgress, (ownerUrl) => {
    const take = (blobs: Blobs | null) => backup(path, { config, ownerUrl, blobs, key, onProgress, signal: interrupt.signal });
    return withoutBlobs ? take(null) : withBlobs(config, take);
  });
  if (json) return sayJson({ path, ...manifest });
  say(`${paint('green', 'Backed up')} to ${path} in ${elapsed(started).trim()}.`);
  describe(manifest);
  if (manifest.blobs?.missing) note(`${manifest.blobs.missing} blobs that records name do not exist: they were lost before this backup.`);
  if (manifest.key_id !== null && !manifest.has_key) {
    note('The secret key is not in the backup. Keep SIGNALBOX_SECRET_KEY (or secret.key of the data folder) with it, at another place:');
    note('without the key stored credentials and waiting approvals cannot be read. --with-key puts it in.');
  }
}

export async function restoreCommand({ path, force = false, withoutKey = false, check, json }: RestoreAsked): Promise<void> {
  const config = cliConfig();
  const started = performance.now();
  const onProgress = (line: string): void => note(`${paint('dim', elapsed(started), process.stderr)}  ${line}`);
  const source = await openSource(path);
  try {
    const { manifest } = source;
    if (check) {
      await checkBackup(source);
      if (json) return sayJson({ path, ok: true, ...manifest });
      say(`${paint('green', 'Whole')}: ${path}`);
      return describe(manifest);
    }
    const key = await keyFor(source, config, withoutKey);
    const place = config.DATABASE_URL === undefined && config.DATABASE_OWNER_URL === undefined ? intoFolder : intoServers;
    const { kept, ...restored } = await place(source, { config, key, force, onProgress });
    if (json) return sayJson({ path, ...manifest, restored, former_data: kept });
    say(`${paint('green', 'Restored')} ${path} in ${elapsed(started).trim()}.`);
    facts({
      ...factsOf(manifest),
      'processes ended': restored.ended || null,
      'calls in doubt': restored.doubted ? `${restored.doubted}: they may have been made after the backup` : null,
      migrations: restored.migrations.length > 0 ? `${restored.migrations.length} applied` : null,
      'former data': kept,
    });
    note('The next start of a worker starts the processes of all open records. `signalbox doctor` shows when all have one.');
  } finally {
    source.close();
  }
}

const factsOf = ({ version, taken_at, records, blobs, tenants }: Manifest) => ({
  'as of': taken_at,
  version,
  tenants,
  records: megabytes(records.bytes),
  blobs: blobs ? `${blobs.count} (${megabytes(blobs.bytes)})` : 'left out',
});
const describe = (manifest: Manifest): void =>
  facts({ ...factsOf(manifest), 'secret key': manifest.has_key ? 'included' : 'not included' });

const keyFile = (config: Config): string => join(config.SIGNALBOX_DATA_DIR, 'secret.key');

const keyText = async (config: Config): Promise<string | null> =>
  config.SIGNALBOX_SECRET_KEY ?? (existsSync(keyFile(config)) ? await readFile(keyFile(config), 'utf8') : null);

/** @returns the key that must be written into the data folder; null: none */
async function keyFor(source: Source, config: Config, withoutKey: boolean): Promise<string | null> {
  const { key_id: wanted, has_key: included } = source.manifest;
  const here = await keyText(config);
  if (wanted === null || withoutKey) return null;
  if (here !== null) {
    if (secretBox(here, config.SIGNALBOX_DATA_DIR, config.SIGNALBOX_SECRET_KEY_PREVIOUS).keyIds.includes(wanted)) return null;
    throw new AppError('CONFLICT', 'The records were sealed with another secret key than the one here.', {
      hint: `Set SIGNALBOX_SECRET_KEY to the key of the backup${included ? ', or remove secret.key: the backup has its own' : ''}. --without-key restores all the same: stored credentials must then be entered again.`,
    });
  }
  if (included) return Buffer.concat((await (await source.open('secret.key')).toArray()) as Uint8Array[]).toString();
  throw new AppError('CONFLICT', 'The backup was sealed with a secret key, which is neither in it nor here.', {
    hint: 'Set SIGNALBOX_SECRET_KEY, or put secret.key into the data folder. --without-key restores all the same: stored credentials must then be entered again.',
  });
}

/** The database of the configuration, of the running stack, or of this folder, which is started meanwhile. */
async function withOwner<T>(config: Config, onProgress: (line: string) => void, work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const ownerUrl = configuredOwner(config) ?? readRuntime(config)?.database_owner_url;
  if (ownerUrl !== undefined) return await work(ownerUrl);
  const dir = config.SIGNALBOX_DATA_DIR;
  if (!existsSync(join(dir, 'postgres', 'data'))) {
    throw unreachable(
      `There is nothing to back up: ${dir} has no database.`,
      'Set SIGNALBOX_DATA_DIR, or DATABASE_OWNER_URL for a server of your own.',
    );
  }
  const release = await takeLock(dir);
  try {
    return await withFolder(config, join(dir, 'postgres'), onProgress, work);
  } finally {
    await release();
  }
}

function configuredOwner(config: Config): string | undefined {
  if (config.DATABASE_OWNER_URL !== undefined) return config.DATABASE_OWNER_URL;
  if (config.DATABASE_URL === undefined) return undefined;
  throw usage('DATABASE_OWNER_URL is not set.', 'Backup and restore connect as the owner of the tables; DATABASE_URL is the application.');
}

/** Starts the Postgres of a folder for the time of the work. */
async function withFolder<T>(
  config: Config,
  folder: string,
  onProgress: (line: string) => void,
  work: (ownerUrl: string) => Promise<T>,
): Promise<T> {
  const major = clusterMajor(folder);
  const parts = { cacheDir: cacheFolder(config), onProgress, partsUrl: config.SIGNALBOX_PARTS_URL };
  const binDir = await acquirePostgres({ ...parts, ...(major === undefined ? {} : { major }) });
  onProgress('Starting Postgres');
  const logs = join(config.SIGNALBOX_DATA_DIR, 'logs');
  await mkdir(logs, { recursive: true, mode: 0o700 });
  const postgres = await onFreePorts([{ name: 'Postgres', port: 0 }], { taken: new Set() }, ([port]) =>
    startPostgres({ binDir, dir: folder, port: port!, log: join(logs, 'postgres.log') }),
  )();
  try {
    return await work(postgres.ownerUrl);
  } finally {
    await postgres.stop();
  }
}

interface Placing {
  config: Config;
  key: string | null;
  force: boolean;
  onProgress(line: string): void;
}
/** `kept`: the folder with the former data of this machine. */
type Placed = Restored & { kept: string | null };

async function intoServers(source: Source, { config, key, force, onProgress }: Placing): Promise<Placed> {
  const dir = config.SIGNALBOX_DATA_DIR;
  const ownerUrl = configuredOwner(config)!;
  const embedded = config.TEMPORAL_ADDRESS === undefined && existsSync(join(dir, 'temporal'));
  const release = embedded ? await takeLock(dir) : null;
  try {
    const restored = await withTemporal(config, (temporal) =>
      withBlobs(config, (blobs) => restore(source, { config, ownerUrl, blobs, temporal, force, onProgress })),
    );
    const kept = embedded ? await moveAside(dir, ['temporal']) : null;
    if (key !== null) await writeKey(dir, key);
    return { ...restored, kept };
  } finally {
    await release?.();
  }
}

/** All is prepared in a folder of its own, and moved into place when it is whole. */
async function intoFolder(source: Source, { config, key, force, onProgress }: Placing): Promise<Placed> {
  const dir = config.SIGNALBOX_DATA_DIR;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const release = await takeLock(dir);
  const staging = join(dir, '.restoring');
  try {
    if (existsSync(join(dir, 'postgres')) && !force) {
      throw new AppError('CONFLICT', `${dir} is not empty: it has a database.`, {
        hint: 'Set SIGNALBOX_DATA_DIR to another folder, or give --force: the data of this one is then moved aside.',
      });
    }
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o711 });
    // Postgres runs as another user for root, and must be able to enter.
    if (isRoot()) for (const folder of [dir, staging]) await chmod(folder, 0o711);
    const inside = { ...config, SIGNALBOX_DATA_DIR: staging };
    const restored = await withFolder(inside, join(staging, 'postgres'), onProgress, (ownerUrl) =>
      withTemporal(config, (temporal) =>
        withBlobs(inside, (blobs) => restore(source, { config, ownerUrl, blobs, temporal, force: false, onProgress })),
      ),
    );
    // The key first: a start between these steps would make another one, under which nothing of the backup opens.
    if (key !== null) await writeKey(dir, key);
    const kept = await moveAside(dir, ['temporal', 'blobs', 'postgres']);
    for (const name of ['blobs', 'postgres']) if (existsSync(join(staging, name))) await rename(join(staging, name), join(dir, name));
    return { ...restored, kept };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await release();
  }
}

async function withTemporal<T>(config: Config, work: (temporal: Temporal | null) => Promise<T>): Promise<T> {
  if (config.TEMPORAL_ADDRESS === undefined) return await work(null);
  const temporal = openTemporal({ ...temporalTarget(config), secrets: null });
  try {
    return await work(temporal);
  } finally {
    await temporal.close();
  }
}

/** @returns the folder that they are in now; null: there were none */
async function moveAside(dir: string, names: string[]): Promise<string | null> {
  const there = names.filter((name) => existsSync(join(dir, name)));
  if (there.length === 0) return null;
  const aside = join(dir, `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  await mkdir(aside, { mode: 0o711 });
  for (const name of there) await rename(join(dir, name), join(aside, name));
  return aside;
}

const writeKey = async (dir: string, key: string): Promise<void> => {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(join(dir, 'secret.key'), key, { mode: 0o600, flush: true });
};
