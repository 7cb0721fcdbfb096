import type { SignalClass } from '../../contracts/signals/signals.ts';
import { idf, terms } from '../../engines/retrieval/terms.ts';
import type { Kinds } from './search-kinds.ts';

export interface Candidate {
  id: string;
  statement: string;
  class: SignalClass;
  /** Milliseconds since 1970. */
  at: number;
  /** Cosine with the query; null: no vector. */
  cosine: number | null;
}

export interface Ranked {
  id: string;
  score: number;
}

/** Cosines of short texts range from unrelated to nearly the same. */
const [unlike, alike] = [0.5, 0.9];
/** Minimum cosine of a statement without any word of the query. */
const leastAlike = 0.62;
const meaningWeight = 0.55;
/** Share of the score of a statement of the requested kind. */
const kindWeight = 0.3;
/** Nearest statements that are shown when none fits. */
const mostNearest = 10;

/**
 * Best first: by the subject's rare words in a statement and closeness in meaning, and by the requested kind; then the
 * newest. When none fits, the nearest in meaning.
 */
export function ranked({ classes, subject }: Kinds, candidates: readonly Candidate[]): { found: Ranked[]; nearest: boolean } {
  const words = candidates.map(({ statement }) => new Set(terms(statement)));
  const weights = new Map(subject.map((term) => [term, idf(words.filter((own) => own.has(term)).length, candidates.length + 1)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const scored = candidates.map(({ id, at, cosine, class: kind }, i) => {
    const shared = subject.reduce((sum, term) => sum + (words[i]!.has(term) ? weights.get(term)! : 0), 0);
    const said = all === 0 ? 0 : shared / all;
    const ofKind = classes.includes(kind);
    const fits = subject.length === 0 && classes.length > 0 ? ofKind : said > 0 || (cosine ?? 0) >= leastAlike;
    const meant = cosine === null ? null : Math.max(0, Math.min(1, (cosine - unlike) / (alike - unlike)));
    const about = meant === null ? said : meaningWeight * meant + (1 - meaningWeight) * said;
    const score = classes.length === 0 ? about : (1 - kindWeight) * about + (ofKind ? kindWeight : 0);
    return { id, at, fits, cosine: cosine ?? 0, score: Math.round(score * 1000) / 1000 };
  });
  const fitting = scored.filter(({ fits }) => fits);
  const shown =
    fitting.length > 0
      ? fitting
      : scored
          .filter(({ cosine }) => cosine > 0)
          .toSorted((a, b) => b.cosine - a.cosine)
          .slice(0, mostNearest);
  return {
    nearest: fitting.length === 0 && shown.length > 0,
    found: shown
      .toSorted((a, b) => b.score - a.score || b.cosine - a.cosine || b.at - a.at || (a.id < b.id ? -1 : 1))
      .map(({ id, score }) => ({ id, score })),
  };
}
