import type { GraphCopy, GraphNode } from '../../../adapters/graph/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import { nameOf, standingFrom } from './entities.ts';

/** Whether Postgres and the copy of the graph agree for a tenant. They may differ while changes are being copied. */
export interface Agreement {
  agrees: boolean;
  /** In Postgres. */
  entities: number;
  relations: number;
  /** In Postgres but not in the copy; each of these lists has the first 100. */
  missing: string[];
  /** In the copy but not in Postgres. */
  surplus: string[];
  /** In both, but different. */
  differing: string[];
}

const pageSize = 500;
const mostTold = 100;

/**
 * Compares page by page: Postgres with the copy, then the rest of the copy. Only the outgoing relations of one page's
 * entities are in memory.
 */
export async function agreement(db: Database, copy: GraphCopy, tenant: string): Promise<Agreement> {
  const result: Agreement = { agrees: true, entities: 0, relations: 0, missing: [], surplus: [], differing: [] };
  for (let after = ''; ;) {
    const nodes = await activeNodes(db, tenant, after);
    const ids = nodes.map(({ id }) => id);
    compare(nodes, await copy.find(tenant, ids), entityName, ({ type, name }) => `${type} ${name}`, result);
    const relations = await standingFrom(db, tenant, ids);
    compare(relations, await copy.relationsFrom(tenant, ids), nameOf, ({ passages, documents }) => `${passages} ${documents}`, result);
    result.entities += nodes.length;
    result.relations += relations.length;
    if (nodes.length < pageSize) break;
    after = ids.at(-1)!;
  }
  for (let after = ''; ;) {
    const ids = (await copy.nodes(tenant, after, pageSize)).map(({ id }) => id);
    const here = new Set(await activeOf(db, tenant, ids));
    const strays = ids.filter((id) => !here.has(id));
    for (const id of strays) tell(result, 'surplus', entityName({ id }));
    for (const relation of await copy.relationsFrom(tenant, strays)) tell(result, 'surplus', nameOf(relation));
    if (ids.length < pageSize) return result;
    after = ids.at(-1)!;
  }
}

const entityName = ({ id }: { id: string }): string => `entity ${id}`;

function tell(result: Agreement, list: 'missing' | 'surplus' | 'differing', what: string): void {
  result.agrees = false;
  if (result[list].length < mostTold) result[list].push(what);
}

function compare<T>(mine: T[], theirs: T[], keyOf: (each: T) => string, contentOf: (each: T) => string, result: Agreement): void {
  const others = new Map(theirs.map((each) => [keyOf(each), each]));
  for (const each of mine) {
    const key = keyOf(each);
    const other = others.get(key);
    if (other === undefined) tell(result, 'missing', key);
    else if (contentOf(other) !== contentOf(each)) tell(result, 'differing', key);
    others.delete(key);
  }
  for (const key of others.keys()) tell(result, 'surplus', key);
}

async function activeNodes(db: Database, tenant: string, after: string): Promise<GraphNode[]> {
  return await db.query<GraphNode & Record<string, unknown>>(
    `select id, type, name from entities where tenant_id = $1 and status = 'active' and id > $2 order by id limit ${pageSize}`,
    [tenant, after],
  );
}

async function activeOf(db: Database, tenant: string, ids: string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from entities where tenant_id = $1 and id = any($2) and status = 'active'`, [
    tenant,
    ids,
  ]);
  return rows.map(({ id }) => id);
}
