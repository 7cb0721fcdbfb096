/** Migrates the configured database and exits. The embedded stack does the same at start. */
import { readConfig } from '../platform/config.ts';
import { prepareDatabase } from './database.ts';

const config = readConfig();
const url = config.DATABASE_OWNER_URL ?? config.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_OWNER_URL (or DATABASE_URL) to the database that is to be migrated.');
const { applied } = await prepareDatabase(url);
console.log(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`);
