import type { Database } from '../../adapters/postgres/database.ts';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import type { Expanded, GraphNode, Scope, SearchGraph, ToExpand } from '../knowledge/index.ts';
import { namesIn, titleNames } from './retrieval-names.ts';
import {
  addsTo,
  fromQuery,
  pathsFrom,
  rankedBy,
  starts,
  startsOf,
  type Path,
  type PathEntity,
  type PathGraph,
  type Start,
  type TitleLink,
} from './retrieval-paths.ts';
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
import { behind, head, withRoom } from './retrieval-room.ts';
import { bodiesOf, termsHeld, titlesById, titledDocuments, titlesIn } from './retrieval-titles.ts';

type Query = Database['query'];

/** The graph's part of searches: entities of a query, and passages reached through them and through titles. */
export const graphRetrieval: SearchGraph = { expand, isEmpty };

/** Passages that the first step brought and the second begins at. */
const onward = 3;
/** Telling words of a query that may have three parts or more. */
const chained = 8;
/** Passages at the ends of paths that are compared with the query. */
const compared = 150;

/**
 * Adds or moves up passages that the best ones lead to (`pathsFrom`), then those that these lead to, and returns the
 * query's entities: those that it names, longest names first, then those of its best passages, most similar names
 * first.
 */
async function expand(query: Query, scope: Scope, given: ToExpand): Promise<Expanded> {
  const { text, ranked, nodes: limit } = given;
  const keys = namesIn(text);
  const named = await namedEntities(query, scope.tenant, keys);
  const first = await around(query, scope, given, { ids: idsOf(ranked.slice(0, starts)), keys, named, onPath: false });
  const nodes = nodesOf(named, first.mentioned).slice(0, limit);
  const inQuery = await titlesInQuery(query, scope, given);
  const graph = inQuery.length === 0 ? first.graph : { ...first.graph, titles: new Map([...first.graph.titles, [fromQuery, inQuery]]) };
  const from = startsOf(ranked, graph);
  if (from.length === 0) return { ranked: [...ranked], asked: [], nodes, rounds: 0 };
  const found = await follow(query, scope, given, from, graph);

  const known = new Set(from.map((start) => start.id));
  const next = [...found]
    .filter(([id]) => !known.has(id))
    .sort(byShare)
    .slice(0, onward);
  const paths = new Map(found);
  if (next.length > 0 && (given.terms?.size ?? 0) >= chained) {
    const second = await around(query, scope, given, { ids: next.map(([id]) => id), keys, named, onPath: true });
    const onwards = next.map(([id, path]) => ({ id, worth: path.share }));
    const further = await follow(query, scope, given, onwards, second.graph);
    for (const [id, path] of further) if (!known.has(id) && path.share > (paths.get(id)?.share ?? 0)) paths.set(id, path);
  }
  return { ranked: await roomIn(query, scope, rankedBy(ranked, paths)), asked: first.anchors, nodes, rounds: roundsOf(paths, found) };
}

/** Room for what paths lead to, where passages with one title fill the head. */
async function roomIn(query: Query, { tenant }: Scope, ranked: Fused[]): Promise<Fused[]> {
  const led = behind(ranked);
  if (led.length === 0) return ranked;
  return withRoom(ranked, await titlesById(query, tenant, idsOf([...ranked.slice(0, head), ...led])));
}

/** Paths from some passages; of the many that frequent names lead to, only the best are compared with the query. */
async function follow(
  query: Query,
  scope: Scope,
  { terms }: ToExpand,
  from: readonly Start[],
  graph: PathGraph,
): Promise<Map<string, Path>> {
  const best = [...pathsFrom(from, graph)].sort(byShare).slice(0, compared);
  if (!terms || terms.size === 0 || best.length === 0) return new Map(best);
  const held = await termsHeld(
    query,
    scope,
    [...terms.keys()],
    [...from, ...best.map(([id]) => ({ id }))].map(({ id }) => id).filter((id) => id !== fromQuery),
  );
  const paths = pathsFrom(from, graph, addsTo(terms, held));
  return new Map(best.map(([id]) => [id, paths.get(id)!]));
}

const byShare = ([a, x]: [string, Path], [b, y]: [string, Path]): number => y.share - x.share || (a < b ? -1 : 1);
const idsOf = (hits: readonly { id: string }[]): string[] => hits.map((hit) => hit.id);
const roundsOf = (paths: ReadonlyMap<string, Path>, found: ReadonlyMap<string, Path>): number =>
  paths.size === 0 ? 0 : [...paths].some(([id, path]) => found.get(id) !== path) ? 2 : 1;

interface Begin {
  ids: string[];
  /** Keys and entities of names in the query. */
  keys: readonly string[];
  named: readonly NamedEntity[];
  /** A path leads here already. Otherwise nothing is followed unless a passage is about something in the query. */
  onPath: boolean;
}

interface Around {
  graph: PathGraph;
  mentioned: readonly StartRow[];
  /** Names of entities of the query that these passages mention. */
  anchors: string[];
}

const nothing: PathGraph = {
  asked: new Set(),
  titled: new Set(),
  mentions: new Map(),
  entities: new Map(),
  titles: new Map(),
  passages: 0,
};

/** What some passages lead to. */
async function around(query: Query, scope: Scope, { like }: ToExpand, { ids, keys, named, onPath }: Begin): Promise<Around> {
  const rows = await startingPassages(query, scope.tenant, ids, like);
  const mentioned = rows.filter((row) => row.entity !== null);
  const wanted = new Set(keys);
  const titled = new Set(rows.filter((row) => titleNames(row.title ?? '').some((key) => wanted.has(key))).map((row) => row.passage));
  const mentions = new Map([...Map.groupBy(mentioned, (row) => row.passage)].map(([id, own]) => [id, own.map((row) => row.entity!)]));
  const asked = new Set(named.map((entity) => entity.id));
  const there = new Set(mentioned.map((row) => row.entity!));
  const anchors = named.filter((entity) => there.has(entity.id));
  if (!onPath && anchors.length + titled.size === 0) return { graph: { ...nothing, passages: scope.chunks }, mentioned, anchors: [] };
  // An entity mentioned only once leads nowhere.
  const bridges = new Set(mentioned.filter((row) => !asked.has(row.entity!) && row.mention_count > 1).map((row) => row.entity!));
  const places =
    bridges.size + anchors.length === 0 ? [] : await placesOf(query, scope, [...bridges, ...anchors.map((entity) => entity.id)], like);
  const entities = seen(places, scope.chunks);
  for (const { id, name, mention_count } of anchors) {
    if (!entities.has(id)) entities.set(id, { name, frequency: Math.min(mention_count, scope.chunks), passages: [] });
  }
  const titles = await titlesOf(query, scope, ids, like);
  return {
    graph: { asked, titled, mentions, entities, titles, passages: scope.chunks },
    mentioned,
    anchors: anchors.map((entity) => entity.name),
  };
}

/** The documents whose titles the query has. */
async function titlesInQuery(query: Query, scope: Scope, { text, like }: ToExpand): Promise<TitleLink[]> {
  const rows = await titledDocuments(query, scope, titlesIn(text), like);
  return rows.map(({ title, frequency, passage: id, cosine }) => ({ title, frequency, id, cosine }));
}

/** The documents whose titles each passage mentions, except its own. */
async function titlesOf(query: Query, scope: Scope, ids: readonly string[], like: ToExpand['like']): Promise<Map<string, TitleLink[]>> {
  const texts = (await bodiesOf(query, scope.tenant, ids)).map((row) => ({ ...row, titles: titlesIn(row.body) }));
  const rows = await titledDocuments(query, scope, [...new Set(texts.flatMap((text) => text.titles))], like);
  const byTitle = Map.groupBy(rows, (row) => row.written.toLowerCase());
  return new Map(
    texts.map(({ passage, document, titles }) => [
      passage,
      [...new Set(titles.map((title) => title.toLowerCase()))]
        .flatMap((title) => byTitle.get(title) ?? [])
        .filter((row) => row.document !== document)
        .map(({ title, frequency, passage: id, cosine }) => ({ title, frequency, id, cosine })),
    ]),
  );
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
