/** Keys go to the database, not through the api: they are the business of whoever owns the machine. */
import { openDatabase } from '../adapters/postgres/database.ts';
import { isDatabaseAway } from '../adapters/postgres/errors.ts';
import { readRuntime } from '../platform/config.ts';
import { Keys } from '../services/governance/keys.ts';
import type { CreateKeyOptions, RotateKeyOptions } from './commands/keys.ts';
import { unreachable } from './exit.ts';
import { keepLocalKey, localKey } from './local-key.ts';
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
    return await work(new Keys({ db }), runtime?.tenant ?? 'default');
  } finally {
    await db.close();
  }
}

export async function createKey(options: CreateKeyOptions, json: boolean): Promise<void> {
  const { expires, capability, ...wanted } = options;
  const created = await withKeys((keys) =>
    keys.create({
      ...wanted,
      ...(expires === undefined ? {} : { expiresAt: new Date(Date.now() + expires) }),
      ...(capability ? { capabilities: capability } : {}),
    }),
  );
  if (json) return sayJson(created);
  facts([
    ['key', created.api_key],
    ['id', created.key_id],
    ['tenant', created.tenant],
    ['role', `${created.role} (${created.kind})`],
    ['name', created.name],
    ['scopes', created.scopes.join(', ')],
    ['profile', created.profile],
    ['capabilities', created.capabilities.join(', ')],
    ['team', created.team],
    ['ends', minute(created.expires_at)],
  ]);
  note('Keep the key now: it is not shown again.');
}

export async function rotateKey(id: string, options: RotateKeyOptions, json: boolean): Promise<void> {
  const { grace, expires } = options;
  const rotated = await withKeys(async (keys, local) => {
    // Asked first: without a grace the old one is unknown afterwards.
    const isLocal = (await localKeyId(keys)) === id;
    const until = expires === undefined ? {} : { expiresAt: new Date(Date.now() + expires) };
    return { ...(await keys.rotate(options.tenant ?? local, id, { graceMs: grace, ...until })), local: isLocal };
  });
  const { local, ...key } = rotated;
  if (local) await keepLocalKey(cliConfig(), key.api_key);
  if (json) return sayJson(key);
  facts([
    ['key', key.api_key],
    ['id', key.key_id],
    ['name', key.name],
    ['ends', minute(key.expires_at)],
    ['replaces', key.replaces],
    ['which ends', minute(key.old_expires_at)],
  ]);
  note('Keep the key now: it is not shown again.');
  if (local) note('This is the key of this machine: `npm stop && npm start` before the old one ends, and the command line uses it.');
}

export async function listKeys(options: { tenant?: string }, json: boolean): Promise<void> {
  const keys = await withKeys((all, local) => all.list(options.tenant ?? local));
  if (json) return sayJson({ keys });
  if (keys.length === 0) return say('No keys.');
  table(
    ['id', 'name', 'role', 'kind', 'scopes', 'per minute', 'created', 'last used', 'ends', 'state'],
    keys.map((key) => [
      key.key_id,
      key.name,
      key.role,
      key.kind,
      key.scopes.join(',') || 'all',
      key.rpm,
      minute(key.created_at),
      minute(key.last_used_at),
      minute(key.expires_at),
      stateOf(key),
    ]),
  );
}

export async function revokeKey(id: string, options: { tenant?: string }, json: boolean): Promise<void> {
  const key = await withKeys((keys, local) => keys.revoke(options.tenant ?? local, id));
  if (json) return sayJson(key);
  say(`Revoked ${key.key_id} (${key.name}) of tenant ${key.tenant}.`);
}

const minute = (time: string | null): string => time?.slice(0, 16).replace('T', ' ') ?? '';

function stateOf({ revoked_at, expires_at }: { revoked_at: string | null; expires_at: string | null }): string {
  if (revoked_at) return 'revoked';
  return expires_at && Date.parse(expires_at) <= Date.now() ? 'ended' : 'valid';
}

async function localKeyId(keys: Keys): Promise<string | null> {
  const secret = localKey(cliConfig());
  return secret === null ? null : ((await keys.authenticate(secret))?.keyId ?? null);
}
