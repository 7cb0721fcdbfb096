import type { Database } from '../../adapters/postgres/database.ts';
import type { GraphStore } from '../../adapters/graph/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { keyOf } from './aliases.ts';
import { byKey, survivors } from './lookup-sql.ts';
import { nameKey } from '../../engines/text/names.ts';

export interface Area {
  name: string;
  /** Entities of the area. */
  ids: string[];
  /** How the area was interpreted, when no entity is assigned to it. */
  warning?: string;
}

/** Maximum entities of one area. */
const most = 5_000;
/** Entities that others may be part of. */
const themes = new Set(['theme', 'feature', 'product']);

/**
 * Entities of a product area: those assigned to it; else a theme, feature or product of that name and the entities
 * mentioned with it.
 * @throws AppError NOT_FOUND with the known areas
 */
export async function areaOf({ query }: Pick<Database, 'query'>, store: GraphStore, tenant: string, name: string): Promise<Area> {
  const key = keyOf(name);
  const areas = await query<{ area: string; n: number }>(
    `select area, count(*)::int as n from entities where tenant_id = $1 and area is not null and status = 'active'
     group by area order by n desc, area limit 1000`,
    [tenant],
  );
  const meant = areas.filter(({ area }) => nameKey(area) === key).map(({ area }) => area);
  if (meant.length > 0) {
    const rows = await query<{ id: string }>(
      `select id from entities where tenant_id = $1 and area = any($2) and status = 'active' order by signal_count desc, id limit ${most}`,
      [tenant, meant],
    );
    return { name: meant[0]!, ids: rows.map(({ id }) => id) };
  }
  const same = (await byKey(query, tenant, key)).map(({ entity_id }) => entity_id);
  const roots = [...(await survivors(query, tenant, same)).values()].filter(({ type }) => themes.has(type));
  if (roots.length === 0) {
    throw new AppError('NOT_FOUND', `No product area is known as "${name}".`, {
      hint:
        areas.length > 0
          ? 'Take one of the known areas, or leave it out.'
          : 'No areas are known yet: leave it out, or name a theme, feature or product that is known.',
      ...(areas.length > 0 ? { alternatives: areas.slice(0, 10).map(({ area }) => area) } : {}),
    });
  }
  const around = await store.around(
    tenant,
    roots.map(({ id }) => id),
    { depth: 1, limit: most },
  );
  const told = roots.map(({ type, name: full }) => `${type} "${full}"`).join(' and ');
  return {
    name: roots[0]!.name,
    ids: around.nodes.map(({ id }) => id),
    warning: `No entity is marked as of the area "${name}": taken as ${told} with what is told together with it.`,
  };
}
