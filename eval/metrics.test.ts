import { describe, expect, it } from 'vitest';
import { averagePrecision, mean, ndcg, recall } from './metrics.ts';

const judged = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0],
]);

describe('ndcg', () => {
  it('is 1 for the ideal order and less for others, by hand', () => {
    expect(ndcg(['a', 'b', 'c'], judged, 10)).toBe(1);
    const ideal = 2 + 1 / Math.log2(3);
    expect(ndcg(['b', 'x', 'a'], judged, 10)).toBeCloseTo((1 + 2 / 2) / ideal, 12);
    expect(ndcg(['x', 'a'], judged, 1)).toBe(0);
    expect(ndcg(['a'], new Map(), 10)).toBe(0);
    // Only what fits into the first k can be ideal.
    expect(
      ndcg(
        ['b'],
        new Map([
          ['a', 1],
          ['b', 1],
        ]),
        1,
      ),
    ).toBe(1);
  });
});

describe('recall and average precision', () => {
  it('count relevant documents alone', () => {
    expect(recall(['c', 'a', 'x', 'b'], judged, 2)).toBe(0.5);
    expect(recall(['c', 'a', 'x', 'b'], judged, 5)).toBe(1);
    expect(recall(['a'], new Map([['c', 0]]), 5)).toBe(0);
    expect(averagePrecision(['a', 'x', 'b'], judged)).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(averagePrecision(['x'], judged)).toBe(0);
    expect(mean([])).toBe(0);
  });
});
