import type { GraphStore } from '../../../adapters/graph/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import { AppError } from '../../../contracts/errors.ts';
import { areaOf } from '../../graph/index.ts';
import type { EntityLookup } from '../../graph/index.ts';
import type { FindPassages } from '../../graph/index.ts';
import { terms } from '../../../engines/retrieval/terms.ts';

/** Signals of a focus: about these entities, or listed. */
export interface Focus {
  by: 'entities' | 'signals';
  ids: string[];
  /** How it was interpreted. */
  told: string;
}

const searched = 100;
/** A passage this close in meaning matches, whatever its words. */
const cosineFrom = 0.72;

/**
 * A product area, theme, feature or product; else any entity of that name; else passages about it.
 * @throws AppError AMBIGUOUS_ENTITY
 */
export async function focusOn(
  { query, graph, lookup, find }: { query: Database['query']; graph: GraphStore; lookup: EntityLookup; find: FindPassages },
  tenant: string,
  name: string,
): Promise<Focus> {
  const area = await unlessUnknown(areaOf({ query }, graph, tenant, name));
  if (area) return { by: 'entities', ids: await things(query, tenant, area.ids), told: area.warning ?? `Product area "${area.name}".` };
  const named = await unlessUnknown(lookup.resolveName(tenant, name));
  if (named) return { by: 'entities', ids: [named.entity.id], told: `${named.entity.type} "${named.entity.name}".` };
  const words = new Set(terms(name));
  const passages = (await find(tenant, name, searched)).filter(
    ({ content, cosine = 0 }) => cosine >= cosineFrom || (words.size > 0 && [...words].every((word) => terms(content).includes(word))),
  );
  const places = passages.map(({ citation, document_id }) => ({ document: document_id, ordinal: Number(citation.split('#').at(-1)) }));
  const rows = await query<{ id: string }>(
    `select s.id from unnest($2::text[], $3::int[]) p(document_id, ordinal)
     join chunks c on c.tenant_id = $1 and c.document_id = p.document_id and c.ordinal = p.ordinal
     join signals s on s.tenant_id = $1 and s.chunk_id = c.id`,
    [tenant, places.map(({ document }) => document), places.map(({ ordinal }) => ordinal)],
  );
  return {
    by: 'signals',
    ids: rows.map(({ id }) => id),
    told: `No area or entity has the name "${name}": what passages say of it was taken.`,
  };
}

/** A customer who mentions an area mentions others, too, so customers are excluded. */
async function things(query: Database['query'], tenant: string, ids: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select id from entities where tenant_id = $1 and id = any($2) and type not in ('customer', 'stakeholder', 'person', 'organization')`,
    [tenant, ids],
  );
  return rows.map(({ id }) => id);
}

async function unlessUnknown<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
