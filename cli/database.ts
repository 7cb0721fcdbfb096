/** The database itself, without the api: for this machine's owner. */
import { openDatabase, type Database } from '../adapters/postgres/database.ts';
import { isDatabaseAway } from '../adapters/postgres/errors.ts';
import { type Config, readRuntime } from '../platform/config.ts';
import { unreachable } from './exit.ts';

/** The database of these settings, or of the stack that runs here. @throws CliError (unreachable) */
export async function databaseHere(config: Config, max: number): Promise<Database> {
  const url = config.DATABASE_URL ?? readRuntime(config)?.database_url;
  if (url === undefined) throw unreachable('No database: nothing runs here, and DATABASE_URL is not set.');
  return await openDatabase(url, { max }).catch((error: unknown) => {
    throw isDatabaseAway(error) ? unreachable(`The database at ${new URL(url).host} is not reachable.`) : error;
  });
}
