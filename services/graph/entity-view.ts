import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { Entity, EntityRef, ExternalRecord, Profiled } from '../../contracts/graph/graph.ts';
import { nameKey } from '../../engines/text/names.ts';
import type { Columns } from '../../prisma/rows.ts';
import { countedInScope } from './scoped-counts.ts';

type Query = Database['query'];

/** An active entity as lists show it. */
export interface EntityRow extends Row, Columns<'entities', 'id' | 'type' | 'name' | 'description' | 'area' | 'signal_count' | 'state'> {
  metadata: Record<string, unknown>;
}

export const entityColumns = 'e.id, e.type, e.name, e.description, e.area, e.signal_count, e.metadata, e.state';

/** Maximum further names shown per entity. */
const shownAliases = 50;
const shownLinks = 100;

export async function activeEntities(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, EntityRow>> {
  const rows = await query<EntityRow>(
    `select ${entityColumns} from entities e where e.tenant_id = $1 and e.id = any($2) and e.status = 'active'`,
    [tenant, ids],
  );
  return new Map((await countedInScope(query, tenant, rows, ({ id }) => id)).map((row) => [row.id, row]));
}

/** Further names of entities, by id, without spellings of the main name. */
export async function aliasesOf(
  query: Query,
  tenant: string,
  entities: readonly { id: string; name: string }[],
): Promise<Map<string, string[]>> {
  const rows = await query<{ entity_id: string; alias: string; key: string }>(
    `select a.entity_id, a.alias, a.key from unnest($2::text[]) w(id) cross join lateral (
       select entity_id, alias, key from entity_aliases where tenant_id = $1 and entity_id = w.id order by key limit ${shownAliases + 1}) a`,
    [tenant, entities.map(({ id }) => id)],
  );
  const own = new Map(entities.map(({ id, name }) => [id, nameKey(name)]));
  const aliases = new Map<string, string[]>(entities.map(({ id }) => [id, []]));
  for (const { entity_id, alias, key } of rows) if (key !== own.get(entity_id)) aliases.get(entity_id)?.push(alias);
  return aliases;
}

/** Records of entities in other systems, by id. */
export async function linksOf(query: Query, tenant: string, ids: readonly string[]): Promise<Map<string, ExternalRecord[]>> {
  const rows = await query<{ id: string } & ExternalRecord & Row>(
    `select w.id, l.external_system, l.external_id, l.url from unnest($2::text[]) w(id) cross join lateral (
       select external_system, external_id, url from entity_links where tenant_id = $1 and entity_id = w.id
       order by external_system, external_id limit ${shownLinks}) l`,
    [tenant, ids],
  );
  const links = new Map<string, ExternalRecord[]>(ids.map((id) => [id, []]));
  for (const { id, ...link } of rows) links.get(id)?.push(link);
  return links;
}

/** An entity with its data for other systems, as in its profile. */
export async function profiledView(query: Query, tenant: string, entity: Parameters<typeof refView>[0]): Promise<Profiled> {
  const [row] = await query<{ state: string | null }>('select state from entities where tenant_id = $1 and id = $2', [tenant, entity.id]);
  return { ...refView(entity), state: row?.state ?? null, links: (await linksOf(query, tenant, [entity.id])).get(entity.id) ?? [] };
}

export const entityView = (row: EntityRow, aliases: readonly string[] = []): Entity => ({
  entity_id: row.id,
  name: row.name,
  type: row.type,
  aliases: aliases.slice(0, shownAliases),
  signal_count: row.signal_count,
  metadata: row.metadata,
});

export const refView = ({ id, name, type, signal_count }: { id: string; name: string; type: string; signal_count: number }): EntityRef => ({
  entity_id: id,
  name,
  type,
  signal_count,
});

/**
 * Reads each type's entities from their index, ordered by number of signals: a tenant has few types and many
 * entities. Begins a statement; `listed` has id, type, signal_count. $1 is the tenant.
 * @param where trusted conditions on `e`
 * @param limit per type
 */
export const listedByType = (where: string, limit: string): string => `
  with recursive types as (
    (select e.type from entities e where e.tenant_id = $1 and e.status = 'active' order by e.type limit 1)
    union all
    select (select e.type from entities e where e.tenant_id = $1 and e.status = 'active' and e.type > t.type order by e.type limit 1)
    from types t where t.type is not null),
  listed as (
    select l.* from types t cross join lateral (
      select e.id, e.type, e.signal_count from entities e where e.tenant_id = $1 and e.type = t.type and e.status = 'active' and ${where}
      order by e.signal_count desc, e.id limit ${limit}) l
    where t.type is not null)`;
