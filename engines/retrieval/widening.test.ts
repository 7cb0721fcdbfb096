import { describe, expect, it } from 'vitest';
import type { LexicalHit, Weights } from './fusion.ts';
import { widened, widens } from './widening.ts';

const hits = (...coverages: number[]): LexicalHit[] => coverages.map((coverage, i) => ({ id: String(i), score: 1, coverage }));
const weights = (lexical: number): Weights => ({ overlooked: false, lexical, dense: 1 - lexical, coverage: 0.5, spread: 0.1 });
const decide = (given: Partial<Parameters<typeof widens>[0]> = {}) =>
  widens({ terms: 6, lexical: hits(0.5, 0.4), weights: weights(0.6), ...given });

describe('widens', () => {
  it('helps a longer query whose words decide, and that no passage has as a whole', () => {
    expect(decide()).toEqual({ run: true, why: expect.stringMatching(/words decide/) });
    expect(decide({ terms: 3 })).toEqual({ run: false, why: 'the query has only 3 telling words' });
    expect(decide({ terms: 1 }).why).toMatch(/1 telling word$/);
    expect(decide({ lexical: hits(0.3, 0.92) })).toEqual({ run: false, why: 'one passage has 92 % of the query' });
    expect(decide({ weights: weights(0.3) })).toEqual({ run: false, why: expect.stringMatching(/meaning tells/) });
  });
});

describe('widened', () => {
  const own = new Map([
    ['drag', 2],
    ['wing', 1],
  ]);
  const idfs = new Map([
    ['drag', 1],
    ['wing', 3],
  ]);
  const shared = [
    { term: 'shock', share: 0.1, idf: 4 },
    { term: 'flow', share: 0.4, idf: 0.5 },
    { term: 'sweep', share: 0.1, idf: 4 },
  ];

  it('adds the words of the most weight, and keeps the weight of the query', () => {
    const { terms, added } = widened(idfs, own, shared)!;
    expect(added).toEqual(['shock', 'sweep', 'flow']);
    const all = new Map([...idfs, ...shared.map(({ term, idf }) => [term, idf] as const)]);
    const weight = (names: Iterable<string>): number => [...names].reduce((sum, term) => sum + terms.get(term)! * all.get(term)!, 0);
    expect(weight(terms.keys())).toBeCloseTo(5, 9);
    expect(weight(added) / weight(own.keys())).toBeCloseTo(0.3, 9);
    expect(terms.get('drag')! / terms.get('wing')!).toBeCloseTo(2, 9);
    expect(terms.get('shock')!).toBeCloseTo(2 * terms.get('flow')!, 9);
  });

  it('adds ten words at most, never one of the query, none without weight', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ term: `w${i}`, share: 1 / (i + 1), idf: 1 }));
    expect(widened(idfs, own, many)!.added).toEqual(many.slice(0, 10).map(({ term }) => term));
    expect(widened(idfs, own, [{ term: 'wing', share: 1, idf: 3 }, ...shared])!.added).not.toContain('wing');
    expect(widened(idfs, own, [{ term: 'the', share: 1, idf: 0 }])).toBeNull();
    expect(widened(idfs, own, [])).toBeNull();
    expect(widened(new Map(), own, shared)).toBeNull();
  });
});
