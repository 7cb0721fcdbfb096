import { lineOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import type { KeyView, KeyWish, Rate } from '../../contracts/governance/keys.ts';
import { tokenIdPrefix } from '../../contracts/governance/oidc.ts';
import { derivedId } from '../../contracts/ids.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { recordOf, type KeyRecord, type KeyRow, type Maker } from './key-records.ts';
import { assertNoMore, type Rights } from './key-rights.ts';
import type { Keys } from './keys.ts';
import type { RateLimits } from './limits.ts';
import type { Policies } from './policies.ts';

export interface KeyFilter {
  search?: string | undefined;
  state?: KeyView['state'] | undefined;
  kind?: KeyView['kind'] | undefined;
  line?: string | undefined;
}

const dayMs = 24 * 3_600_000;
type Made = Omit<KeyView, 'rate'> & { api_key: string };

/** Keys as admins manage them with tools: within their tenant, and never with more rights than their own. */
export class KeyAdministration extends Service<'limits', { keys: Keys; policies: Policies; rates: RateLimits }> {
  async list({ tenant }: Caller, { search, state, kind, line }: KeyFilter, paging: Paging): Promise<Page<KeyView>> {
    const valid = 'revoked_at is null and (expires_at is null or expires_at > now())';
    const found = await keysetPage<KeyRow, KeyRow>(
      this.db.query,
      {
        select: '*',
        from: 'api_keys',
        ...matching({
          'tenant_id = $': tenant,
          'principal_kind = $': kind,
          'coalesce(line, id) = $': line,
          '(position(lower($) in lower(name)) > 0 or id = $)': search,
          [valid]: state === 'valid',
          'revoked_at is not null': state === 'revoked',
          'revoked_at is null and expires_at <= now()': state === 'ended',
          // Runs leave one each behind.
          [`run_id is null or ${valid}`]: true,
        }),
        order: newest('created_at', 'id'),
      },
      paging,
      (row) => row,
    );
    const rates = await this.rates(tenant, found.items);
    return { ...found, items: found.items.map((row, i) => ({ ...viewOf(recordOf(row)), rate: rates[i]! })) };
  }

  /** @throws AppError FORBIDDEN for more rights than the caller's, VALIDATION_ERROR */
  async create(caller: Caller, wish: KeyWish, callKey: string): Promise<Made> {
    const { expires_in_days: days, ...wanted } = wish;
    const kind = wish.kind ?? (wish.role === 'agent' ? 'agent' : 'human');
    const own = await this.own(caller);
    // An agent's key ends with its maker's, if nothing else is said.
    const ends = caller.principalKind === 'agent' && own?.expires_at ? new Date(own.expires_at) : null;
    const expiresAt = days === undefined ? ends : new Date(Date.now() + days * dayMs);
    const policy = wish.policy ?? caller.policy;
    await this.assertNoMore(caller, own, { ...wanted, kind, policy, rpm: wish.rpm ?? null, burst: wish.burst ?? null, expiresAt });
    const made = await this.deps.keys.create(
      {
        tenant: caller.tenant,
        role: wish.role,
        kind,
        name: wish.name,
        scopes: wish.scopes,
        capabilities: wish.capabilities,
        policy,
        ...(wish.profile === undefined ? {} : { profile: wish.profile }),
        ...(wish.rpm === undefined ? {} : { rpm: wish.rpm }),
        ...(wish.burst === undefined ? {} : { burst: wish.burst }),
        ...(wish.team === undefined ? {} : { team: wish.team }),
        ...(expiresAt === null ? {} : { expiresAt }),
      },
      makerOf(caller, callKey),
    );
    return { ...viewOf(made), api_key: made.api_key };
  }

  /** @throws AppError NOT_FOUND, CONFLICT; FORBIDDEN for a key with more rights than the caller's, whose secret would be a way to them */
  async rotate(
    caller: Caller,
    id: string,
    { graceMs, days }: { graceMs: number; days: number | undefined },
    callKey: string,
  ): Promise<Made & { old_expires_at: string }> {
    const old = await this.deps.keys.get(caller.tenant, id);
    if (id.startsWith(`${tokenIdPrefix}_`)) {
      throw new AppError('CONFLICT', `${id} represents an identity of an issuer: it has no secret.`, {
        hint: 'access.key.revoke revokes it.',
      });
    }
    const expiresAt = days === undefined ? null : new Date(Date.now() + days * dayMs);
    const lifetime = old.expires_at === null ? null : new Date(Date.now() + Date.parse(old.expires_at) - Date.parse(old.created_at));
    await this.assertNoMore(caller, await this.own(caller), { ...old, expiresAt: expiresAt ?? lifetime }, id);
    const rotation = { graceMs, ...(expiresAt === null ? {} : { expiresAt }) };
    const rotated = await this.deps.keys.rotate(caller.tenant, id, rotation, makerOf(caller, callKey));
    return { ...viewOf(rotated), api_key: rotated.api_key, old_expires_at: rotated.old_expires_at };
  }

  /** @throws AppError NOT_FOUND, CONFLICT */
  async collect(caller: Caller, id: string): Promise<Made> {
    const key = await this.deps.keys.collect(caller.tenant, id, lineOf(caller));
    return { ...viewOf(key), api_key: key.api_key };
  }

  /** @throws AppError NOT_FOUND */
  async revoke(caller: Caller, id: string): Promise<Omit<KeyView, 'rate'>> {
    return viewOf(await this.deps.keys.revoke(caller.tenant, id, { name: caller.principal }));
  }

  /** The keys of a tenant with calls in the current minute, busiest first. */
  async busiest({ tenant }: Caller, limit: number): Promise<{ key_id: string; name: string; rate: Rate }[]> {
    const rows = await this.db.query<KeyRow>(
      `select * from api_keys where tenant_id = $1 and revoked_at is null and last_used_at > now() - interval '10 minutes'
       order by last_used_at desc limit 1000`,
      [tenant],
    );
    const rates = await this.rates(tenant, rows);
    return rows
      .map((row, i) => ({ key_id: row.id, name: row.name, rate: rates[i]! }))
      .filter(({ rate }) => rate.used > 0)
      .sort((a, b) => b.rate.used - a.rate.used)
      .slice(0, limit);
  }

  private async rates(tenant: string, rows: readonly KeyRow[]): Promise<Rate[]> {
    return await this.deps.rates.used(
      tenant,
      rows.map(({ id: keyId, rate_rpm: rateRpm, rate_burst: rateBurst, profile }) => ({ keyId, rateRpm, rateBurst, profile })),
    );
  }

  /** The caller's own key; null: it has none, because no key is needed. */
  private async own({ tenant, keyId }: Caller): Promise<KeyRecord | null> {
    return await this.deps.keys.get(tenant, keyId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    });
  }

  private async assertNoMore(caller: Caller, own: KeyRecord | null, rights: Rights, replacing?: string): Promise<void> {
    const { tenant, principalKind, policy, profile } = caller;
    const { policies, rates } = this.deps;
    const [mine, wanted, people] = await Promise.all([
      policies.latest(tenant, policy),
      policies.latest(tenant, rights.policy),
      principalKind === 'human' || replacing !== undefined ? [] : this.peopleCalled(tenant, rights.name),
    ]);
    assertNoMore(caller, rights, {
      own: mine.definition,
      wanted: wanted.definition,
      limits: rates.limitsOf(
        own ? { rateRpm: own.rpm, rateBurst: own.burst, profile: own.profile } : { rateRpm: null, rateBurst: null, profile },
      ),
      defaults: this.deps.limits,
      ends: own?.expires_at ? new Date(own.expires_at) : null,
      nameOfPerson: people.length > 0,
    });
  }

  private async peopleCalled(tenant: string, name: string): Promise<unknown[]> {
    return await this.db.query(
      `select 1 from api_keys where tenant_id = $1 and lower(name) = lower($2) and principal_kind = 'human' and revoked_at is null limit 1`,
      [tenant, name],
    );
  }
}

const makerOf = (caller: Caller, callKey: string): Maker => ({
  name: caller.principal,
  line: lineOf(caller),
  keyId: derivedId('key', caller.tenant, callKey),
});

const stateOf = ({ revoked_at, expires_at }: KeyRecord): KeyView['state'] =>
  revoked_at ? 'revoked' : expires_at && Date.parse(expires_at) <= Date.now() ? 'ended' : 'valid';

const viewOf = (record: KeyRecord): Omit<KeyView, 'rate'> => ({
  key_id: record.key_id,
  name: record.name,
  role: record.role,
  kind: record.kind,
  state: stateOf(record),
  scopes: record.scopes,
  capabilities: record.capabilities,
  profile: record.profile,
  policy: record.policy,
  team: record.team,
  line: record.line,
  replaces: record.replaces,
  made_by: record.made_by,
  created_at: record.created_at,
  expires_at: record.expires_at,
  last_used_at: record.last_used_at,
  revoked_at: record.revoked_at,
});
