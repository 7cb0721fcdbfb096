import type { Fused } from '../../engines/retrieval/fusion.ts';
import { idf } from '../../engines/retrieval/terms.ts';

/** Pure: paths from passages to others through shared entities and mentioned titles. */

/** An entity within a search's scope. */
export interface PathEntity {
  name: string;
  /** Passages of the scope that mention it, at least 1. */
  frequency: number;
  /** Its passages that the filters allow; empty if there are too many. */
  passages: readonly { id: string; cosine: number | null }[];
}

/** A document whose title a passage mentions: its passage that is nearest to the query. */
export interface TitleLink {
  title: string;
  /** Documents of the scope with this title, at least 1. */
  frequency: number;
  id: string;
  cosine: number | null;
}

export interface PathGraph {
  /** Entities in the query. */
  asked: ReadonlySet<string>;
  /** Passages whose titles are in the query. */
  titled: ReadonlySet<string>;
  /** Entities of the starting passages. */
  mentions: ReadonlyMap<string, readonly string[]>;
  entities: ReadonlyMap<string, PathEntity>;
  /** Titles that the starting passages mention; under `fromQuery` those in the query. */
  titles: ReadonlyMap<string, readonly TitleLink[]>;
  /** Passages of the scope. */
  passages: number;
}

/** Share of what the query asks and the first passage lacks that the second one has, 0 to 1. */
export type Adds = (from: string, to: string) => number;

/** A passage that paths begin at, and what they are worth there. */
export interface Start {
  id: string;
  worth: number;
}

/** The best path to a passage. */
export interface Path {
  share: number;
  by: string;
  from: string;
  cosine: number | null;
}

/** Number of starting passages. */
export const starts = 5;
/** Maximum share of the starting passage's score. */
const damping = 0.6;
/** Part of a path's value that does not depend on what the second passage adds to the first. */
const unconditional = 0.7;
/** Share of the best score that a title in the query itself is worth. */
const named = 0.2;
/** Stands for the query as the beginning of paths. */
export const fromQuery = '';

/** Specificity of an entity that `frequency` of `passages` mention: 1 for a single one, near 0 for nearly all. */
export const rarity = (frequency: number, passages: number): number =>
  idf(Math.min(frequency, passages), passages) / idf(1, Math.max(1, passages));

/** As in fusion: a single candidate is measured from zero. */
const floorOf = (ranked: readonly Fused[]): number => (ranked.length > 1 ? ranked.at(-1)!.score : 0);

/**
 * The best passages that are certainly about something in the query, each worth its score above the last candidate's;
 * and the query, if it has titles.
 */
export function startsOf(ranked: readonly Fused[], graph: PathGraph): Start[] {
  const floor = floorOf(ranked);
  const query = graph.titles.has(fromQuery) && ranked[0] ? [{ id: fromQuery, worth: (ranked[0].score - floor) * named }] : [];
  const passages = ranked.slice(0, starts).map(({ id, score }) => ({ id, worth: (score - floor) * anchored(id, graph) }));
  return [...passages, ...query].filter(({ worth }) => worth > 0);
}

/**
 * Passages by path: the query names an entity or a title; a found passage mentions it and a second entity, or the
 * title of a document; another passage mentions that entity, too, or is of that document. The value of a path is a
 * share of its first passage's worth, times the rarity of an entity at each step: from the query into the passage,
 * out of it, into the next; three tenths of it depend on what the next adds to the first. The best path to a passage counts.
 * So queries without names, and frequent entities, change nothing.
 * @param adds default: every passage adds all, so the shares are the most that the paths can be worth
 */
export function pathsFrom(from: readonly Start[], graph: PathGraph, adds: Adds = () => 1): Map<string, Path> {
  const found = new Map<string, Path>();
  const add = (start: Start, to: { id: string; cosine: number | null }, by: string, weight: number): void => {
    if (to.id === start.id) return;
    const most = start.worth * damping * weight;
    if (most <= (found.get(to.id)?.share ?? 0)) return;
    const share = most * (unconditional + (1 - unconditional) * adds(start.id, to.id));
    if (share > (found.get(to.id)?.share ?? 0)) found.set(to.id, { share, by, from: start.id, cosine: to.cosine });
  };
  for (const start of from) {
    for (const id of graph.mentions.get(start.id) ?? []) {
      const entity = graph.entities.get(id);
      if (!entity || graph.asked.has(id)) continue;
      const weight = rarity(entity.frequency, graph.passages) ** 2;
      for (const passage of entity.passages) add(start, passage, entity.name, weight);
    }
    for (const link of graph.titles.get(start.id) ?? []) add(start, link, link.title, rarity(link.frequency, graph.passages) ** 2);
  }
  return found;
}

/**
 * The ranking with paths: each passage gets the share of its path.
 * @param ranked best first; the same list is returned when there is no path
 */
export function rankedBy(ranked: readonly Fused[], found: ReadonlyMap<string, Path>): Fused[] {
  if (found.size === 0) return [...ranked];
  const floor = floorOf(ranked);
  const known = new Set(ranked.map((hit) => hit.id));
  const fresh = [...found.keys()].filter((id) => !known.has(id)).map((id): Fused => ({ id, score: floor }));
  return [...ranked, ...fresh]
    .map((hit) => {
      const path = found.get(hit.id);
      const graphPart = path ? { graph: { share: path.share, by: path.by, from: path.from } } : {};
      return { hit: { ...hit, ...graphPart, score: hit.score + (path?.share ?? 0) }, cosine: hit.dense?.score ?? path?.cosine ?? 0 };
    })
    .sort((a, b) => b.hit.score - a.hit.score || b.cosine - a.cosine || (a.hit.id < b.hit.id ? -1 : 1))
    .map(({ hit }) => ({ ...hit, score: Math.min(1, hit.score) }));
}

/** How certainly a passage is about the query's entities: by its title, or by its rarest entity of the query. */
function anchored(id: string, { asked, titled, entities, mentions, passages }: PathGraph): number {
  if (titled.has(id)) return 1;
  return Math.max(
    0,
    ...(mentions.get(id) ?? [])
      .filter((each) => asked.has(each))
      .map((each) => rarity(entities.get(each)?.frequency ?? passages, passages)),
  );
}

/**
 * What a passage adds to another one for a query.
 * @param weights of the query's terms
 * @param held the query's terms that each passage has; passages without any may be missing
 */
export function addsTo(weights: ReadonlyMap<string, number>, held: ReadonlyMap<string, ReadonlySet<string>>): Adds {
  const none = new Set<string>();
  return (from, to) => {
    const [first, second] = [held.get(from) ?? none, held.get(to) ?? none];
    let lacking = 0;
    let added = 0;
    for (const [term, weight] of weights) {
      if (first.has(term)) continue;
      lacking += weight;
      if (second.has(term)) added += weight;
    }
    return lacking === 0 ? 0 : added / lacking;
  };
}
