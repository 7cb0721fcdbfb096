import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDatabase } from '../adapters/postgres/database.ts';
import type { Config } from '../platform/config.ts';
import { Keys } from '../services/governance/keys.ts';

/** Calls per minute of this machine's key: enough for any normal use, but a runaway loop is stopped. */
const localRpm = 6_000;

const fileOf = (config: Config): string => join(resolve(config.SIGNALBOX_DATA_DIR), 'local-key');

/** The stored key; null when there is none. */
export function localKey(config: Config): string | null {
  const file = fileOf(config);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

export async function keepLocalKey(config: Config, secret: string): Promise<void> {
  const file = fileOf(config);
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * The key of this machine's user: a person, admin of the tenant `default`. It is kept in the data folder (mode 0600), because the database
 * has only its hash. If the file or the hash is missing, a new key is created.
 */
export async function ensureLocalKey(config: Config, appUrl: string): Promise<{ api_key: string; tenant: string }> {
  const db = await openDatabase(appUrl, { max: 2 });
  try {
    const keys = new Keys({ db });
    const secret = localKey(config);
    if (secret !== null) {
      const caller = await keys.authenticate(secret);
      if (caller) return { api_key: secret, tenant: caller.tenant };
    }
    const created = await keys.create({ tenant: 'default', role: 'admin', kind: 'human', name: 'local', rpm: localRpm, burst: 600 });
    await keepLocalKey(config, created.api_key);
    return { api_key: created.api_key, tenant: created.tenant };
  } finally {
    await db.close();
  }
}
