import type { Fused } from '../../engines/retrieval/fusion.ts';
import { idf } from '../../engines/retrieval/terms.ts';

/** Pure: how passages lead to others through the entities they share. */

/** An entity, as one search's scope sees it. */
export interface PathEntity {
  name: string;
  /** Passages of the scope that mention it, at least 1. */
  frequency: number;
  /** Those that may be found, unless there are too many of them to lead anywhere. */
  passages: readonly { id: string; cosine: number | null }[];
}

export interface PathGraph {
  /** Entities that the query names. */
  asked: ReadonlySet<string>;
  /** Passages whose titles the query names. */
  titled: ReadonlySet<string>;
  /** Entities of the passages from which paths start. */
  mentions: ReadonlyMap<string, readonly string[]>;
  entities: ReadonlyMap<string, PathEntity>;
  /** Passages of the scope. */
  passages: number;
}

/** Passages from which paths start: what a reader would look at first. */
export const starts = 5;
/** What a passage gets of the score of the one that led to it, at most. */
const damping = 0.4;

/** How much an entity tells that `frequency` of `passages` mention: 1 for a single one, near 0 for nearly all. */
export const rarity = (frequency: number, passages: number): number =>
  idf(Math.min(frequency, passages), passages) / idf(1, Math.max(1, passages));

/**
 * Adds what comes by a path: the query names an entity; a passage found mentions it and a second entity; another
 * passage mentions that one, too. A path is worth a share of its first passage's score (above the last candidate's),
 * times the rarity of an entity at each step: from the query into the passage, out of it, into the next. The best path
 * to a passage counts. So questions that name nothing, and entities that stand everywhere, change nothing.
 * @param ranked best first; the same list comes back when no path leads anywhere
 */
export function followPaths(ranked: readonly Fused[], graph: PathGraph): Fused[] {
  // As fusion does: a single candidate is measured from zero.
  const floor = ranked.length > 1 ? ranked.at(-1)!.score : 0;
  const found = new Map<string, { share: number; by: string; from: string; cosine: number | null }>();
  for (const start of ranked.slice(0, starts)) {
    const mentioned = graph.mentions.get(start.id) ?? [];
    const worth = (start.score - floor) * anchored(start.id, mentioned, graph) * damping;
    if (worth <= 0) continue;
    for (const id of mentioned) {
      const entity = graph.entities.get(id);
      if (!entity || graph.asked.has(id)) continue;
      const share = worth * rarity(entity.frequency, graph.passages) ** 2;
      for (const passage of entity.passages) {
        if (passage.id === start.id || share <= (found.get(passage.id)?.share ?? 0)) continue;
        found.set(passage.id, { share, by: entity.name, from: start.id, cosine: passage.cosine });
      }
    }
  }
  if (found.size === 0) return [...ranked];
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

/** How surely a passage is about what the query names: by its title, or by the rarest entity of the query in it. */
function anchored(id: string, mentioned: readonly string[], { asked, titled, entities, passages }: PathGraph): number {
  if (titled.has(id)) return 1;
  return Math.max(
    0,
    ...mentioned.filter((each) => asked.has(each)).map((each) => rarity(entities.get(each)?.frequency ?? passages, passages)),
  );
}
