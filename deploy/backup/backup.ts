/**
 * A consistent backup of a running installation: every record as of one moment, and every blob that those records name. Temporal's
 * data is not part of it: its processes are started again from the records.
 *
 * Blobs are copied first, then once more those that records of that moment name and that were missing. A blob that a removal
 * deleted in between makes the backup take another moment.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Blobs } from '../../adapters/blobs/types.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Config } from '../../platform/config.ts';
import { version } from '../../platform/version.ts';
import { blobsNamed } from '../../services/kernel/blobs.ts';
import { createSink, type Sink } from './archive.ts';
import { format, knownMigrations, type Manifest } from './manifest.ts';
import { postgresTools, startTool } from './postgres-tools.ts';

export interface BackupOptions {
  config: Config;
  /** As the database's owner. */
  ownerUrl: string;
  /** Null: blobs are left out. */
  blobs: Blobs | null;
  /** Puts this key into the backup. */
  key: string | null;
  onProgress(line: string): void;
  signal?: AbortSignal;
}

const recordsName = 'records.dump';
const keyName = 'secret.key';
/** Moments that are tried until every blob is there. */
const moments = 5;
const tellEvery = 5_000;

interface Blob {
  tenant: string;
  sha256: string;
}
const nameOf = ({ tenant, sha256 }: Blob): string => `blobs/${tenant}/${sha256}`;

/** @throws AppError; nothing of the name exists then */
export async function backup(path: string, options: BackupOptions): Promise<Manifest> {
  const { ownerUrl, onProgress, config, key } = options;
  const sink = await createSink(path);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'signalbox-backup', connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const [server] = (
      await client.query<{ version: string; num: number }>(
        `select current_setting('server_version') as version, current_setting('server_version_num')::int as num`,
      )
    ).rows;
    const tools = await postgresTools(config, Math.floor(server!.num / 10_000), onProgress);
    const copy = options.blobs === null ? null : new BlobCopy(options.blobs, sink, options);
    await copy?.all(await inSnapshot(client, () => named(client)));
    const taken = await atOneMoment(client, copy);
    onProgress('Records');
    const dump = startTool(
      tools.dump,
      ['--format=custom', '--no-owner', '--schema=public', '--no-publications', '--no-subscriptions', `--snapshot=${taken.snapshot}`],
      ownerUrl,
      options.signal,
    );
    const [records] = await Promise.all([sink.add(recordsName, dump.out), dump.ended]);
    await client.query('commit');
    if (key !== null) await sink.add(keyName, one(key));
    const manifest: Manifest = {
      format,
      id: randomUUID(),
      version,
      taken_at: taken.at.toISOString(),
      postgres: server!.version,
      migrations: taken.migrations,
      tenants: taken.tenants,
      key_id: taken.keyId,
      has_key: key !== null,
      records: { name: recordsName, ...records },
      blobs: copy ? { count: copy.count, bytes: copy.bytes, missing: taken.lost } : null,
    };
    await sink.finish(manifest);
    return manifest;
  } catch (error) {
    await sink.discard();
    throw options.signal?.aborted ? new AppError('CONFLICT', 'The backup was interrupted; nothing of it is kept.') : error;
  } finally {
    await client.end().catch(() => {});
  }
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function inSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin isolation level repeatable read read only');
  const result = await work();
  await client.query('commit');
  return result;
}

/** Blobs that records name. Tenant by tenant: row security holds an owner who is no superuser. */
async function named(client: pg.Client): Promise<Blob[]> {
  const { rows: tenants } = await client.query<{ id: string }>('select id from tenants order by id');
  const blobs: Blob[] = [];
  for (const { id: tenant } of tenants) {
    await client.query(`select set_config('app.tenant', $1, true)`, [tenant]);
    for (const sha256 of await blobsNamed(async (text, values) => (await client.query(text, values)).rows as never, tenant))
      blobs.push({ tenant, sha256 });
  }
  return blobs;
}

interface Moment {
  snapshot: string;
  at: Date;
  migrations: string[];
  tenants: number;
  keyId: string | null;
  /** Blobs that records name and that do not exist. */
  lost: number;
}

/** Leaves the transaction open whose snapshot pg_dump uses. */
async function atOneMoment(client: pg.Client, copy: BlobCopy | null): Promise<Moment> {
  let before = new Set<string>();
  for (let moment = 1; ; moment += 1) {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<Pick<Moment, 'snapshot' | 'at' | 'tenants'> & { key_id: string | null }>(
      `select pg_export_snapshot() as snapshot, now() as at, (select count(*)::int from tenants) as tenants,
         (select key_id from process_seals where id = 1) as key_id`,
    );
    const { rows: applied } = await client.query<{ migration_name: string }>(
      'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null order by migration_name',
    );
    const migrations = applied.map(({ migration_name }) => migration_name);
    const known = new Set(knownMigrations());
    if (migrations.some((name) => !known.has(name)))
      throw new AppError('CONFLICT', 'The database is newer than this code.', { hint: 'Update the checkout, then back up.' });
    const missing = copy ? await copy.all(await named(client)) : [];
    const { key_id: keyId, ...found } = rows[0]!;
    // Records that name it still, a moment later: it was missing before.
    const lost = missing.filter((blob) => before.has(nameOf(blob))).length;
    if (lost === missing.length) return { ...found, migrations, keyId, lost };
    await client.query('rollback');
    before = new Set(missing.map(nameOf));
    if (moment === moments)
      throw new AppError('CONFLICT', 'Too much is being deleted to back up at one moment.', { hint: 'Repeat it later.' });
  }
}

/** Copies each blob once. */
class BlobCopy {
  count = 0;
  bytes = 0;
  private readonly done = new Set<string>();
  private readonly blobs: Blobs;
  private readonly sink: Sink;
  private readonly options: BackupOptions;

  constructor(blobs: Blobs, sink: Sink, options: BackupOptions) {
    this.blobs = blobs;
    this.sink = sink;
    this.options = options;
  }

  /** @returns those that do not exist: deleted, or never there */
  async all(wanted: Blob[]): Promise<Blob[]> {
    const missing: Blob[] = [];
    let told = Date.now();
    for (const blob of wanted) {
      this.options.signal?.throwIfAborted();
      const name = nameOf(blob);
      if (this.done.has(name)) continue;
      const opened = await this.blobs.openStream(blob.tenant, blob.sha256).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
        throw error;
      });
      if (opened === null) {
        missing.push(blob);
        continue;
      }
      const { bytes, sha256 } = await this.sink.add(name, opened.stream);
      if (sha256 !== blob.sha256) {
        throw new AppError('CONFLICT', `The blob ${blob.tenant}/${blob.sha256} is damaged: its bytes have another hash.`, {
          hint: 'Restore it from an earlier backup, or delete its source, then back up again.',
        });
      }
      this.done.add(name);
      this.count += 1;
      this.bytes += bytes;
      if (Date.now() - told < tellEvery) continue;
      told = Date.now();
      this.options.onProgress(`Blobs: ${this.count} of ${wanted.length}, ${Math.round(this.bytes / 1e6)} MB`);
    }
    return missing;
  }
}
