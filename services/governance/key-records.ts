import { createHash, randomBytes } from 'node:crypto';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { scopesOf, type Caller, type PrincipalKind, type Role } from '../../contracts/caller.ts';
import type { Columns, Tables } from '../../prisma/rows.ts';
import { noteEvent } from '../kernel/outbox.ts';

/** A key in lists: everything except the secret. */
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
  capabilities: string[];
  team: string | null;
  created_at: string;
  expires_at: string | null;
  /** Rounded to the minute. */
  last_used_at: string | null;
  /** The key that this one replaces. */
  replaces: string | null;
  revoked_at: string | null;
  /** The first key of its rotation chain. */
  line: string;
  /** Who made it with a tool; null: the command line. */
  made_by: string | null;
}

/** Who makes a key with a tool. The id of the new key comes from the call, so that a repeat finds it. */
export interface Maker {
  name: string;
  line: string;
  keyId: string;
}

export interface KeyRow
  extends
    Row,
    Columns<
      'api_keys',
      | 'id'
      | 'tenant_id'
      | 'name'
      | 'scopes'
      | 'profile'
      | 'policy'
      | 'rate_rpm'
      | 'rate_burst'
      | 'capabilities'
      | 'team'
      | 'created_at'
      | 'expires_at'
      | 'last_used_at'
      | 'replaces'
      | 'revoked_at'
      | 'made_by'
      | 'made_by_line'
      | 'run_id'
    > {
  principal_kind: PrincipalKind;
  role: Role;
  /** The first key of the rotation chain; null: this one. */
  line: Tables['api_keys']['line'];
}

/** 256 random bits; only `hashOfSecret` of it is stored. */
export const newSecret = (): string => `sb_${randomBytes(32).toString('base64url')}`;
export const isSecret = (text: string): boolean => /^sb_[A-Za-z0-9_-]{43}$/.test(text);
export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export const callerOf = (row: KeyRow): Caller => ({
  tenant: row.tenant_id,
  keyId: row.id,
  line: row.line ?? row.id,
  keyName: row.name,
  principal: row.name,
  principalKind: row.principal_kind,
  role: row.role,
  scopes: scopesOf(row.role, row.scopes),
  profile: row.profile,
  policy: row.policy,
  rateRpm: row.rate_rpm,
  rateBurst: row.rate_burst,
  capabilities: row.capabilities,
  team: row.team,
  ...(row.run_id === null ? {} : { run: row.run_id }),
});

export const recordOf = (row: KeyRow): KeyRecord => ({
  key_id: row.id,
  tenant: row.tenant_id,
  name: row.name,
  role: row.role,
  kind: row.principal_kind,
  scopes: scopesOf(row.role, row.scopes),
  profile: row.profile,
  policy: row.policy,
  rpm: row.rate_rpm,
  burst: row.rate_burst,
  capabilities: row.capabilities,
  team: row.team,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  replaces: row.replaces,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  line: row.line ?? row.id,
  made_by: row.made_by,
});

/** Tells a change as an event. Call it in the transaction of the change. */
export async function noteChange(
  query: Database['query'],
  { tenant_id, id, name, replaces }: KeyRow,
  change: 'created' | 'rotated' | 'revoked',
  by: Pick<Maker, 'name'> | undefined,
): Promise<void> {
  await noteEvent(query, tenant_id, 'key.changed', id, { change, name, replaces, by: by?.name ?? null });
}
