/** Grades of documents by their ids; what is missing is irrelevant. */
export type Judged = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain of the first k, as trec_eval computes it: the gain is the grade itself.
 * @returns 0 to 1; 0 when nothing is relevant
 */
export function ndcg(ranked: readonly string[], judged: Judged, k: number): number {
  const ideal = discounted([...judged.values()].sort((a, b) => b - a).slice(0, k));
  return ideal === 0 ? 0 : discounted(ranked.slice(0, k).map((id) => judged.get(id) ?? 0)) / ideal;
}

const discounted = (gains: readonly number[]): number => gains.reduce((sum, gain, i) => sum + Math.max(0, gain) / Math.log2(i + 2), 0);

/** Share of the relevant documents among the first k. */
export function recall(ranked: readonly string[], judged: Judged, k: number): number {
  const relevant = relevantOf(judged);
  return relevant.size === 0 ? 0 : ranked.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;
}

/** Mean of the precisions at each relevant document; those not ranked count 0. */
export function averagePrecision(ranked: readonly string[], judged: Judged): number {
  const relevant = relevantOf(judged);
  let found = 0;
  let sum = 0;
  for (const [i, id] of ranked.entries()) {
    if (!relevant.has(id)) continue;
    found += 1;
    sum += found / (i + 1);
  }
  return relevant.size === 0 ? 0 : sum / relevant.size;
}

const relevantOf = (judged: Judged): Set<string> => new Set([...judged].filter(([, grade]) => grade > 0).map(([id]) => id));

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
