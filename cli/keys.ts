/** Keys go to the database, not through the api: they are the business of whoever owns the machine. */
import { openDatabase } from '../adapters/postgres/database.ts';
import { isDatabaseAway } from '../adapters/postgres/errors.ts';
import { readRuntime } from '../platform/config.ts';
import { Keys } from '../services/governance/keys.ts';
import type { CreateKeyOptions } from './commands/keys.ts';
import { unreachable } from './exit.ts';
import { facts, note, say, sayJson, table } from './output.ts';
import { cliConfig } from './target.ts';

export async function withKeys<T>(work: (keys: Keys, localTenant: string) => Promise<T>): Promise<T> {
  const config = cliConfig();
  const runtime = readRuntime(config);
  const url = config.DATABASE_URL ?? runtime?.database_url;
  if (url === undefined) throw unreachable('No database: nothing runs here, and DATABASE_URL is not set.');
  const db = await openDatabase(url, { max: 1 }).catch((error: unknown) => {
    throw isDatabaseAway(error) ? unreachable(`The database at ${new URL(url).host} is not reachable.`) : error;
  });
  try {
    return await work(new Keys(db), runtime?.tenant ?? 'default');
  } finally {
    await db.close();
  }
}

export async function createKey(options: CreateKeyOptions, json: boolean): Promise<void> {
  const created = await withKeys((keys) => keys.create(options));
  if (json) return sayJson(created);
  facts([
    ['key', created.api_key],
    ['id', created.key_id],
    ['tenant', created.tenant],
    ['role', `${created.role} (${created.kind})`],
    ['name', created.name],
    ['scopes', created.scopes.join(', ')],
    ['profile', created.profile],
  ]);
  note('Keep the key now: it is not shown again.');
}

export async function listKeys(options: { tenant?: string }, json: boolean): Promise<void> {
  const keys = await withKeys((all, local) => all.list(options.tenant ?? local));
  if (json) return sayJson({ keys });
  if (keys.length === 0) return say('No keys.');
  table(
    ['id', 'name', 'role', 'kind', 'scopes', 'per minute', 'created', 'state'],
    keys.map((key) => [
      key.key_id,
      key.name,
      key.role,
      key.kind,
      key.scopes.join(',') || 'all',
      key.rpm,
      key.created_at.slice(0, 16).replace('T', ' '),
      key.revoked_at ? 'revoked' : 'valid',
    ]),
  );
}

export async function revokeKey(id: string, options: { tenant?: string }, json: boolean): Promise<void> {
  const key = await withKeys((keys, local) => keys.revoke(options.tenant ?? local, id));
  if (json) return sayJson(key);
  say(`Revoked ${key.key_id} (${key.name}) of tenant ${key.tenant}.`);
}
