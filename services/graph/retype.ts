import type { Database } from '../../adapters/postgres/database.ts';

/**
 * Gives entities another type. A name that another entity of the new type has stays with that one. The caller holds
 * the tenant's graph lock.
 */
export async function retype(query: Database['query'], tenant: string, changes: readonly { id: string; type: string }[]): Promise<void> {
  for (const { id, type } of changes) {
    await query(
      `delete from entity_aliases a where a.tenant_id = $1 and a.entity_id = $2 and a.type <> $3
         and exists (select from entity_aliases o where o.tenant_id = $1 and o.type = $3 and o.key = a.key)`,
      [tenant, id, type],
    );
    await query('update entity_aliases set type = $3 where tenant_id = $1 and entity_id = $2 and type <> $3', [tenant, id, type]);
    await query('update entities set type = $3, certain = true, rev = rev + 1, updated_at = now() where tenant_id = $1 and id = $2', [
      tenant,
      id,
      type,
    ]);
  }
}
