/** A hit of one retrieval method. Lists are sorted, best first, and hold each id once. */
export interface Ranked {
  id: string;
  /** BM25 score, or cosine similarity. */
  score: number;
}

export interface Fused {
  id: string;
  /** 0 to 1; comparable within one answer, roughly also between answers. */
  score: number;
  /** What each method contributed to the score, and its 1-based rank there: for explaining an answer. */
  lexical?: { rank: number; score: number; share: number };
  dense?: { rank: number; score: number; share: number };
}

export interface FusionQuery {
  /** The idf of every query term (as often as it stands in the query; 0 occurrences in the collection count, too). */
  idfs: readonly number[];
}

export interface FusionOptions {
  /** Weight of the dense list, 0 to 1. Default 0.5. */
  denseWeight?: number;
  /**
   * How far the cosines of good and of middling candidates lie apart with this embedding model when the query tells
   * it something. Default 0.25 (bge-small; other models: their usual best-to-hundredth distance).
   */
  denseSpread?: number;
}

/**
 * Fuses by scores that keep their meaning, so that the weights follow from the query itself:
 *
 * - A BM25 score is measured by the sum of the query's idfs, that is, by what a passage of average length scores which
 *   has every query word once. A query whose words are found together gives lexical scores near 1 and decides by
 *   words; a long question of which each passage covers a part gives low ones and leaves the decision to meaning.
 * - A cosine is measured by its distance from the last candidate. Where all candidates look alike to the model (short
 *   keyword queries), the distances stay small: they are never stretched to full scale, as min-max scaling would do.
 *
 * A passage missing from a list gets nothing from it. With one list empty the other one decides alone.
 */
export function fuse(lexical: readonly Ranked[], dense: readonly Ranked[], query: FusionQuery, options: FusionOptions = {}): Fused[] {
  const { denseWeight = 0.5, denseSpread = 0.25 } = options;
  const weight = lexical.length === 0 ? 1 : dense.length === 0 ? 0 : denseWeight;

  const fullCoverage = query.idfs.reduce((sum, idf) => sum + idf, 0);
  const lexicalScale = Math.max(fullCoverage, lexical[0]?.score ?? 0) || 1;
  // Alone, a single candidate is its own last one: measured from zero it still gets a score.
  const floor = dense.length > 1 ? dense.at(-1)!.score : 0;
  const denseScale = Math.max(denseSpread, (dense[0]?.score ?? 0) - floor) || 1;

  return collect(
    lexical,
    dense,
    (hit) => ((1 - weight) * Math.max(0, hit.score)) / lexicalScale,
    (hit) => (weight * Math.max(0, hit.score - floor)) / denseScale,
  );
}

/**
 * Weighted reciprocal rank fusion, the usual baseline: looks at ranks only, so it cannot tell a sure list from a
 * guessing one. Kept for comparison, and for lists whose scores mean nothing.
 */
export function fuseByRank(
  lexical: readonly Ranked[],
  dense: readonly Ranked[],
  options: { k?: number; denseWeight?: number } = {},
): Fused[] {
  const { k = 60, denseWeight = 0.5 } = options;
  // Scaled so that the first of both lists gets 1.
  const share = (weight: number) => (_: Ranked, index: number) => (weight * (k + 1)) / (k + index + 1);
  return collect(lexical, dense, share(1 - denseWeight), share(denseWeight));
}

type Share = (hit: Ranked, index: number) => number;

function collect(lexical: readonly Ranked[], dense: readonly Ranked[], lexicalShare: Share, denseShare: Share): Fused[] {
  const fused = new Map<string, Fused>();
  const add = (method: 'lexical' | 'dense', hits: readonly Ranked[], shareOf: Share): void => {
    for (const [index, hit] of hits.entries()) {
      const entry = fused.get(hit.id) ?? { id: hit.id, score: 0 };
      if (entry[method] !== undefined) continue;
      const share = shareOf(hit, index);
      entry[method] = { rank: index + 1, score: hit.score, share };
      entry.score += share;
      fused.set(hit.id, entry);
    }
  };
  add('lexical', lexical, lexicalShare);
  add('dense', dense, denseShare);
  // Ids break ties, so that the same lists always give the same answer.
  return [...fused.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
