import { describe, expect, it } from 'vitest';
import { aboveThreshold, byScores, type RankedHit } from './search-view.ts';

const hits: RankedHit[] = [
  { id: 'a', score: 0.9, dense: { rank: 1, score: 0.72, share: 0.5 } },
  { id: 'b', score: 0.8, lexical: { rank: 1, score: 9, share: 0.5 } },
  { id: 'c', score: 0.7, dense: { rank: 2, score: 0.6, share: 0.4 } },
];
const ids = (some: RankedHit[]): string[] => some.map((hit) => hit.id);

describe('aboveThreshold', () => {
  it('keeps what is near enough and what was found by words', () => {
    const warnings: string[] = [];
    expect(ids(aboveThreshold(hits, 0.7, warnings))).toEqual(['a', 'b']);
    expect(ids(aboveThreshold(hits, undefined, warnings))).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual([]);
    expect(aboveThreshold([hits[2]!], 0.7, warnings)).toEqual([]);
    expect(warnings.join()).toMatch(/0\.7.*0\.60/);
  });
});

describe('byScores', () => {
  it('orders by the scores; what got none keeps its order behind', () => {
    expect(ids(byScores(hits, [0.1, 0.9, 0.5]))).toEqual(['b', 'c', 'a']);
    expect(ids(byScores(hits, [-Infinity, -Infinity, 0.2]))).toEqual(['c', 'a', 'b']);
    expect(byScores(hits, [0.1, 0.9, 0.5])[0]).toMatchObject({ id: 'b', score: 0.9, reranked: 0.9 });
  });

  it('brings logits to 0 to 1', () => {
    const ranked = byScores(hits, [-3, 4, 0]);
    expect(ids(ranked)).toEqual(['b', 'c', 'a']);
    expect(ranked.map((hit) => hit.reranked)).toEqual([4, 0, -3]);
    expect(ranked[1]!.score).toBe(0.5);
    expect(ranked.every((hit) => hit.score > 0 && hit.score < 1)).toBe(true);
  });
});
