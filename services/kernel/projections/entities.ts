import type { GraphChanges, GraphCopy, GraphNode, Relation } from '../../../adapters/graph/types.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { Copied } from './copied.ts';
import type { Cursor } from './cursors.ts';

/** Entities per write, and relations per transaction of the copy. */
const entitiesAtOnce = 1_000;
const relationsAtOnce = 2_000;

type Place = [source: string, target: string, kind: string];

/**
 * Makes the copy of these entities equal to Postgres: active ones with their relations, none of others. For entities
 * already in the copy, only relations changed since are read.
 * @returns the number of relations written
 */
async function projectEntities(db: Database, copy: GraphCopy, tenant: string, ids: string[], since: Cursor | null): Promise<number> {
  let relations = 0;
  for (let from = 0; from < ids.length; from += entitiesAtOnce) {
    relations += await projectSome(db, copy, tenant, ids.slice(from, from + entitiesAtOnce), since);
  }
  return relations;
}

async function projectSome(db: Database, copy: GraphCopy, tenant: string, ids: string[], since: Cursor | null): Promise<number> {
  const nodes = await activeNodes(db, tenant, ids);
  const active = nodes.map(({ id }) => id);
  const known = since === null ? [] : await copy.present(tenant, active);
  const isKnown = new Set(known);
  const isActive = new Set(active);
  // An entity that is new to the copy, active again, or was partly written, may have older relations.
  const fresh = active.filter((id) => !isKnown.has(id));
  await copy.write(tenant, { ...nothing, nodes, gone: ids.filter((id) => !isActive.has(id)) });
  const written = (await projectRelations(db, copy, tenant, fresh, null)) + (await projectRelations(db, copy, tenant, known, since));
  if (fresh.length > 0) await copy.write(tenant, { ...nothing, whole: fresh });
  return written;
}

const nothing: GraphChanges = { nodes: [], gone: [], relations: [], ended: [], whole: [] };

/** @param since null: all of them */
async function projectRelations(db: Database, copy: GraphCopy, tenant: string, ids: string[], since: Cursor | null): Promise<number> {
  if (ids.length === 0) return 0;
  let written = 0;
  for (const side of ['source', 'target'] as const) {
    let after: Place = ['', '', ''];
    for (;;) {
      const rows = await relationsOf(db, tenant, side, ids, since, after);
      const last = rows.at(-1);
      if (!last) break;
      const ended = rows.filter(({ passages }) => passages === 0);
      // If the other end is not copied yet, it brings all its relations later.
      const relations = await standing(db, tenant, rows);
      await copy.write(tenant, { ...nothing, relations, ended });
      written += relations.length;
      after = [last.source, last.target, last.kind];
    }
  }
  return written;
}

/**
 * Which of these have passages and two active ends. A separate query, because a join may take minutes with a new
 * tenant's plan.
 */
async function standing(db: Database, tenant: string, relations: Relation[]): Promise<Relation[]> {
  const shown = relations.filter(({ passages }) => passages > 0);
  const ends = [...new Set(shown.flatMap(({ source, target }) => [source, target]))];
  const active = new Set((await activeNodes(db, tenant, ends)).map(({ id }) => id));
  return shown.filter(({ source, target }) => active.has(source) && active.has(target));
}

/** In the order of the index. */
async function relationsOf(
  db: Database,
  tenant: string,
  side: 'source' | 'target',
  ids: string[],
  since: Cursor | null,
  after: Place,
): Promise<Relation[]> {
  const [first, second] = side === 'source' ? ['source_id', 'target_id'] : ['target_id', 'source_id'];
  const [source, target, kind] = after;
  return await db.query<Relation & Record<string, unknown>>(
    `select source_id as source, target_id as target, kind, passages, documents from entity_relations
     where tenant_id = $1 and ${first} = any($2) and ($3::xid8 is null or changed >= $3::xid8) and (${first}, ${second}, kind) > ($4, $5, $6)
     order by ${first}, ${second}, kind limit ${relationsAtOnce}`,
    [tenant, ids, since?.xid ?? null, ...(side === 'source' ? [source, target] : [target, source]), kind],
  );
}

async function activeNodes(db: Database, tenant: string, ids: string[]): Promise<GraphNode[]> {
  return await db.query<GraphNode & Record<string, unknown>>(
    `select id, type, name from entities where tenant_id = $1 and id = any($2) and status = 'active'`,
    [tenant, ids],
  );
}

/** Removes inactive entities, and relations that no longer exist. */
async function removeStrays(
  db: Database,
  copy: GraphCopy,
  tenant: string,
  after: string | null,
): Promise<{ strays: number; next: string | null }> {
  const nodes = await copy.nodes(tenant, after ?? '', entitiesAtOnce);
  const ids = nodes.map(({ id }) => id);
  const active = new Set((await activeNodes(db, tenant, ids)).map(({ id }) => id));
  const gone = ids.filter((id) => !active.has(id));
  const standing = new Set((await standingFrom(db, tenant, ids)).map(nameOf));
  const ended = (await copy.relationsFrom(tenant, [...active])).filter((relation) => !standing.has(nameOf(relation)));
  if (gone.length + ended.length > 0) await copy.write(tenant, { ...nothing, gone, ended });
  return { strays: gone.length + ended.length, next: nodes.length === entitiesAtOnce ? ids.at(-1)! : null };
}

/** Outgoing relations of these entities to active ones. */
export async function standingFrom(db: Database, tenant: string, ids: readonly string[]): Promise<Relation[]> {
  const rows = await db.query<Relation & Record<string, unknown>>(
    `select source_id as source, target_id as target, kind, passages, documents from entity_relations
     where tenant_id = $1 and source_id = any($2) and passages > 0`,
    [tenant, ids],
  );
  return await standing(db, tenant, rows);
}

/** Text form of a relation. */
export const nameOf = ({ source, target, kind }: Pick<Relation, 'source' | 'target' | 'kind'>): string => `${source} -${kind}-> ${target}`;

async function page(db: Database, tenant: string, after: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from entities where tenant_id = $1 and status = 'active' and id > $2 order by id limit ${entitiesAtOnce}`,
    [tenant, after],
  );
  return rows.map(({ id }) => id);
}

async function behind(db: Database, tenant: string, cursor: Cursor | null): Promise<{ records: number; seconds: number }> {
  const [row] = cursor
    ? await db.query<{ records: number; seconds: number }>(
        `select count(distinct e.id)::int as records, coalesce(extract(epoch from now() - min(o.created_at)), 0)::float8 as seconds
         from outbox o cross join jsonb_array_elements_text(o.data->'entities') e(id)
         where o.tenant_id = $1 and (o.xid, o.id) > ($2::xid8, $3::bigint) and o.type = 'graph.changed'`,
        [tenant, cursor.xid, cursor.id],
      )
    : await db.query<{ records: number; seconds: number }>(
        `select count(*)::int as records, 0::float8 as seconds from entities where tenant_id = $1 and status = 'active'`,
        [tenant],
      );
  return row ?? { records: 0, seconds: 0 };
}

/** Active entities with their relations, copied to the graph store. */
export const graphCopied = (db: Database, copy: GraphCopy): Copied => ({
  name: 'neo4j',
  follower: copy.follower,
  changesAtOnce: 50,
  exists: () => copy.exists(),
  ensure: () => copy.ensure(),
  removeTenant: (tenant) => copy.removeTenant(tenant),
  concerned: ({ type, entities }) => (type === 'graph.changed' ? (entities ?? []) : []),
  project: (tenant, ids, since) => projectEntities(db, copy, tenant, ids, since),
  count: () => copy.count(),
  async filled(tenant) {
    return (await db.query(`select 1 from entities where tenant_id = $1 and status = 'active' limit 1`, [tenant])).length > 0;
  },
  page: (tenant, after) => page(db, tenant, after),
  removeStrays: (tenant, after) => removeStrays(db, copy, tenant, after),
  behind: (tenant, cursor) => behind(db, tenant, cursor),
});
