/**
 * BM25 as a product of two sparse vectors. A passage's vector contains the part that depends on the passage, a
 * query's the number of occurrences of each term; the store multiplies by each term's idf.
 */

export interface Sparse {
  indices: number[];
  values: number[];
}

const k1 = 1.2;
const b = 0.75;
/**
 * Number of terms in a typical passage. The true average changes with every document, but a passage's values must
 * not: 1,000 characters, the usual size, have about this many terms.
 */
export const typicalLength = 100;

/** A passage's terms with their saturated frequencies. */
export const passageTerms = (terms: Iterable<[string, number]>, length: number): Sparse =>
  sparse(terms, (times) => (times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / typicalLength)));

/** A query's terms, weighted by their number of occurrences. */
export const queryTerms = (terms: Iterable<[string, number]>): Sparse => sparse(terms, (times) => times);

/**
 * Two terms with one hash count as one term. Among a million terms the chance is 0.02 % for a given one, and false
 * matches rank below passages with the query's other terms.
 */
function sparse(terms: Iterable<[string, number]>, weigh: (times: number) => number): Sparse {
  const counts = new Map<number, number>();
  for (const [term, times] of terms) {
    const index = termHash(term);
    counts.set(index, (counts.get(index) ?? 0) + times);
  }
  return { indices: [...counts.keys()], values: [...counts.values()].map(weigh) };
}

const encoder = new TextEncoder();

/** Unsigned 32 bits: FNV-1a over UTF-8, then mixed, because its upper bits vary little between short words. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(term)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
