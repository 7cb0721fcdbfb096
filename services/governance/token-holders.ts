import { randomBytes } from 'node:crypto';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson, derivedId } from '../../contracts/ids.ts';
import { tokenIdPrefix, type OidcSettings } from '../../contracts/governance/oidc.ts';
import { callerOf, hashOfSecret, type KeyRow } from './key-records.ts';
import type { Keys } from './keys.ts';
import { revokeMade } from './made-keys.ts';
import { checkTenant, ensureTenant, tenantExists } from './tenants.ts';
import { nothing, type Identity } from './token-claims.ts';
import { topics } from '../../contracts/notices.ts';
import { notify } from '../kernel/notify.ts';
import { Service } from '../kernel/service.ts';

/** How long a holder is cached, in ms: the longest that a revoked one keeps working. */
const cacheFor = 2_000;

/**
 * Token holders are rows among the keys, with an unusable secret: so they can be listed and revoked like keys, and
 * their processes continue after the token has expired.
 */
export class TokenHolders extends Service<never, { keys: Keys }> {
  private readonly cache = new Map<string, { caller: Caller; says: string; until: number }>();

  /**
   * @param fresh looks it up, whatever is cached
   * @throws AppError FORBIDDEN for an unknown tenant, UNAUTHORIZED when its access has been revoked
   */
  async callerOf(identity: Identity, settings: OidcSettings, { fresh = false } = {}): Promise<Caller> {
    const id = derivedId(tokenIdPrefix, identity.tenant, settings.issuer, identity.subject, identity.client);
    const says = canonicalJson(identity);
    const known = this.cache.get(id);
    if (!fresh && known && known.says === says && known.until > Date.now()) {
      this.deps.keys.used(known.caller);
      return known.caller;
    }
    this.cache.delete(id);
    const caller = await this.look(id, identity, settings);
    if (this.cache.size > 10_000) this.cache.clear();
    this.cache.set(id, { caller, says, until: Date.now() + cacheFor });
    this.deps.keys.used(caller);
    return caller;
  }

  private async look(id: string, identity: Identity, { createTenants }: OidcSettings): Promise<Caller> {
    const { tenant, name, kind, role, scopes, capabilities, team } = identity;
    checkTenant(tenant);
    if (!(await tenantExists(this.db, tenant))) {
      if (!createTenants) {
        throw new AppError('FORBIDDEN', `The tenant "${tenant}" is not served here.`, {
          hint: 'Its first key makes it (`signalbox keys create`), or set OIDC_CREATE_TENANTS=true.',
        });
      }
      await asTenant(tenant, () => ensureTenant(this.db, tenant));
    }
    const values = [tenant, id, name, kind, role, scopes, capabilities, team];
    const [row] = await asTenant(tenant, async () => {
      const same = await this.db.query<KeyRow>(
        `select * from api_keys where tenant_id = $1 and id = $2 and (name, principal_kind, role) = ($3, $4, $5)
           and scopes = $6::text[] and capabilities = $7::text[] and team is not distinct from $8`,
        values,
      );
      if (same[0]) return same;
      return await this.db.transaction(async (query) => {
        const kept = await query<KeyRow & { fresh: boolean }>(
          `insert into api_keys (tenant_id, id, name, principal_kind, role, scopes, capabilities, team, hash)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           on conflict (id) do update set name = $3, principal_kind = $4, role = $5, scopes = $6, capabilities = $7, team = $8, updated_at = now()
           returning *, xmax = 0 as fresh`,
          [...values, hashOfSecret(randomBytes(32).toString('base64url'))],
        );
        if (!kept[0]!.fresh) await limitMade(query, kept[0]!);
        return kept;
      });
    });
    if (row!.revoked_at) {
      throw new AppError('UNAUTHORIZED', 'The access of this identity has been revoked here.', {
        hint: 'Ask the operator of this platform for the reason.',
        details: { reason: 'invalid_token' },
      });
    }
    return callerOf(row!);
  }

  /** Takes all rights from somebody whom the issuer still knows, but without a role here; the keys that they made end, too. */
  async lostRights(tenant: string, id: string): Promise<void> {
    this.cache.delete(id);
    await asTenant(tenant, () =>
      this.db.transaction(async (query) => {
        const [row] = await query<KeyRow>(
          `update api_keys set role = 'readonly', scopes = $3, updated_at = now() where tenant_id = $1 and id = $2 returning *`,
          [tenant, id, nothing],
        );
        if (row) await limitMade(query, row);
      }),
    );
  }
}

async function limitMade(query: Database['query'], row: KeyRow): Promise<void> {
  await revokeMade(query, row.tenant_id, row.id, row, { name: 'issuer' });
  await notify(query, topics.keys(row.tenant_id));
}
