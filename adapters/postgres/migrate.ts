import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../../contracts/errors.ts';
import type { Database, Row } from './database.ts';

const folder = new URL('../../prisma/migrations/', import.meta.url);

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

export function readMigrations(): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * Applies missing migrations in order. Each runs in one transaction and never waits long for a lock, because all others would
 * wait behind it; one that begins with `-- without transaction` creates an index concurrently, which locks nobody out. Keeps
 * Prisma's `_prisma_migrations` table, so that `prisma migrate` sees the database as clean.
 * @param register writes further data that belongs to this version of the code
 * @param migrations default: all of this code, in order
 * @throws Error when an applied migration was edited afterwards.
 */
export async function migrate(
  ownerUrl: string,
  register?: (query: Database['query']) => Promise<void>,
  migrations: readonly Migration[] = readMigrations(),
): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const applied: string[] = [];
  try {
    const { rows: servers } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
    if (Number(servers[0]?.version) < 160_000) {
      throw new AppError('VALIDATION_ERROR', `This Postgres is older than 16 (${servers[0]?.version}).`, {
        hint: 'Use Postgres 16 or newer with pgvector 0.8 or newer.',
      });
    }
    await locked(client, () =>
      client.query(`create table if not exists _prisma_migrations (
        id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
        migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
        started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`),
    );
    for (const migration of migrations) if (await locked(client, () => apply(client, migration, ownerUrl))) applied.push(migration.name);
    if (register) {
      const query: Database['query'] = async <T extends Row>(text: string, values: unknown[] = []) =>
        (await client.query<T>(text, values)).rows;
      await locked(client, () => register(query));
    }
    return { applied };
  } finally {
    await client.end();
  }
}

/** Two starting processes must not migrate at once. A transaction lock, because a pooler may share the session. */
async function locked<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  // Waits between transactions: an index that is created concurrently waits for the end of each transaction that it saw with a
  // snapshot, and would wait for this one, which waits for it.
  while (!(await begun(client))) await sleep(100);
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Opens a transaction with the lock. @returns false, without a transaction, while another process has the lock */
async function begun(client: pg.Client): Promise<boolean> {
  await client.query('begin');
  if (await tryLock(client)) return true;
  await client.query('rollback');
  return false;
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_xact_lock(hashtext('signalbox.migrate')) as taken");
  return rows[0]!.taken;
}

/** @returns whether it was missing */
async function apply(client: pg.Client, { name, sql, checksum }: Migration, ownerUrl: string): Promise<boolean> {
  // Without parameters: a statement that has some keeps its snapshot until the next one, and an index that is created concurrently
  // waits for the end of all older snapshots, in this case for itself.
  const { rows: applied } = await client.query<{ name: string; checksum: string }>(
    'select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const rows = applied.filter((row) => row.name === name);
  if (rows.some((row) => row.checksum === checksum)) return false;
  if (rows.length > 0) throw new Error(`Migration ${name} was changed after it had been applied. Restore it and add a new one.`);
  try {
    if (withoutTransaction.test(sql)) await applyOutside(ownerUrl, sql);
    else await applyInside(client, sql);
  } catch (error) {
    throw new Error(
      `Migration ${name} failed: ${(error as Error).message}${(error as { code?: string }).code === lockTimeout ? held : ''}`,
      {
        cause: error,
      },
    );
  }
  await client.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     values ($1, $2, $3, now(), 1)`,
    [randomUUID(), checksum, name],
  );
  return true;
}

const withoutTransaction = /^\s*--\s*without transaction\b/i;

/** Postgres's code for a lock that was not granted in time. */
const lockTimeout = '55P03';
const held = '. A long query or transaction holds the table: end it (pg_stat_activity shows it) and repeat the migration.';
/** How long one attempt waits for a lock, and how many attempts there are. */
const lockWait = '5s';
const lockTries = 12;

async function applyInside(client: pg.Client, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('savepoint migration');
    try {
      await client.query(`set local lock_timeout = '${lockWait}'`);
      await client.query(sql);
      await client.query('set local lock_timeout = 0; release savepoint migration');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== lockTimeout || attempt === lockTries) throw error;
      // Lets those who waited behind it pass.
      await client.query('rollback to savepoint migration');
      await sleep(1_000);
    }
  }
}

/** On a connection of its own; the caller's transaction keeps others from migrating. Each statement may be repeated after a failure. */
async function applyOutside(ownerUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // Building an index concurrently waits for old transactions by design.
    for (const statement of sql.replaceAll(/--[^\n]*/g, '').split(';')) if (statement.trim() !== '') await client.query(statement);
  } finally {
    await client.end();
  }
}
