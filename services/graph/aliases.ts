import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import { blocksOf, nameKey } from '../../engines/text/names.ts';

type Query = Database['query'];

export interface NewAlias {
  entityId: string;
  /** Type of the entity: a key has one owner per type. */
  type: string;
  alias: string;
  origin: 'name' | 'resolution' | 'merge' | 'person';
  by: string;
}

/**
 * Adds a name to an entity, with the blocks by which similar names find it. The caller holds the graph lock.
 * @returns known: the entity already had it, perhaps in another spelling; nothing was written
 * @throws AppError CONFLICT naming the owner when another entity of the type has it, VALIDATION_ERROR when it is not
 * a name
 */
export async function addAlias(query: Query, tenant: string, { entityId, type, alias, origin, by }: NewAlias): Promise<'added' | 'known'> {
  const key = keyOf(alias);
  const added = await query(
    `insert into entity_aliases (tenant_id, type, key, entity_id, alias, origin, created_by) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, type, key) do nothing returning 1`,
    [tenant, type, key, entityId, alias.trim(), origin, by],
  );
  if (added.length === 0) {
    const owner = await ownerOf(query, tenant, type, key);
    if (owner?.id === entityId) return 'known';
    throw takenBy(alias, type, owner);
  }
  await query('insert into entity_blocks (tenant_id, block, type, key) select $1, block, $2, $3 from unnest($4::text[]) block', [
    tenant,
    type,
    key,
    blocksOf(key),
  ]);
  return 'added';
}

/** The owner of this name among entities of this type; null: none. */
export async function ownerOf(query: Query, tenant: string, type: string, key: string): Promise<{ id: string; name: string } | null> {
  const [owner] = await query<{ id: string; name: string }>(
    `select e.id, e.name from entity_aliases a join entities e on e.tenant_id = $1 and e.id = a.entity_id
     where a.tenant_id = $1 and a.type = $2 and a.key = $3`,
    [tenant, type, key],
  );
  return owner ?? null;
}

/**
 * The key of a given name.
 * @throws AppError VALIDATION_ERROR when nothing is left after normalization
 */
export function keyOf(name: string): string {
  const key = nameKey(name);
  if (key === '') {
    throw new AppError('VALIDATION_ERROR', `"${name}" is not a name: it has neither letters nor digits.`, {
      hint: 'Give the name as people say or write it.',
    });
  }
  return key;
}

const takenBy = (alias: string, type: string, owner: { id: string; name: string } | null): AppError =>
  new AppError('CONFLICT', `"${alias}" is a name of ${owner ? `${type} "${owner.name}"` : `another ${type}`} already.`, {
    hint: 'If both are the same, merge them; if the name was given to the wrong one, split it off first.',
    ...(owner ? { details: { owner: { entity_id: owner.id, name: owner.name, type } } } : {}),
  });
