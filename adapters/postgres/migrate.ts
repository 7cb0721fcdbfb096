import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { AppError } from '../../contracts/errors.ts';

const folder = new URL('../../prisma/migrations/', import.meta.url);

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

function readMigrations(): Migration[] {
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
 * Applies what is missing, in order, each in one transaction. Keeps Prisma's own `_prisma_migrations`
 * table, so that `prisma migrate` sees the database as clean.
 * @throws Error when an applied migration was edited afterwards.
 */
export async function migrate(ownerUrl: string): Promise<{ applied: string[] }> {
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
    // Two starting processes must not migrate at once.
    await client.query("select pg_advisory_lock(hashtext('signalbox.migrate'))");
    await client.query(`create table if not exists _prisma_migrations (
      id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
      migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
      started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      'select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    const known = new Map(rows.map((row) => [row.migration_name, row.checksum]));
    for (const migration of readMigrations()) {
      const checksum = known.get(migration.name);
      if (checksum === migration.checksum) continue;
      if (checksum !== undefined) {
        throw new Error(`Migration ${migration.name} was changed after it had been applied. Restore it and add a new one.`);
      }
      await client.query('begin');
      try {
        await client.query(migration.sql);
        await client.query(
          `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
           values ($1, $2, $3, now(), 1)`,
          [randomUUID(), migration.checksum, migration.name],
        );
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
      }
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
