/** A hit of one retrieval method. Lists are sorted, best first, and hold each id once. */
export interface Ranked {
  id: string;
  /** BM25 score, or cosine similarity. */
  score: number;
}

/** A hit by words. */
export interface LexicalHit extends Ranked {
  /** Share of the query that the passage has: idfs of the query terms in it by the idfs of all, 0 to 1. */
  coverage: number;
}

export interface Fused {
  id: string;
  /** 0 to 1; comparable within one answer, roughly also between answers. */
  score: number;
  /** What each method contributed to the score, and its 1-based rank there: for explaining an answer. */
  lexical?: { rank: number; score: number; share: number; coverage?: number };
  dense?: { rank: number; score: number; share: number };
  /** What the graph added, by which entity, and from which passage it led here. */
  graph?: { share: number; by: string; from: string };
}

export interface FusionQuery {
  /** The idf of every query term (as often as it stands in the query; 0 occurrences in the collection count, too). */
  idfs: readonly number[];
}

export interface FusionOptions {
  /**
   * How far the cosines of good and of middling candidates lie apart with this embedding model when the query tells
   * it something. Default 0.25 (bge-small; other models: their usual best-to-hundredth distance).
   */
  denseSpread?: number;
}

/** How much each method is believed for one query, and why. */
export interface Weights {
  /** 0 to 1; the two add up to 1. */
  lexical: number;
  dense: number;
  /** Of the query, in the best ten passages by words on average. */
  coverage: number;
  /** Distance of the best cosine from the last candidate's. */
  spread: number;
}

/** How many passages by words tell whether the words of the query are found together. */
const judged = 10;

/**
 * Whom to believe, told by the two lists themselves:
 *
 * - Words are worth what the best passages by words have of the query. A short query finds passages with all of it;
 *   of a long question each passage has a part.
 * - Meaning is worth the distance between its candidates. Where all look alike to the model (short keyword queries in
 *   a collection about one thing), its order tells little; the power makes little count for less.
 */
export function weigh(lexical: readonly LexicalHit[], dense: readonly Ranked[], options: FusionOptions = {}): Weights {
  const { denseSpread = 0.25 } = options;
  const best = lexical.slice(0, judged);
  const coverage = best.reduce((sum, hit) => sum + hit.coverage, 0) / (best.length || 1);
  const spread = (dense[0]?.score ?? 0) - floorOf(dense);
  const telling = Math.min(1, Math.max(0, spread) / denseSpread) ** 1.5;
  const weight = lexical.length === 0 ? 1 : dense.length === 0 ? 0 : telling / (telling + coverage || 1);
  return { lexical: 1 - weight, dense: weight, coverage, spread };
}

/**
 * Fuses by scores that keep their meaning, weighed for this query by `weigh`. A passage by words counts with the mean
 * of its BM25 score (measured by the sum of the query's idfs: what a passage of average length scores which has every
 * query word once) and of its coverage, so that all of the query in one passage outdoes a part of it many times. A
 * cosine counts with its distance from the last candidate, never stretched to full scale as min-max scaling would do.
 *
 * A passage missing from a list gets nothing from it. With one list empty the other one decides alone, in its order.
 */
export function fuse(lexical: readonly LexicalHit[], dense: readonly Ranked[], query: FusionQuery, options: FusionOptions = {}): Fused[] {
  const { denseSpread = 0.25 } = options;
  const weights = weigh(lexical, dense, options);
  const whole = query.idfs.reduce((sum, idf) => sum + idf, 0);
  const lexicalScale = Math.max(whole, lexical[0]?.score ?? 0) || 1;
  const floor = floorOf(dense);
  const denseScale = Math.max(denseSpread, (dense[0]?.score ?? 0) - floor);
  const alone = dense.length === 0;

  return collect(
    lexical,
    dense,
    (hit) => {
      const score = Math.max(0, hit.score) / lexicalScale;
      return weights.lexical * (alone ? score : (score + hit.coverage) / 2);
    },
    (hit) => (weights.dense * Math.max(0, hit.score - floor)) / denseScale,
  );
}

/** What a dense list is measured from. A single candidate is its own last one: from zero it still gets a score. */
const floorOf = (dense: readonly Ranked[]): number => (dense.length > 1 ? dense.at(-1)!.score : 0);

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

type Share<H> = (hit: H, index: number) => number;

function collect<L extends Ranked & { coverage?: number }>(
  lexical: readonly L[],
  dense: readonly Ranked[],
  lexicalShare: Share<L>,
  denseShare: Share<Ranked>,
): Fused[] {
  const fused = new Map<string, Fused>();
  const entryOf = (id: string): Fused => {
    const entry = fused.get(id) ?? { id, score: 0 };
    fused.set(id, entry);
    return entry;
  };
  for (const [index, hit] of lexical.entries()) {
    const entry = entryOf(hit.id);
    if (entry.lexical !== undefined) continue;
    const share = lexicalShare(hit, index);
    const { coverage } = hit;
    entry.lexical = { rank: index + 1, score: hit.score, share, ...(coverage === undefined ? {} : { coverage }) };
    entry.score += share;
  }
  for (const [index, hit] of dense.entries()) {
    const entry = entryOf(hit.id);
    if (entry.dense !== undefined) continue;
    const share = denseShare(hit, index);
    entry.dense = { rank: index + 1, score: hit.score, share };
    entry.score += share;
  }
  // Ids break ties, so that the same lists always give the same answer.
  return [...fused.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
