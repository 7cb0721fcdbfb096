import type { EntityRef } from '../../contracts/graph/graph.ts';
import { areaOf } from './areas.ts';
import { activeEntities, aliasesOf, listedByType, refView, type EntityRow } from './entity-view.ts';
import type { Candidate } from './lookup-decide.ts';
import type { EntityLookup } from './lookup.ts';
import { signalsOf, type SignalRow } from './signals.ts';
import { Service } from '../kernel/service.ts';

export interface RelatedEntity {
  entity: string;
  entity_id: string;
  type: string;
  hops: number;
  /** Names, from the root to the entity. */
  path: string[];
  /** Kinds of the relations between them. */
  relations: string[];
  strength: number;
  signal_count: number;
}

export interface RelatedAnswer {
  root: EntityRef;
  related: RelatedEntity[];
  more: boolean;
  others: Candidate[];
}

export interface Browse {
  rootType?: string | undefined;
  rootName?: string | undefined;
  area?: string | undefined;
  depth: number;
  includeAliases: boolean;
  includeDescriptions: boolean;
  includeSignalCounts: boolean;
  limit: number;
}

export interface BrowsedEntity {
  entity_id: string;
  name: string;
  type: string;
  /** Distance from a root. */
  depth: number;
  area?: string;
  aliases?: string[];
  description?: string | null;
  signal_count?: number;
}

export interface BrowseAnswer {
  entities: BrowsedEntity[];
  relationships: { source: string; target: string; kind: string; passages: number; signals: number }[];
  signals: SignalRow[];
  has_more: boolean;
  warnings: string[];
}

const shownSignals = 10;
const shownRelations = 200;
/** Entities whose signals are shown without a given start. */
const signalRoots = 10;

/** Exploration of entities and their relations. */
export class GraphExplorer extends Service<'graph', { lookup: EntityLookup }> {
  /**
   * Entities related to an entity, nearest and strongest first.
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY
   */
  async related(
    tenant: string,
    root: { id?: string | undefined; name?: string | undefined; type?: string | undefined },
    { maxHops, types, limit }: { maxHops: number; types?: readonly string[] | undefined; limit: number },
  ): Promise<RelatedAnswer> {
    const { entity, alternatives } =
      root.id === undefined
        ? await this.deps.lookup.resolveName(tenant, root.name ?? '', { type: root.type })
        : { entity: await this.deps.lookup.byId(tenant, root.id), alternatives: [] };
    const found = await this.deps.graph.related(tenant, entity.id, { maxHops, types, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const rows = await activeEntities(this.db.query, tenant, [...new Set(shown.flatMap(({ path }) => path.map(({ to }) => to)))]);
    const nameOf = (id: string): string => (id === entity.id ? entity.name : (rows.get(id)?.name ?? id));
    return {
      root: refView(entity),
      more: found.length > limit,
      others: alternatives,
      // A copy of the graph may be slightly behind: skip deleted entities.
      related: shown.flatMap(({ id, hops, strength, path }) => {
        const row = rows.get(id);
        if (!row) return [];
        return {
          entity: row.name,
          entity_id: id,
          type: row.type,
          hops,
          path: [entity.name, ...path.map(({ to }) => nameOf(to))],
          relations: path.map(({ kind }) => kind),
          strength: Math.round(strength * 1000) / 1000,
          signal_count: row.signal_count,
        };
      }),
    };
  }

  /**
   * Entities around a root, of a type or an area, with relations and evidence.
   * @throws AppError NOT_FOUND, AMBIGUOUS_ENTITY
   */
  async browse(tenant: string, wanted: Browse): Promise<BrowseAnswer> {
    const area = wanted.area === undefined ? undefined : await areaOf(this.db, this.deps.graph, tenant, wanted.area);
    const warnings = area?.warning === undefined ? [] : [area.warning];
    const root =
      wanted.rootName === undefined
        ? undefined
        : (await this.deps.lookup.resolveName(tenant, wanted.rootName, { type: wanted.rootType })).entity;
    const roots = root ? { ids: [root.id], more: false } : await this.roots(tenant, wanted, area?.ids);
    // Entities outside the area are removed below, so more are read.
    const around = await this.deps.graph.around(tenant, roots.ids, { depth: wanted.depth, limit: area ? wanted.limit * 8 : wanted.limit });
    const inside = area ? new Set([...area.ids, ...roots.ids]) : undefined;
    const nodes = around.nodes.filter(({ id }) => inside === undefined || inside.has(id));
    const rows = await activeEntities(
      this.db.query,
      tenant,
      nodes.map(({ id }) => id),
    );
    const shown = nodes.filter(({ id }) => rows.has(id)).slice(0, wanted.limit);
    const ids = new Set(shown.map(({ id }) => id));
    const aliases = wanted.includeAliases
      ? await aliasesOf(
          this.db.query,
          tenant,
          [...ids].map((id) => rows.get(id)!),
        )
      : undefined;
    const told = await signalsOf(this.db.query, tenant, root ? [root.id] : [...ids].slice(0, signalRoots), shownSignals);
    const relations = around.edges.filter(({ source, target }) => ids.has(source) && ids.has(target));
    if (relations.length > shownRelations)
      warnings.push(`${relations.length} relations are known between these; the strongest ${shownRelations} are shown.`);
    return {
      entities: shown.map(({ id, depth }) => browsed(rows.get(id)!, depth, wanted, aliases)),
      relationships: relations.slice(0, shownRelations).map(({ source, target, kind, passages, documents }) => ({
        source,
        target,
        kind,
        passages,
        signals: documents,
      })),
      signals: told.signals,
      has_more: roots.more || around.more || nodes.length > shown.length || told.total > told.signals.length,
      warnings,
    };
  }

  /** All entities of the type, ordered by number of signals. */
  private async roots(
    tenant: string,
    { rootType, limit }: Browse,
    inArea: string[] | undefined,
  ): Promise<{ ids: string[]; more: boolean }> {
    const rows = await this.db.query<{ id: string }>(
      `${listedByType('($2::text is null or e.type = $2) and ($3::text[] is null or e.id = any($3))', '$4')}
       select id from listed order by signal_count desc, id limit $4`,
      [tenant, rootType ?? null, inArea ?? null, limit + 1],
    );
    return { ids: rows.slice(0, limit).map(({ id }) => id), more: rows.length > limit };
  }
}

function browsed(row: EntityRow, depth: number, wanted: Browse, aliases: Map<string, string[]> | undefined): BrowsedEntity {
  return {
    entity_id: row.id,
    name: row.name,
    type: row.type,
    depth,
    ...(row.area === null ? {} : { area: row.area }),
    ...(aliases ? { aliases: aliases.get(row.id) ?? [] } : {}),
    ...(wanted.includeDescriptions ? { description: row.description } : {}),
    ...(wanted.includeSignalCounts ? { signal_count: row.signal_count } : {}),
  };
}
