/** Validates prisma/schema with Prisma, migrates an empty database, and compares the two. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '../deploy/database.ts';
import { readConfig } from '../platform/config.ts';
import { removeFolder, tempFolder } from '../platform/embedded/fixtures/help.ts';
import { acquirePostgres, cacheFolder } from '../platform/embedded/parts.ts';
import { onFreePorts } from '../platform/embedded/ports.ts';
import { startPostgres } from '../platform/embedded/postgres.ts';
import { actualTables, describedTables, differences } from './schema.ts';

// Validation does not use the schema engine, which would be downloaded: any existing program satisfies Prisma's check
// for it.
execFileSync(process.execPath, [join(import.meta.dirname, '../node_modules/prisma/build/index.js'), 'validate'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
});

const folder = await tempFolder();
const binDir = await acquirePostgres({ cacheDir: cacheFolder(readConfig()), onProgress: (line) => console.log(line) });
const postgres = await onFreePorts([{ port: 0 }], { taken: new Set() }, ([port]) =>
  startPostgres({ binDir, dir: join(folder, 'postgres'), port: port!, log: join(folder, 'postgres.log') }),
)();
try {
  await prepareDatabase(postgres.ownerUrl);
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  const actual = await actualTables((text) => client.query(text));
  await client.end();
  const told = differences(describedTables(), actual);
  for (const line of told) console.log(line);
  console.log(`${actual.length} tables, ${told.length} differences`);
  process.exitCode = told.length > 0 ? 1 : 0;
} finally {
  await postgres.stop();
  await removeFolder(folder);
}
