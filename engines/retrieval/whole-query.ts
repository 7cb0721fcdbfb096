import type { LexicalHit } from './fusion.ts';

/** A decision about a further step of a search. */
export interface Decision {
  run: boolean;
  /** A clause after "because". */
  why: string;
}

/** Passages that have this share of the query answer it alone. */
const whole = 0.9;
/** Passages by words among which one may have the whole query. */
const considered = 3;

/** Those of the best passages by words that have the whole query. */
export const withWhole = (lexical: readonly LexicalHit[]): LexicalHit[] =>
  lexical.slice(0, considered).filter((hit) => hit.coverage >= whole);

/** Whether one of the best passages by words has the whole query. @returns also the share that the best one has */
export function wholeAt(lexical: readonly LexicalHit[]): { whole: boolean; percent: number } {
  const best = Math.max(0, ...lexical.slice(0, considered).map((hit) => hit.coverage));
  return { whole: best >= whole, percent: Math.round(100 * best) };
}
