import type { Database } from '../../adapters/postgres/database.ts';
import { hasScope, type Role } from '../../contracts/caller.ts';
import { noteChange, type KeyRow, type Maker } from './key-records.ts';

/** What a maker's keys may not exceed. Keys are made by admins alone. */
interface Remaining {
  role: Role;
  scopes: readonly string[];
  capabilities: readonly string[];
}

/**
 * Revokes the keys that somebody has made, and those made with them, as far as they allow more than their maker may do
 * now. Run it in the transaction that takes the rights away.
 * @param remaining null: none
 * @returns how many were revoked
 */
export async function revokeMade(
  query: Database['query'],
  tenant: string,
  line: string,
  remaining: Remaining | null,
  by: Pick<Maker, 'name'>,
): Promise<number> {
  const made = await query<KeyRow>(
    `with recursive made as (
       select * from api_keys where tenant_id = $1 and made_by_line = $2
       union
       select k.* from api_keys k join made m on k.made_by_line = coalesce(m.line, m.id) where k.tenant_id = $1
     ) select * from made where revoked_at is null order by id`,
    [tenant, line],
  );
  const tooMuch = made.filter((key) => exceeds(key, remaining)).map(({ id }) => id);
  const revoked = await query<KeyRow>(
    'update api_keys set revoked_at = now(), updated_at = now() where tenant_id = $1 and id = any($2) and revoked_at is null returning *',
    [tenant, tooMuch],
  );
  for (const key of revoked) await noteChange(query, key, 'revoked', by);
  return revoked.length;
}

function exceeds(key: KeyRow, remaining: Remaining | null): boolean {
  if (remaining?.role !== 'admin') return true;
  const { scopes, capabilities } = remaining;
  return (
    (scopes.length > 0 && (key.scopes.length === 0 || key.scopes.some((scope) => !hasScope(scopes, scope)))) ||
    (capabilities.length > 0 && (key.capabilities.length === 0 || key.capabilities.some((one) => !capabilities.includes(one))))
  );
}
