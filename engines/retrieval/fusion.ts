import { withWhole } from './whole-query.ts';

/** A hit of one retrieval method. Lists are sorted, best first, and hold each id once. */
export interface Ranked {
  id: string;
  /** BM25 score, or cosine similarity. */
  score: number;
}

/** A hit by words. */
export interface LexicalHit extends Ranked {
  /** Share of the query in the passage: sum of the idfs of its query terms divided by that of all, 0 to 1. */
  coverage: number;
}

export interface Fused {
  id: string;
  /** 0 to 1; comparable within one answer, roughly also between answers. */
  score: number;
  /** Each method's part of the score, and its 1-based rank: for explanations. */
  lexical?: { rank: number; score: number; share: number; coverage?: number };
  dense?: { rank: number; score: number; share: number };
  /** The graph's part: the entity, and the passage that led here. */
  graph?: { share: number; by: string; from: string };
  /** In a conversation: the part of a passage beside it, and of a speaker that the query names. */
  beside?: { share: number; from?: string };
}

export interface FusionQuery {
  /**
   * The idf of every query term, repeated by its occurrences in the query (terms missing in the collection count,
   * too).
   */
  idfs: readonly number[];
}

export interface FusionOptions {
  /**
   * Typical distance between the cosines of the best and an average candidate with this embedding model, for a query
   * that it understands. Default 0.25 (bge-small; other models: their usual best-to-hundredth distance).
   */
  denseSpread?: number;
}

/** Weight of each method for one query, and the reasons. */
export interface Weights {
  /** 0 to 1; the two add up to 1. */
  lexical: number;
  dense: number;
  /** Mean share of the query in the best ten passages by words. */
  coverage: number;
  /** Passages by words have the whole query, but the model overlooks them: words weigh as if all had it. */
  overlooked: boolean;
  /** Distance between the best and the last candidate's cosine. */
  spread: number;
}

/** Number of passages used to measure whether the query's words occur together. */
const judged = 10;
/** The model overlooks a passage in this last part of the distance between its candidates, and one that is none of them. */
const lastPart = 1 / 3;

/**
 * Computes the weights from the two lists:
 *
 * - Words are weighted by the share of the query in the best passages by words. A short query finds passages with all
 *   of it; for a long question each passage has a part. Few passages may have all of it, as only they are about what is
 *   asked; if the model overlooks just these, it does not understand the query's words, and the words count in full.
 * - Meaning is weighted by the distance between its candidates. If all look alike to the model (short keyword queries
 *   in a collection about one subject), its order is weak evidence; the power reduces small distances further.
 */
export function weigh(lexical: readonly LexicalHit[], dense: readonly Ranked[], options: FusionOptions = {}): Weights {
  const { denseSpread = 0.25 } = options;
  const best = lexical.slice(0, judged);
  const coverage = best.reduce((sum, hit) => sum + hit.coverage, 0) / (best.length || 1);
  const spread = (dense[0]?.score ?? 0) - floorOf(dense);
  const telling = Math.min(1, Math.max(0, spread) / denseSpread) ** 1.5;
  const overlooked = overlooks(dense, withWhole(best));
  const together = overlooked ? 1 : coverage;
  const weight = lexical.length === 0 ? 1 : dense.length === 0 ? 0 : telling / (telling + together || 1);
  return { lexical: 1 - weight, dense: weight, coverage, overlooked, spread };
}

/** Whether all these passages, if there are any, are far from the best by meaning. */
function overlooks(dense: readonly Ranked[], passages: readonly Ranked[]): boolean {
  if (passages.length === 0 || dense.length === 0) return false;
  const floor = floorOf(dense);
  const seen = floor + (dense[0]!.score - floor) * lastPart;
  const ids = new Set(passages.map(({ id }) => id));
  return !dense.some(({ id, score }) => score > seen && ids.has(id));
}

/**
 * Fuses by scores that keep their meaning, weighted for this query by `weigh`. A passage by words counts with the
 * mean of its BM25 score (relative to the sum of the query's idfs: the score of a passage of average length with
 * every query word once) and its coverage, so that one passage with the whole query outranks repetitions of a part. A
 * cosine counts by its distance from the last candidate, without min-max scaling. A passage missing from a list gets
 * nothing from it. If one list is empty, the other one alone decides the order.
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

/** Zero point of a dense list. A single candidate is its own last one, so it is measured from zero. */
const floorOf = (dense: readonly Ranked[]): number => (dense.length > 1 ? dense.at(-1)!.score : 0);

/**
 * Weighted reciprocal rank fusion, the usual baseline: uses only ranks, so it cannot distinguish a certain list from
 * a random one. Kept for comparison, and for lists with meaningless scores.
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
