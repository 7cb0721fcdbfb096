import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { principalKinds, roles, type Caller, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import type { ApiKey } from '../../prisma/client/client.ts';
import { seedPhases } from '../work/phases.ts';

export interface NewKey {
  tenant: string;
  role: Role;
  /** Default: `agent` for the role `agent`, else `human`. */
  kind?: PrincipalKind;
  /** What calls with this key are attributed to. Default: the key's id. */
  name?: string;
  scopes?: string[];
  profile?: string;
  policy?: string;
  rpm?: number;
  burst?: number;
}

export interface KeyRecord {
  key_id: string;
  tenant: string;
  name: string;
  role: Role;
  kind: PrincipalKind;
  scopes: string[];
  profile: string | null;
  policy: string;
  rpm: number | null;
  burst: number | null;
  created_at: string;
  revoked_at: string | null;
}

/** What `find_api_key` returns: the one read that comes before a tenant is known. */
interface FoundKey extends Record<string, unknown> {
  id: string;
  tenant_id: string;
  name: string;
  principal_kind: PrincipalKind;
  role: Role;
  scopes: string[];
  profile: string | null;
  policy: string;
  rate_rpm: number | null;
  rate_burst: number | null;
}

const hash = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(secret).digest());
const secretShape = /^sb_[A-Za-z0-9_-]{43}$/;
const tenantShape = /^[a-z0-9][a-z0-9_-]{0,62}$/;
/** How long a looked-up key is trusted without asking again, in ms: the longest a revoked key lives on. */
const cacheFor = 2_000;

/** API keys: 256 random bits, stored as SHA-256 only. */
export class Keys {
  private readonly db: Database;
  private readonly cache = new Map<string, { caller: Caller; until: number }>();

  constructor(db: Database) {
    this.db = db;
  }

  /** Creates a key, and its tenant when it is new. The secret is in the answer and nowhere else. */
  async create(wanted: NewKey): Promise<KeyRecord & { api_key: string }> {
    const { tenant, role } = wanted;
    if (!tenantShape.test(tenant)) {
      throw new AppError('VALIDATION_ERROR', `Bad tenant "${tenant}".`, {
        hint: 'Lower-case letters, digits, "-" and "_", at most 63, starting with a letter or digit.',
      });
    }
    if (!roles.includes(role)) throw new AppError('VALIDATION_ERROR', `Unknown role "${role}".`, { hint: `Roles: ${roles.join(', ')}.` });
    const kind = wanted.kind ?? (role === 'agent' ? 'agent' : 'human');
    if (!principalKinds.includes(kind)) throw new AppError('VALIDATION_ERROR', `Unknown kind "${kind}".`, { hint: 'Kinds: human, agent.' });
    const secret = `sb_${randomBytes(32).toString('base64url')}`;
    const id = newId('key');
    return await asTenant(tenant, async () => {
      await this.ensureTenant(tenant);
      const row = await this.db.prisma.apiKey.create({
        data: {
          id,
          tenantId: tenant,
          name: wanted.name ?? id,
          hash: hash(secret),
          principalKind: kind,
          role,
          scopes: wanted.scopes ?? [],
          profile: wanted.profile ?? null,
          policy: wanted.policy ?? 'standard',
          rateRpm: wanted.rpm ?? null,
          rateBurst: wanted.burst ?? null,
        },
      });
      return { api_key: secret, ...record(row) };
    });
  }

  async list(tenant: string): Promise<KeyRecord[]> {
    const rows = await asTenant(tenant, () =>
      this.db.prisma.apiKey.findMany({ where: { tenantId: tenant }, orderBy: { createdAt: 'asc' } }),
    );
    return rows.map(record);
  }

  /** @throws AppError NOT_FOUND */
  async revoke(tenant: string, id: string): Promise<KeyRecord> {
    const [row] = await asTenant(tenant, async () => {
      await this.db.prisma.apiKey.updateMany({ where: { tenantId: tenant, id, revokedAt: null }, data: { revokedAt: new Date() } });
      return await this.db.prisma.apiKey.findMany({ where: { tenantId: tenant, id } });
    });
    if (!row) throw notFound('key', id, 'signalbox keys ls shows the keys of a tenant.');
    this.cache.clear();
    return record(row);
  }

  /** The caller behind a secret, or null when it is no valid key. */
  async authenticate(secret: string): Promise<Caller | null> {
    if (!secretShape.test(secret)) return null;
    const known = this.cache.get(secret);
    if (known && known.until > Date.now()) return known.caller;
    const rows = await this.db.query<FoundKey>('select * from find_api_key($1)', [hash(secret)]);
    const row = rows[0];
    this.cache.delete(secret);
    if (!row) return null;
    const caller: Caller = {
      tenant: row.tenant_id,
      keyId: row.id,
      keyName: row.name,
      principal: row.name,
      principalKind: row.principal_kind,
      role: row.role,
      scopes: row.scopes,
      profile: row.profile,
      policy: row.policy,
      rateRpm: row.rate_rpm,
      rateBurst: row.rate_burst,
    };
    if (this.cache.size > 5_000) this.cache.clear();
    this.cache.set(secret, { caller, until: Date.now() + cacheFor });
    return caller;
  }

  private async ensureTenant(tenant: string): Promise<void> {
    const created = await this.db.query('insert into tenants (id) values ($1) on conflict do nothing returning id', [tenant]);
    if (created.length > 0) await seedPhases(this.db, tenant);
  }
}

const record = (row: ApiKey): KeyRecord => ({
  key_id: row.id,
  tenant: row.tenantId,
  name: row.name,
  role: row.role as Role,
  kind: row.principalKind as PrincipalKind,
  scopes: row.scopes,
  profile: row.profile,
  policy: row.policy,
  rpm: row.rateRpm,
  burst: row.rateBurst,
  created_at: row.createdAt.toISOString(),
  revoked_at: row.revokedAt?.toISOString() ?? null,
});
