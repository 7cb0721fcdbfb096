import type { LexicalHit } from '../../engines/retrieval/fusion.ts';
import { wholeAt, type Decision } from '../../engines/retrieval/whole-query.ts';

/** Pure: whether a second round is worth its time for a query. */

export interface FirstRound {
  /** True, false, or left to this decision. */
  includeGraph: boolean | undefined;
  /** Ranked by one method alone, or with a minimum similarity that passages reached by names could not show. */
  narrowed: boolean;
  /** Distinct terms of the query. */
  terms: number;
  /** By words, best first. */
  lexical: readonly LexicalHit[];
}

/** Fewer terms are a keyword search: what they mean stands in one passage. */
const question = 4;

/**
 * A second round pays where a question has several parts and no passage has them all. It follows names only, so a
 * question that names nothing ends there at the cost of two statements.
 */
export function secondRound({ includeGraph, narrowed, terms, lexical }: FirstRound): Decision {
  if (includeGraph !== undefined) return { run: includeGraph, why: includeGraph ? 'include_graph asks for it' : 'include_graph is false' };
  if (narrowed) return { run: false, why: 'the search is limited to one method or to a similarity' };
  if (terms < question) return { run: false, why: `the query has only ${terms} telling ${terms === 1 ? 'word' : 'words'}` };
  const { whole, percent } = wholeAt(lexical);
  if (whole) return { run: false, why: `one passage has ${percent} % of the query` };
  return { run: true, why: `no passage has more than ${percent} % of the query, so its parts may stand in several` };
}

/** The query's terms with their idf. @param idfs one per occurrence, in the order of the terms */
export function weighted(terms: ReadonlyMap<string, number>, idfs: readonly number[]): Map<string, number> {
  let at = 0;
  return new Map(
    [...terms].map(([term, times]) => {
      const weight = idfs[at] ?? 0;
      at += times;
      return [term, weight];
    }),
  );
}
