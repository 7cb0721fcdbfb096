import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { localCaller, principalKinds, roles, type Caller, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { tokenIdPrefix } from '../../contracts/governance/oidc.ts';
import { newId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import {
  callerOf,
  hashOfSecret,
  isSecret,
  newSecret,
  noteChange,
  recordOf,
  type KeyRecord,
  type KeyRow,
  type Maker,
} from './key-records.ts';
import { revokeMade } from './made-keys.ts';
import { rotateKey, type Rotation } from './key-rotation.ts';
import { KeyUsage, type FirstCall } from './key-usage.ts';
import { notify } from '../kernel/notify.ts';
import { checkTenant, ensureTenant } from './tenants.ts';
import { Service } from '../kernel/service.ts';

export interface NewKey {
  tenant: string;
  role: Role;
  /** Default: `agent` for the role `agent`, else `human`. */
  kind?: PrincipalKind;
  /** Calls with this key are attributed to this name. Default: the key's id. */
  name?: string;
  scopes?: string[];
  profile?: string;
  policy?: string;
  rpm?: number;
  burst?: number;
  /** Default: no expiry. */
  expiresAt?: Date;
  /** Capabilities that its agent declares, e.g. `cap:index`. */
  capabilities?: string[];
  /** Stakeholder team whose scope applies to its reads. */
  team?: string;
  /** It works only while this run of an agent does. */
  runId?: string;
}

const capabilityShape = /^cap:[a-z0-9][a-z0-9_.:-]{0,62}$/;
/** How long a key lookup is cached, in ms: the longest that a revoked key keeps working. */
const cacheFor = 2_000;
/** How long the maker of an unused key can have another secret for it, in ms. */
const collectFor = 24 * 3_600_000;

/** API keys: 256 random bits, stored as SHA-256 only. */
export class Keys extends Service<never, { keyless?: boolean }> {
  private readonly usage = new KeyUsage(this.deps);
  private readonly cache = new Map<string, { caller: Caller; until: number }>();

  /**
   * Creates a key, and its tenant if it is new. The secret is only in the answer.
   * @param maker who makes it with a tool. A repeat of the call gives the key another secret, because nobody got the first
   * @throws AppError VALIDATION_ERROR; CONFLICT for a repeat after the key was used
   */
  async create(wanted: NewKey, maker?: Maker): Promise<KeyRecord & { api_key: string }> {
    const { tenant, role } = wanted;
    checkTenant(tenant);
    if (!roles.includes(role)) throw new AppError('VALIDATION_ERROR', `Unknown role "${role}".`, { hint: `Roles: ${roles.join(', ')}.` });
    const kind = wanted.kind ?? (role === 'agent' ? 'agent' : 'human');
    if (!principalKinds.includes(kind)) throw new AppError('VALIDATION_ERROR', `Unknown kind "${kind}".`, { hint: 'Kinds: human, agent.' });
    const wrong = wanted.capabilities?.find((one) => !capabilityShape.test(one));
    if (wrong !== undefined) {
      throw new AppError('VALIDATION_ERROR', `Bad capability "${wrong.slice(0, 100)}".`, { hint: 'E.g. cap:index, cap:work.' });
    }
    if (wanted.expiresAt && wanted.expiresAt.getTime() <= Date.now()) {
      throw new AppError('VALIDATION_ERROR', 'A key cannot end before it begins.', { hint: 'Give a time to come, e.g. --expires 90d.' });
    }
    const secret = newSecret();
    const id = maker?.keyId ?? newId('key');
    const values = [
      tenant,
      id,
      wanted.name ?? id,
      hashOfSecret(secret),
      kind,
      role,
      wanted.scopes ?? [],
      wanted.profile ?? null,
      wanted.policy ?? 'standard',
      wanted.rpm ?? null,
      wanted.burst ?? null,
      wanted.expiresAt ?? null,
      wanted.capabilities ?? [],
      wanted.team ?? null,
      maker?.name ?? null,
      maker?.line ?? null,
      wanted.runId ?? null,
    ];
    return await asTenant(tenant, async () => {
      await ensureTenant(this.db, tenant);
      const row = await this.db.transaction(async (query) => {
        const [made] = await query<KeyRow & { fresh: boolean }>(
          `insert into api_keys as k (tenant_id, id, name, hash, principal_kind, role, scopes, profile, policy, rate_rpm, rate_burst,
             expires_at, capabilities, team, made_by, made_by_line, run_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
           on conflict (id) do update set hash = excluded.hash, updated_at = now()
             where k.tenant_id = $1 and k.made_by_line = $16 and k.last_used_at is null and k.revoked_at is null
           returning *, xmax = 0 as fresh`,
          values,
        );
        if (made?.fresh) await noteChange(query, made, 'created', maker);
        return made;
      });
      if (!row) throw usedAlready(id);
      return { api_key: secret, ...recordOf(row) };
    });
  }

  async list(tenant: string): Promise<KeyRecord[]> {
    const rows = await asTenant(tenant, () =>
      this.db.query<KeyRow>('select * from api_keys where tenant_id = $1 order by created_at, id', [tenant]),
    );
    return rows.map(recordOf);
  }

  /**
   * Creates a new secret; the old one works during the grace period.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async rotate(
    tenant: string,
    id: string,
    rotation: Rotation,
    maker?: Maker,
  ): Promise<KeyRecord & { api_key: string; old_expires_at: string }> {
    const rotated = await asTenant(tenant, () => rotateKey(this.db, tenant, id, rotation, maker));
    this.forget();
    return rotated;
  }

  /**
   * Another secret for a key that nobody has used, for whoever made it within the last day: the answer with the first
   * one was lost, or was an approval's, which keeps no secret.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async collect(tenant: string, id: string, line: string): Promise<KeyRecord & { api_key: string }> {
    const secret = newSecret();
    const row = await asTenant(tenant, () =>
      this.db.transaction(async (query) => {
        const [known] = await query<KeyRow>(
          'select * from api_keys where tenant_id = $1 and id = $2 and made_by_line = $3 and revoked_at is null for update',
          [tenant, id, line],
        );
        if (!known) throw notFound('key', id, 'You get the secrets of keys that you have made: access.key.list shows them.');
        if (known.last_used_at || Date.now() - known.created_at.getTime() > collectFor) throw usedAlready(id);
        const [row] = await query<KeyRow>(
          'update api_keys set hash = $3, updated_at = now() where tenant_id = $1 and id = $2 returning *',
          [tenant, id, hashOfSecret(secret)],
        );
        await notify(query, topics.keys(tenant));
        return row!;
      }),
    );
    this.forget();
    return { api_key: secret, ...recordOf(row) };
  }

  /** @throws AppError NOT_FOUND */
  async revoke(tenant: string, id: string, by?: Pick<Maker, 'name'>): Promise<KeyRecord> {
    const row = await asTenant(tenant, () =>
      this.db.transaction(async (query) => {
        const [before] = await query<KeyRow>('select * from api_keys where tenant_id = $1 and id = $2 for update', [tenant, id]);
        if (!before) throw notFound('key', id, 'signalbox keys ls shows the keys of a tenant.');
        if (before.revoked_at) return before;
        const [revoked] = await query<KeyRow>(
          'update api_keys set revoked_at = now(), updated_at = now() where tenant_id = $1 and id = $2 returning *',
          [tenant, id],
        );
        await noteChange(query, revoked!, 'revoked', by);
        // Whoever has signed in at the issuer loses what they made with it.
        if (id.startsWith(`${tokenIdPrefix}_`)) await revokeMade(query, tenant, id, null, by ?? { name: 'command line' });
        await notify(query, topics.keys(tenant));
        return revoked!;
      }),
    );
    this.forget();
    return recordOf(row);
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<KeyRecord> {
    const [row] = await asTenant(tenant, () =>
      this.db.query<KeyRow>('select * from api_keys where tenant_id = $1 and id = $2', [tenant, id]),
    );
    if (!row) throw notFound('key', id, 'access.key.list shows the keys of your tenant.');
    return recordOf(row);
  }

  /** Looks keys up anew: another process may have changed one. */
  forget(): void {
    this.cache.clear();
  }

  /** The caller of a secret, or null when it is not a valid key. */
  async authenticate(secret: string): Promise<Caller | null> {
    const known = this.cache.get(secret);
    if (known && known.until > Date.now()) {
      this.usage.used(known.caller.tenant, known.caller.keyId);
      return known.caller;
    }
    if (!isSecret(secret)) return null;
    const rows = await this.db.query<KeyRow>('select * from find_api_key($1)', [hashOfSecret(secret)]);
    const row = rows[0];
    this.cache.delete(secret);
    if (!row) return null;
    const caller = callerOf(row);
    if (this.cache.size > 5_000) this.cache.clear();
    this.cache.set(secret, { caller, until: Math.min(Date.now() + cacheFor, row.expires_at?.getTime() ?? Infinity) });
    this.usage.used(caller.tenant, caller.keyId, Date.now(), row.last_used_at === null && row.made_by !== null);
    return caller;
  }

  /**
   * The caller for whom a process continues; null when its key was revoked or has expired. After a rotation it is the
   * replacing key.
   */
  async callerOf(tenant: string, keyId: string, principal: string): Promise<Caller | null> {
    if (keyId === localCaller.keyId) return this.deps.keyless && tenant === localCaller.tenant ? { ...localCaller, principal } : null;
    const [row] = await asTenant(tenant, () =>
      this.db.query<KeyRow>(
        `with recursive successors as (
           select k.*, 0 as depth from api_keys k where k.tenant_id = $1 and k.id = $2 and k.revoked_at is null
           union all
           select k.*, s.depth + 1 from api_keys k join successors s on k.replaces = s.id
             where k.tenant_id = $1 and k.revoked_at is null and s.depth < 100
         ) select * from successors where expires_at is null or expires_at > now() order by depth limit 1`,
        [tenant, keyId],
      ),
    );
    return row ? { ...callerOf(row), principal } : null;
  }

  /** When a key expires; null: never, or it is none. */
  async endOf(tenant: string, keyId: string): Promise<Date | null> {
    const [row] = await asTenant(tenant, () =>
      this.db.query<{ expires_at: Date | null }>('select expires_at from api_keys where tenant_id = $1 and id = $2', [tenant, keyId]),
    );
    return row?.expires_at ?? null;
  }

  /** Records a use that was authenticated elsewhere. */
  used({ tenant, keyId }: Pick<Caller, 'tenant' | 'keyId'>): void {
    this.usage.used(tenant, keyId);
  }

  /** Notes a call, for the events about a new key's first ones. */
  called(caller: Caller, call: FirstCall): void {
    this.usage.called(caller, call);
  }

  /** Writes pending last uses. */
  async close(): Promise<void> {
    await this.usage.flush();
  }
}

const usedAlready = (id: string): AppError =>
  new AppError('CONFLICT', `The key ${id} has been used, or was created more than a day ago: its secret cannot be collected.`, {
    hint: 'access.key.rotate replaces it.',
  });
