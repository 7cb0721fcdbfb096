import { describe, expect, it } from 'vitest';
import { fuse, fuseByRank, type Ranked } from './fusion.ts';

const list = (scores: Record<string, number>): Ranked[] => Object.entries(scores).map(([id, score]) => ({ id, score }));
const ids = (fused: { id: string }[]): string[] => fused.map((each) => each.id);

describe('fuse', () => {
  it('follows the words when they are found together and the cosines hardly differ', () => {
    const lexical = list({ a: 6, b: 5.8, c: 2 });
    const dense = list({ z: 0.61, y: 0.605, c: 0.6, a: 0.58, b: 0.57 });
    expect(ids(fuse(lexical, dense, { idfs: [3, 3] })).slice(0, 2)).toEqual(['a', 'b']);
    expect(ids(fuseByRank(lexical, dense)).slice(0, 2)).not.toEqual(['a', 'b']);
  });

  it('follows the meaning when passages cover little of a long question and the cosines tell them apart', () => {
    const lexical = list({ a: 6, b: 5, c: 4 });
    const dense = list({ z: 0.85, c: 0.7, b: 0.6, a: 0.5 });
    expect(ids(fuse(lexical, dense, { idfs: Array.from({ length: 10 }, () => 3) }))[0]).toBe('z');
  });

  it('explains each score by its shares, within 0 and 1', () => {
    const fused = fuse(list({ a: 9, b: 1 }), list({ b: 0.9, a: 0.5 }), { idfs: [2, 2] });
    for (const each of fused) {
      expect(each.score).toBeCloseTo((each.lexical?.share ?? 0) + (each.dense?.share ?? 0), 12);
      expect(each.score).toBeGreaterThanOrEqual(0);
      expect(each.score).toBeLessThanOrEqual(1);
    }
    expect(fused.find((each) => each.id === 'b')).toMatchObject({ lexical: { rank: 2, score: 1 }, dense: { rank: 1, score: 0.9 } });
  });

  it('keeps the order of the only list there is', () => {
    const hits = list({ c: 0.9, a: 0.8, b: 0.7 });
    expect(ids(fuse(hits, [], { idfs: [1] }))).toEqual(['c', 'a', 'b']);
    expect(ids(fuse([], hits, { idfs: [] }))).toEqual(['c', 'a', 'b']);
    expect(fuse([], list({ a: 0.6 }), { idfs: [] })[0]!.score).toBeGreaterThan(0);
    expect(fuse([], [], { idfs: [] })).toEqual([]);
  });

  it('is stable: ties go by id, a better score never ranks lower, nothing is lost or doubled', () => {
    let state = 1;
    const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x7fffffff;
    for (let round = 0; round < 100; round++) {
      const hits = (scale: number): Ranked[] =>
        [...new Set(Array.from({ length: 20 }, () => `d${Math.floor(random() * 30)}`))]
          .map((id) => ({ id, score: Math.round(random() * 10) * scale }))
          .sort((a, b) => b.score - a.score);
      const [lexical, dense] = [hits(1), hits(0.1)];
      const query = { idfs: [random() * 5, random() * 5] };
      const fused = fuse(lexical, dense, query);
      expect(new Set(ids(fused))).toEqual(new Set([...ids(lexical), ...ids(dense)]));
      expect(fused).toHaveLength(new Set(ids(fused)).size);
      expect(fused.every((each) => Number.isFinite(each.score))).toBe(true);
      for (const [i, each] of fused.entries()) {
        const next = fused[i + 1];
        if (
          next === undefined ||
          each.lexical === undefined ||
          each.dense === undefined ||
          next.lexical === undefined ||
          next.dense === undefined
        )
          continue;
        expect(next.lexical.score > each.lexical.score && next.dense.score > each.dense.score).toBe(false);
      }
      expect(fuse(lexical, dense, query)).toEqual(fused);
    }
  });
});

describe('fuseByRank', () => {
  it('adds weighted reciprocal ranks', () => {
    const fused = fuseByRank(list({ a: 1, b: 0.5 }), list({ b: 1 }), { k: 20, denseWeight: 0.6 });
    expect(ids(fused)).toEqual(['b', 'a']);
    expect(fused[0]!.score).toBeCloseTo((0.4 * 21) / 22 + 0.6, 12);
    expect(fused[1]!.score).toBeCloseTo(0.4, 12);
  });
});
