import { migrate } from '../adapters/postgres/migrate.ts';
import { tools } from '../tools/index.ts';
import { registerTools } from '../tools/catalogue/registry.ts';

/** Migrates a database to this code: its tables and the registry of tools. @returns the migrations that were missing */
export const prepareDatabase = (ownerUrl: string): Promise<{ applied: string[] }> =>
  migrate(ownerUrl, (query) => registerTools(query, tools));
