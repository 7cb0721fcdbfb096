import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../contracts/ids.ts';
import { checkTenant, ensureTenant } from '../governance/index.ts';
import type { SeedFile } from './seed-file.ts';
import { blank } from './source-rows.ts';
import type { Sources } from './sources.ts';

export interface SeedOutcome {
  made: string[];
  changed: string[];
  /** Created, changed or removed by a call, so not imported. */
  left: string[];
  refused: { feed_id: string; message: string }[];
}

interface Deps {
  db: Database;
  secrets: SecretBox;
}

/**
 * Imports the seed file's new sources, and changes of the file since its last import. Sources that were changed,
 * created or removed by a call stay as they are.
 * @throws AppError VALIDATION_ERROR, FORBIDDEN for an invalid tenant; sources that cannot be imported are in
 * `refused`
 */
export async function seedSources({ db, secrets }: Deps, sources: Sources, { tenant, sources: given }: SeedFile): Promise<SeedOutcome> {
  checkTenant(tenant);
  return await asTenant(tenant, async () => {
    await ensureTenant(db, tenant);
    const outcome: SeedOutcome = { made: [], changed: [], left: [], refused: [] };
    for (const each of given) {
      // Includes credentials: a hash without a key would allow guessing them.
      const text = canonicalJson(each);
      const [state] = await db.query<{ hash: string | null; seeded: boolean | null }>(
        `select (select hash from feed_seeds where tenant_id = $1 and feed_id = $2) as hash,
           (select seeded from feed_sources where tenant_id = $1 and feed_id = $2) as seeded`,
        [tenant, each.feed_id],
      );
      const { hash: before, seeded } = state!;
      if (before === null ? seeded !== null : seeded !== true) outcome.left.push(each.feed_id);
      else if (before === null || !secrets.verifies(text, Buffer.from(before, 'hex'))) {
        const hash = secrets.mac(text).toString('hex');
        const { credentials: _, ...defaults } = blank;
        try {
          const { created } = await sources.save(tenant, { ...defaults, credentials: {}, ...each }, 'seed-file', { seed: hash });
          (created ? outcome.made : outcome.changed).push(each.feed_id);
        } catch (error) {
          if (!(error instanceof AppError) || error.retryable) throw error;
          outcome.refused.push({ feed_id: each.feed_id, message: error.message });
        }
      }
    }
    return outcome;
  });
}
