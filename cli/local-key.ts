import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDatabase } from '../adapters/postgres/database.ts';
import type { Config } from '../platform/config.ts';
import { Keys } from '../services/governance/keys.ts';

/** Calls per minute of this machine's own key: its owner is not rationed, a runaway loop still is. */
const localRpm = 6_000;

/**
 * The key of this machine's user: an admin of the tenant `default`, a person. Kept (0600) in the data folder,
 * because only its hash is in the database; made anew when either is gone.
 */
export async function ensureLocalKey(config: Config, appUrl: string): Promise<{ api_key: string; tenant: string }> {
  const file = join(resolve(config.SIGNALBOX_DATA_DIR), 'local-key');
  const db = await openDatabase(appUrl, { max: 2 });
  try {
    const keys = new Keys(db);
    if (existsSync(file)) {
      const secret = readFileSync(file, 'utf8').trim();
      const caller = await keys.authenticate(secret);
      if (caller) return { api_key: secret, tenant: caller.tenant };
    }
    const created = await keys.create({ tenant: 'default', role: 'admin', kind: 'human', name: 'local', rpm: localRpm, burst: 600 });
    await writeFile(`${file}.new`, `${created.api_key}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return { api_key: created.api_key, tenant: created.tenant };
  } finally {
    await db.close();
  }
}
