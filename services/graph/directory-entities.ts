import type { Database } from '../../adapters/postgres/database.ts';
import { newId } from '../../contracts/ids.ts';
import type { Directory } from '../../engines/evidence/types.ts';
import { nameKey } from '../../engines/text/names.ts';
import { noteGraphChange } from './fold.ts';
import { insertAliases, insertEntities, type NewAlias, type NewEntity } from './resolve-records.ts';

type Query = Database['query'];

interface Named {
  type: string;
  name: string;
  keys: Map<string, string>;
}

/** Customers, competitors and features of the directory, with all their names. */
export function namedIn({ organisations, features }: Directory): Named[] {
  const named = (type: string, name: string, aliases: readonly string[]): Named => ({
    type,
    name,
    keys: new Map([name, ...aliases].map((each) => [nameKey(each), each] as const).filter(([key]) => key !== '')),
  });
  return [
    ...organisations
      .filter(({ role }) => role === 'customer' || role === 'competitor')
      .map(({ role, name, aliases }) => named(role, name, aliases)),
    ...features.map(({ name, aliases }) => named('feature', name, aliases)),
  ];
}

/** Types of the directory's names, by key. */
export function typesIn(directory: Directory): Map<string, string> {
  return new Map(namedIn(directory).flatMap(({ type, keys }) => [...keys.keys()].map((key) => [key, type] as const)));
}

/**
 * Gives the names of the directory to entities. An entity that people named keeps its names; other entities of the
 * type lose a name that the directory gives to another one. The mentions follow when their documents are read again.
 */
export async function nameEntities(query: Query, tenant: string, directory: Directory): Promise<void> {
  const wanted = namedIn(directory);
  const owners = await ownersOf(query, tenant, wanted);
  const fresh: NewEntity[] = [];
  const aliases: NewAlias[] = [];
  const moved: { type: string; key: string; entity: string }[] = [];
  const renamed: { id: string; name: string }[] = [];
  for (const { type, name, keys } of wanted) {
    const own = owners.get(`${type} ${nameKey(name)}`) ?? [...keys.keys()].map((key) => owners.get(`${type} ${key}`)).find(Boolean);
    const id = own?.id ?? newId('ent');
    if (!own) fresh.push({ id, type, name, certain: true });
    else if (own.name !== name && own.origin === 'extraction') renamed.push({ id, name });
    for (const [key, alias] of keys) {
      const owner = owners.get(`${type} ${key}`);
      if (!owner) aliases.push({ entityId: id, type, key, alias, origin: 'directory' });
      else if (owner.id !== id && !owner.fixed) moved.push({ type, key, entity: id });
    }
  }
  await insertEntities(query, tenant, fresh);
  await insertAliases(query, tenant, aliases);
  await query(
    `update entity_aliases a set entity_id = r.entity, origin = 'directory' from jsonb_to_recordset($2::jsonb) as r(type text, key text, entity text)
     where a.tenant_id = $1 and a.type = r.type and a.key = r.key`,
    [tenant, JSON.stringify(moved)],
  );
  await query(
    `update entities e set name = r.name, certain = true, model = null, embedding = null, rev = e.rev + 1, updated_at = now()
     from jsonb_to_recordset($2::jsonb) as r(id text, name text) where e.tenant_id = $1 and e.id = r.id`,
    [tenant, JSON.stringify(renamed)],
  );
  // Names that the directory has given up; mentions keep theirs.
  await query(
    `delete from entity_aliases a where a.tenant_id = $1 and a.origin = 'directory'
       and not exists (select from jsonb_to_recordset($2::jsonb) as r(type text, key text) where r.type = a.type and r.key = a.key)
       and not exists (select from entity_mentions m where m.tenant_id = $1 and m.entity_id = a.entity_id and m.key = a.key)`,
    [tenant, JSON.stringify(wanted.flatMap(({ type, keys }) => [...keys.keys()].map((key) => ({ type, key }))))],
  );
  await noteGraphChange(query, tenant, 'directory', [...fresh, ...renamed].map(({ id }) => id).concat(moved.map(({ entity }) => entity)));
}

interface Owner {
  id: string;
  name: string;
  origin: string;
  /** A person gave the name to this entity. */
  fixed: boolean;
}

async function ownersOf(query: Query, tenant: string, wanted: readonly Named[]): Promise<Map<string, Owner>> {
  const rows = await query<Owner & { type: string; key: string } & Record<string, unknown>>(
    `select a.type, a.key, e.id, e.name, e.origin, a.origin = 'person' or e.origin = 'person' as fixed
     from entity_aliases a join entities e on e.tenant_id = $1 and e.id = a.entity_id
     where a.tenant_id = $1 and a.key = any($2)`,
    [tenant, [...new Set(wanted.flatMap(({ keys }) => [...keys.keys()]))]],
  );
  return new Map(rows.map(({ type, key, ...owner }) => [`${type} ${key}`, owner]));
}
