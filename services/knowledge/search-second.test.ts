import { describe, expect, it } from 'vitest';
import { secondRound, weighted } from './search-second.ts';

const hits = (...coverages: number[]) => coverages.map((coverage, i) => ({ id: String(i), score: 1, coverage }));
const decide = (given: Partial<Parameters<typeof secondRound>[0]> = {}) =>
  secondRound({ includeGraph: undefined, narrowed: false, terms: 6, lexical: hits(0.5, 0.4), ...given });

describe('a second round', () => {
  it('follows where no passage has the whole question', () => {
    expect(decide()).toEqual({ run: true, why: expect.stringMatching(/no passage has more than 50 % of the query/) });
    expect(decide({ lexical: [] }).run).toBe(true);
  });

  it('is not made for keywords, nor when one of the best passages has the query', () => {
    expect(decide({ terms: 2 })).toMatchObject({ run: false, why: expect.stringMatching(/only 2 telling words/) });
    expect(decide({ terms: 1 }).why).toMatch(/only 1 telling word$/);
    expect(decide({ lexical: hits(0.4, 0.95) })).toMatchObject({ run: false, why: expect.stringMatching(/95 % of the query/) });
  });

  it('is not made where it could not keep what was asked for', () => {
    expect(decide({ narrowed: true }).run).toBe(false);
  });

  it('does as it is told', () => {
    expect(decide({ includeGraph: true, terms: 1, narrowed: true }).run).toBe(true);
    expect(decide({ includeGraph: false }).run).toBe(false);
  });
});

describe('weighted', () => {
  it('gives each term its own idf, however often it occurs', () => {
    expect([
      ...weighted(
        new Map([
          ['a', 2],
          ['b', 1],
          ['c', 1],
        ]),
        [1, 1, 5],
      ),
    ]).toEqual([
      ['a', 1],
      ['b', 5],
      ['c', 0],
    ]);
  });
});
