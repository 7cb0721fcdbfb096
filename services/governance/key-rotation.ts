import type { Database } from '../../adapters/postgres/database.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { newId } from '../../contracts/ids.ts';
import { topics } from '../../contracts/notices.ts';
import { notify } from '../kernel/notify.ts';
import { hashOfSecret, newSecret, noteChange, recordOf, type KeyRecord, type KeyRow, type Maker } from './key-records.ts';

export interface Rotation {
  /** How long the old secret still works, in ms. */
  graceMs: number;
  /** Expiry of the new key; default: the lifetime of the old one. */
  expiresAt?: Date;
}

/**
 * Replaces a key: same name, rights and limits. The old one expires after the grace period, or earlier if it was due;
 * its idempotency keys, approvals and sessions continue under the new one. Runs as the tenant.
 * @param maker who rotates it with a tool. A repeat of the call gives the new key another secret, because nobody got the first
 * @throws AppError NOT_FOUND; CONFLICT when it is revoked or already replaced
 */
export async function rotateKey(
  db: Database,
  tenant: string,
  id: string,
  { graceMs, expiresAt }: Rotation,
  maker?: Maker,
): Promise<KeyRecord & { api_key: string; old_expires_at: string }> {
  const secret = newSecret();
  return await db.transaction(async (query) => {
    const [old] = await query<KeyRow>('select * from api_keys where tenant_id = $1 and id = $2 for update', [tenant, id]);
    if (!old) throw notFound('key', id, 'signalbox keys ls shows the keys of a tenant.');
    if (old.revoked_at) throw new AppError('CONFLICT', `The key ${id} is revoked.`, { hint: 'signalbox keys create makes a new one.' });
    const [successor] = await query<{ id: string; last_used_at: Date | null }>(
      'select id, last_used_at from api_keys where tenant_id = $1 and replaces = $2 and revoked_at is null',
      [tenant, id],
    );
    if (successor && successor.id === maker?.keyId && !successor.last_used_at) {
      const [again] = await query<KeyRow>(
        'update api_keys set hash = $3, updated_at = now() where tenant_id = $1 and id = $2 returning *',
        [tenant, successor.id, hashOfSecret(secret)],
      );
      return { api_key: secret, ...recordOf(again!), old_expires_at: old.expires_at!.toISOString() };
    }
    if (successor) {
      throw new AppError('CONFLICT', `The key ${id} has been replaced by ${successor.id}.`, { hint: `Rotate ${successor.id} instead.` });
    }
    const lifetimeMs = old.expires_at ? old.expires_at.getTime() - old.created_at.getTime() : null;
    const until = expiresAt ?? (lifetimeMs === null ? null : new Date(Date.now() + lifetimeMs));
    const [ended] = await query<{ expires_at: Date }>(
      `update api_keys set expires_at = least(expires_at, now() + make_interval(secs => $3)), updated_at = now()
       where tenant_id = $1 and id = $2 returning expires_at`,
      [tenant, id, graceMs / 1000],
    );
    const [fresh] = await query<KeyRow>(
      `insert into api_keys (id, tenant_id, name, hash, principal_kind, role, scopes, profile, policy, rate_rpm, rate_burst,
         capabilities, team, run_id, expires_at, replaces, line, made_by, made_by_line)
       select $3, tenant_id, name, $4, principal_kind, role, scopes, profile, policy, rate_rpm, rate_burst, capabilities, team, run_id, $5, id,
         coalesce(line, id), $6, $7
       from api_keys where tenant_id = $1 and id = $2 returning *`,
      [tenant, id, maker?.keyId ?? newId('key'), hashOfSecret(secret), until, maker?.name ?? null, maker?.line ?? null],
    );
    await noteChange(query, fresh!, 'rotated', maker);
    await notify(query, topics.keys(tenant));
    return { api_key: secret, ...recordOf(fresh!), old_expires_at: ended!.expires_at.toISOString() };
  });
}
