/**
 * BM25 as a product of two sparse vectors. A passage's holds what depends on the passage, a query's how often each term
 * is asked for; the store multiplies with each term's idf, which it knows best.
 */

export interface Sparse {
  indices: number[];
  values: number[];
}

const k1 = 1.2;
const b = 0.75;
/**
 * Terms of a typical passage. The true average moves with every document, and a passage's values must not: 1,000
 * characters, the usual size, have about this many terms.
 */
export const typicalLength = 100;

/** A passage's terms with their saturated frequencies. */
export const passageTerms = (terms: Iterable<[string, number]>, length: number): Sparse =>
  sparse(terms, (times) => (times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / typicalLength)));

/** A query's terms, each as heavy as it is often asked for. */
export const queryTerms = (terms: Iterable<[string, number]>): Sparse => sparse(terms, (times) => times);

/**
 * Two terms with one hash count as one term. Among a million terms a given one meets another with a chance of 0.02 %,
 * and what it then finds too much is outranked by what has the query's other terms.
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

/** 32 bits, unsigned: FNV-1a over UTF-8, then mixed, since its upper bits vary little between short words. */
export function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(term)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
