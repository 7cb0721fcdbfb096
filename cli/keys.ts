/** Key commands write to the database, not to the api: only the machine's owner may manage keys. */
import { readRuntime } from '../platform/config.ts';
import { Keys } from '../services/governance/keys.ts';
import type { Creation, Rotation } from './commands/stack.ts';
import { databaseHere } from './database.ts';
import { keepLocalKey, localKey } from './local-key.ts';
import { facts, note, pick, say, sayJson, table } from './output.ts';
import { cliConfig } from './target.ts';

export async function withKeys<T>(work: (keys: Keys, localTenant: string) => Promise<T>): Promise<T> {
  const config = cliConfig();
  const db = await databaseHere(config, 1);
  try {
    return await work(new Keys({ db }), readRuntime(config)?.tenant ?? 'default');
  } finally {
    await db.close();
  }
}

/** @param expires milliseconds from now */
const until = (expires: number | undefined): { expiresAt?: Date } =>
  expires === undefined ? {} : { expiresAt: new Date(Date.now() + expires) };

export async function createKey({ expires, json, ...wanted }: Creation): Promise<void> {
  const created = await withKeys((keys) => keys.create({ ...wanted, ...until(expires) }));
  if (json) return sayJson(created);
  facts({
    ...pick(created, 'api_key as key', 'key_id as id', 'tenant'),
    role: `${created.role} (${created.kind})`,
    ...pick(created, 'name', 'scopes', 'profile', 'capabilities', 'team'),
    ends: minute(created.expires_at),
  });
  note('Keep the key now: it is not shown again.');
}

export async function rotateKey({ id, tenant, grace, expires, json }: Rotation): Promise<void> {
  const { local, ...key } = await withKeys(async (keys, localTenant) => {
    // Checked first: without a grace period the old key is invalid after the rotation.
    const isLocal = (await localKeyId(keys)) === id;
    return { ...(await keys.rotate(tenant ?? localTenant, id, { graceMs: grace, ...until(expires) })), local: isLocal };
  });
  if (local) await keepLocalKey(cliConfig(), key.api_key);
  if (json) return sayJson(key);
  facts({
    ...pick(key, 'api_key as key', 'key_id as id', 'name'),
    ends: minute(key.expires_at),
    replaces: key.replaces,
    'which ends': minute(key.old_expires_at),
  });
  note('Keep the key now: it is not shown again.');
  if (local) note('This is the key of this machine: `npm stop && npm start` before the old one ends, and the command line uses it.');
}

export async function listKeys({ tenant, json }: { tenant?: string; json: boolean }): Promise<void> {
  const keys = await withKeys((all, local) => all.list(tenant ?? local));
  if (json) return sayJson({ keys });
  if (keys.length === 0) return say('No keys.');
  table(keys, [
    'key_id as id',
    'name',
    'role',
    'kind',
    { scopes: ({ scopes }) => scopes.join(',') || 'all' },
    'rpm as per minute',
    { created: ({ created_at }) => minute(created_at), 'last used': ({ last_used_at }) => minute(last_used_at) },
    { ends: ({ expires_at }) => minute(expires_at), state: stateOf },
  ]);
}

export async function revokeKey({ id, tenant, json }: { id: string; tenant?: string; json: boolean }): Promise<void> {
  const key = await withKeys((keys, local) => keys.revoke(tenant ?? local, id));
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
