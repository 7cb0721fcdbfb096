import type { Database } from '../../adapters/postgres/database.ts';
import type { Scope } from '../knowledge/index.ts';
import type { Expanded, GraphNode, SearchGraph, ToExpand } from '../knowledge/index.ts';
import { namesIn, titleNames } from './retrieval-names.ts';
import { followPaths, starts, type PathEntity } from './retrieval-paths.ts';
import {
  isEmpty,
  namedEntities,
  placesOf,
  spread,
  startingPassages,
  type NamedEntity,
  type PlaceRow,
  type StartRow,
} from './retrieval-sql.ts';

type Query = Database['query'];

/** The graph's part of searches: entities of a query, and passages reached through them. */
export const graphRetrieval: SearchGraph = { expand, isEmpty };

/**
 * Adds or moves up passages that the best ones lead to (`followPaths`), and returns the query's entities: those that
 * it names, longest names first, then those of its best passages, most similar names first.
 */
async function expand(query: Query, scope: Scope, { text, like, ranked, nodes: limit }: ToExpand): Promise<Expanded> {
  const keys = namesIn(text);
  const named = await namedEntities(query, scope.tenant, keys);
  const rows = await startingPassages(
    query,
    scope.tenant,
    ranked.slice(0, starts).map((hit) => hit.id),
    like,
  );
  const mentioned = rows.filter((row) => row.entity !== null);
  const nodes = nodesOf(named, mentioned).slice(0, limit);
  const inQuery = new Set(keys);
  const titled = new Set(rows.filter((row) => titleNames(row.title ?? '').some((key) => inQuery.has(key))).map((row) => row.passage));
  const mentions = new Map([...Map.groupBy(mentioned, (row) => row.passage)].map(([id, own]) => [id, own.map((row) => row.entity!)]));
  const asked = new Set(named.map((entity) => entity.id));
  const there = new Set(mentioned.map((row) => row.entity!));
  const anchors = named.filter((entity) => there.has(entity.id));
  // An entity mentioned only once leads nowhere.
  const bridges = new Set(mentioned.filter((row) => !asked.has(row.entity!) && row.mention_count > 1).map((row) => row.entity!));
  if (bridges.size === 0 || (titled.size === 0 && anchors.length === 0)) return { ranked: [...ranked], asked: [], nodes };

  const entities = seen(await placesOf(query, scope, [...bridges, ...anchors.map((entity) => entity.id)], like), scope.chunks);
  for (const { id, name, mention_count } of anchors) {
    if (!entities.has(id)) entities.set(id, { name, frequency: Math.min(mention_count, scope.chunks), passages: [] });
  }
  const expanded = followPaths(ranked, { asked, titled, mentions, entities, passages: scope.chunks });
  return { ranked: expanded, asked: anchors.map((entity) => entity.name), nodes };
}

function nodesOf(named: readonly NamedEntity[], mentioned: readonly StartRow[]): GraphNode[] {
  const places = Map.groupBy(mentioned, (row) => row.entity!);
  const others = [...places.values()].sort(([a, ...as], [b, ...bs]) => (b!.cosine ?? 0) - (a!.cosine ?? 0) || bs.length - as.length);
  const nodes = new Map(
    [...named.map((row) => ({ ...row })), ...others.map(([row]) => ({ ...row!, id: row!.entity! }))].map(({ id, name, type }) => [
      id,
      { name, type },
    ]),
  );
  return [...nodes.values()];
}

function seen(rows: readonly PlaceRow[], chunks: number): Map<string, PathEntity> {
  const entities = new Map<string, PathEntity>();
  for (const [id, places] of Map.groupBy(rows, (row) => row.entity)) {
    const { name, mention_count } = places[0]!;
    const many = places.length > spread;
    entities.set(id, {
      name,
      frequency: many ? Math.min(mention_count, chunks) : places.length,
      passages: many ? [] : places.filter((place) => place.allowed).map(({ passage, cosine }) => ({ id: passage, cosine })),
    });
  }
  return entities;
}
