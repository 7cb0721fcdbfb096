import type { Fused } from '../../engines/retrieval/fusion.ts';
import { idf } from '../../engines/retrieval/terms.ts';

/** Pure: paths from passages to others through shared entities. */

/** An entity within a search's scope. */
export interface PathEntity {
  name: string;
  /** Passages of the scope that mention it, at least 1. */
  frequency: number;
  /** Its passages that the filters allow; empty if there are too many. */
  passages: readonly { id: string; cosine: number | null }[];
}

export interface PathGraph {
  /** Entities in the query. */
  asked: ReadonlySet<string>;
  /** Passages whose titles are in the query. */
  titled: ReadonlySet<string>;
  /** Entities of the starting passages. */
  mentions: ReadonlyMap<string, readonly string[]>;
  entities: ReadonlyMap<string, PathEntity>;
  /** Passages of the scope. */
  passages: number;
}

/** Number of starting passages. */
export const starts = 5;
/** Maximum share of the starting passage's score. */
const damping = 0.4;

/** Specificity of an entity that `frequency` of `passages` mention: 1 for a single one, near 0 for nearly all. */
export const rarity = (frequency: number, passages: number): number =>
  idf(Math.min(frequency, passages), passages) / idf(1, Math.max(1, passages));

/**
 * Adds passages by path: the query names an entity; a found passage mentions it and a second entity; another passage
 * mentions that one, too. The value of a path is a share of its first passage's score (above the last candidate's),
 * times the rarity of an entity at each step: from the query into the passage, out of it, into the next. The best
 * path to a passage counts. So queries without names, and frequent entities, change nothing.
 * @param ranked best first; the same list is returned when there is no path
 */
export function followPaths(ranked: readonly Fused[], graph: PathGraph): Fused[] {
  // As in fusion: a single candidate is measured from zero.
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

/** How certainly a passage is about the query's entities: by its title, or by its rarest entity of the query. */
function anchored(id: string, mentioned: readonly string[], { asked, titled, entities, passages }: PathGraph): number {
  if (titled.has(id)) return 1;
  return Math.max(
    0,
    ...mentioned.filter((each) => asked.has(each)).map((each) => rarity(entities.get(each)?.frequency ?? passages, passages)),
  );
}
