import { idf, terms } from '../../engines/retrieval/terms.ts';

export interface Candidate {
  id: string;
  statement: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Cosine with the query; null: no vector. */
  cosine: number | null;
}

/** Cosines of short texts range from unrelated to nearly the same. */
const [unlike, alike] = [0.5, 0.9];
/** Minimum cosine of a statement without any word of the query. */
const leastAlike = 0.62;
const meaningWeight = 0.55;

/** Best first: by the query's rare words in a statement and closeness in meaning; then the newest. */
export function ranked(query: string, candidates: readonly Candidate[]): { id: string; score: number }[] {
  const wanted = [...new Set(terms(query))];
  const words = candidates.map(({ statement }) => new Set(terms(statement)));
  const weights = new Map(wanted.map((term) => [term, idf(words.filter((own) => own.has(term)).length, candidates.length + 1)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return candidates
    .flatMap(({ id, at, cosine }, i) => {
      const shared = wanted.reduce((sum, term) => sum + (words[i]!.has(term) ? weights.get(term)! : 0), 0);
      const said = all === 0 ? 0 : shared / all;
      if (said === 0 && (cosine ?? 0) < leastAlike) return [];
      const meant = cosine === null ? null : Math.max(0, Math.min(1, (cosine - unlike) / (alike - unlike)));
      const score = meant === null ? said : meaningWeight * meant + (1 - meaningWeight) * said;
      return [{ id, at, score: Math.round(score * 1000) / 1000 }];
    })
    .sort((a, b) => b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1))
    .map(({ id, score }) => ({ id, score }));
}
