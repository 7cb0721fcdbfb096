import type { Row } from '../../adapters/postgres/database.ts';
import type { Neighbourhood } from '../../contracts/graph/graph.ts';
import { Service } from '../kernel/service.ts';
import type { EntityLookup } from './lookup.ts';
import { countedInScope } from './scoped-counts.ts';

/** Neighbours counted per entity. */
const countedNeighbours = 100;
const shownEdges = 2_000;
/** Former neighbours, known by facts that hold no longer. */
const former = 50;

/**
 * SQL: the active entity "e" of this id. One look-up by its key: the statistics of a new tenant would lead the planner
 * to read all its entities for each.
 */
const standing = (id: string): string =>
  `join lateral (select * from entities where tenant_id = $1 and id = ${id} offset 0) e on e.status = 'active'`;

export interface WantedNeighbourhood {
  depth: number;
  limit: number;
  /** Entities that the caller has already: only others are added, one step from the root. */
  known: readonly string[];
}

/** An entity with those around it and how they are connected, in bounds that hold for every hub. */
export class Neighbourhoods extends Service<'graph', { lookup: EntityLookup }> {
  /** @throws AppError NOT_FOUND */
  async of(tenant: string, rootId: string, { depth, limit, known }: WantedNeighbourhood): Promise<Neighbourhood> {
    const root = await this.deps.lookup.byId(tenant, rootId);
    const reached =
      known.length > 0
        ? await this.added(tenant, root.id, [...new Set([...known, root.id])], limit)
        : await this.around(tenant, root.id, depth, limit);
    const added = await this.entities(tenant, reached.nodes);
    const ids = added.map(({ entity_id }) => entity_id);
    return {
      root: root.id,
      entities: added,
      edges: await this.edges(tenant, ids, [...ids, ...known, root.id]),
      more: reached.more,
    };
  }

  /** As the graph is walked; what that leaves out of a hub comes after. */
  private async around(tenant: string, root: string, depth: number, limit: number): Promise<Reached> {
    const { nodes, more } = await this.deps.graph.around(tenant, [root], { depth, limit });
    if (depth === 0) return { nodes, more };
    const room = limit - nodes.length;
    const known = nodes.map(({ id }) => id);
    const rest = await this.added(tenant, root, known.length > 0 ? known : [root], Math.max(1, room));
    return { nodes: [...nodes, ...rest.nodes.slice(0, room)], more: more || rest.more || rest.nodes.length > room };
  }

  /** The strongest neighbours that are not known. */
  private async added(tenant: string, root: string, known: readonly string[], limit: number): Promise<Reached> {
    const rows = await this.db.query<{ id: string }>(
      `select r.id from (
         (select target_id as id, passages from entity_relations where tenant_id = $1 and source_id = $2 and passages > 0 and target_id <> all($3)
          order by passages desc, target_id collate "C", kind collate "C" limit $4 * 4)
         union all
         (select source_id, passages from entity_relations where tenant_id = $1 and target_id = $2 and passages > 0 and source_id <> all($3)
          order by passages desc, source_id collate "C", kind collate "C" limit $4 * 4)) r
       ${standing('r.id')}
       group by r.id order by max(r.passages) desc, r.id collate "C" limit $4`,
      [tenant, root, known, limit + 1],
    );
    const strongest = rows.map(({ id }) => id);
    const seen = new Set([...known, ...strongest]);
    const rest = strongest.length > limit ? [] : (await this.formerOf(tenant, root)).filter((id) => !seen.has(id));
    const all = [...strongest, ...rest];
    return { nodes: all.slice(0, limit).map((id) => ({ id, depth: 1 })), more: all.length > limit };
  }

  private async formerOf(tenant: string, root: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `select f.id from (
         (select object_id as id, recorded_to from graph_facts where tenant_id = $1 and subject_id = $2 and object_id is not null and recorded_to is not null limit ${former})
         union all
         (select subject_id, recorded_to from graph_facts where tenant_id = $1 and object_id = $2 and recorded_to is not null limit ${former})) f
       ${standing('f.id')}
       group by f.id order by max(f.recorded_to) desc, f.id collate "C" limit ${former}`,
      [tenant, root],
    );
    return rows.map(({ id }) => id);
  }

  private async entities(tenant: string, nodes: Reached['nodes']): Promise<Neighbourhood['entities']> {
    const rows = await this.db.query<Omit<Neighbourhood['entities'][number], 'depth'> & Row>(
      `select e.id as entity_id, e.name, e.type, e.signal_count, e.mention_count, n.neighbours
       from unnest($2::text[]) w(id) ${standing('w.id')}
       cross join lateral (select count(*)::int as neighbours from (
         (select from entity_relations r where r.tenant_id = $1 and r.source_id = e.id and r.passages > 0 limit ${countedNeighbours})
         union all
         (select from entity_relations r where r.tenant_id = $1 and r.target_id = e.id and r.passages > 0 limit ${countedNeighbours})) c) n`,
      [tenant, nodes.map(({ id }) => id)],
    );
    const counted = await countedInScope(this.db.query, tenant, rows, (row) => row.entity_id);
    const found = new Map(counted.map((row) => [row.entity_id, row]));
    return nodes.flatMap(({ id, depth }) => {
      const row = found.get(id);
      return row ? [{ ...row, neighbours: Math.min(row.neighbours, countedNeighbours), depth }] : [];
    });
  }

  /** Between `from` and `to`: how often both are mentioned together, and facts of all times. */
  private async edges(tenant: string, from: readonly string[], to: readonly string[]): Promise<Neighbourhood['edges']> {
    const [together, facts] = await Promise.all([
      this.db.query<EdgeRow>(
        `select source_id as source, target_id as target, kind, passages from (
           select source_id, target_id, kind, passages from entity_relations
           where tenant_id = $1 and source_id = any($2) and target_id = any($3) and passages > 0
           union
           select source_id, target_id, kind, passages from entity_relations
           where tenant_id = $1 and source_id = any($3) and target_id = any($2) and passages > 0) r
         where kind = 'mentioned_with' order by passages desc, source_id collate "C", target_id collate "C" limit ${shownEdges}`,
        [tenant, from, to],
      ),
      this.db.query<FactEdgeRow>(
        `select f.subject_id as source, f.object_id as target, f.predicate as kind, sum(f.passages)::int as passages,
           jsonb_agg(jsonb_build_object('from', f.valid_from, 'to', f.valid_to) order by f.valid_from nulls first, f.id) as held
         from graph_facts f where f.tenant_id = $1 and f.object_id is not null
           and (f.subject_id = any($2) and f.object_id = any($3) or f.subject_id = any($3) and f.object_id = any($2))
         group by 1, 2, 3 order by passages desc, 1, 2, 3 limit ${shownEdges}`,
        [tenant, from, to],
      ),
    ]);
    return [
      ...together.map((edge) => ({ ...edge, held: null })),
      ...facts.map((edge) => ({ ...edge, held: edge.held.map(({ from: since, to: until }) => ({ from: iso(since), to: iso(until) })) })),
    ].slice(0, shownEdges);
  }
}

interface Reached {
  nodes: { id: string; depth: number }[];
  more: boolean;
}

interface EdgeRow extends Row {
  source: string;
  target: string;
  kind: string;
  passages: number;
}
interface FactEdgeRow extends EdgeRow {
  held: { from: string | null; to: string | null }[];
}

const iso = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());
