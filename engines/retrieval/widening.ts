import type { LexicalHit, Weights } from './fusion.ts';
import type { Decision } from './whole-query.ts';
import { wholeAt } from './whole-query.ts';

/**
 * Pure: words that the best passages share and the query lacks (relevance feedback after RM3). They find further
 * passages of the query's subject in a collection about one field, where many passages say the same in other words.
 */

/** Best passages whose words count. */
export const feeding = 5;
/** A word must stand in so many of them. */
export const sharedBy = 2;
/** Words that are added at most. */
const most = 10;
/** Weight of all added words, as a share of the query's own. */
const share = 0.3;
/** A query with fewer telling words says too little about its subject: its best passages have several. */
const fewest = 4;
/** Below this weight of the words the vectors decide: the collection has many subjects, and they tell them apart. */
const leading = 0.45;

/** Whether more words help a query. @param weights of the fusion */
export function widens({ terms, lexical, weights }: { terms: number; lexical: readonly LexicalHit[]; weights: Weights }): Decision {
  if (terms < fewest) return { run: false, why: `the query has only ${terms} telling ${terms === 1 ? 'word' : 'words'}` };
  const { whole, percent } = wholeAt(lexical);
  if (whole) return { run: false, why: `one passage has ${percent} % of the query` };
  if (weights.lexical < leading) return { run: false, why: 'meaning tells the passages apart' };
  return { run: true, why: 'words decide here and no passage has the whole query' };
}

/** A word of the best passages. */
export interface Shared {
  term: string;
  /** Its share of each passage, weighted by the passage's score, summed. */
  share: number;
  /** Its weight in the collection. */
  idf: number;
}

/**
 * The query's terms and the added ones, each with the factor of its idf. The sum of factor · idf stays that of the query, so
 * that scores remain comparable.
 * @param idfs of the query's terms
 * @param own their occurrences in the query
 * @returns the added ones best first; null when there are none
 */
export function widened(
  idfs: ReadonlyMap<string, number>,
  own: ReadonlyMap<string, number>,
  shared: readonly Shared[],
): { terms: Map<string, number>; added: string[] } | null {
  const added = shared
    .map(({ term, share: part, idf }) => ({ term, idf, value: part * idf }))
    .filter(({ term, value }) => value > 0 && !own.has(term))
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1))
    .slice(0, most);
  const mass = added.reduce((sum, { value, idf }) => sum + value * idf, 0);
  const whole = [...own].reduce((sum, [term, times]) => sum + times * (idfs.get(term) ?? 0), 0);
  if (mass === 0 || whole === 0) return null;
  const terms = new Map([...own].map(([term, times]) => [term, times / (1 + share)]));
  for (const { term, value } of added) terms.set(term, (share * whole * value) / mass / (1 + share));
  return { terms, added: added.map(({ term }) => term) };
}
