import { describe, expect, it } from 'vitest';
import { fuse, fuseByRank, weigh, type LexicalHit, type Ranked } from './fusion.ts';

const list = (scores: Record<string, number>): Ranked[] => Object.entries(scores).map(([id, score]) => ({ id, score }));
/** Score and coverage of each. */
const byWords = (hits: Record<string, [score: number, coverage: number]>): LexicalHit[] =>
  Object.entries(hits).map(([id, [score, coverage]]) => ({ id, score, coverage }));
const ids = (fused: { id: string }[]): string[] => fused.map((each) => each.id);

describe('weigh', () => {
  const alike = list({ z: 0.71, y: 0.7, x: 0.66 });
  const apart = list({ z: 0.8, y: 0.6, x: 0.5 });

  it('believes words that are found together, and meaning that tells passages apart', () => {
    const together = byWords({ a: [6, 1], b: [5, 1] });
    const scattered = byWords({ a: [6, 0.3], b: [5, 0.2] });
    expect(weigh(together, alike).lexical).toBeGreaterThan(0.8);
    expect(weigh(together, apart).dense).toBeCloseTo(0.5, 2);
    expect(weigh(scattered, apart).dense).toBeGreaterThan(0.75);
    expect(weigh(scattered, alike).dense).toBeLessThan(weigh(scattered, apart).dense);
    expect(weigh(together, alike)).toMatchObject({ coverage: 1, spread: expect.closeTo(0.05, 6) });
  });

  it('believes words in full when the model overlooks what has the whole query', () => {
    const hits = byWords({ a: [6, 1], b: [5, 0.5], c: [5, 0.4], d: [4, 0.5] });
    const [first, middle, last] = [
      { a: 0.8, b: 0.6, z: 0.5 },
      { z: 0.8, a: 0.65, y: 0.5 },
      { z: 0.8, a: 0.55, y: 0.5 },
    ].map(list);
    expect(weigh(hits, apart)).toMatchObject({ overlooked: true, coverage: expect.closeTo(0.6, 6), lexical: expect.closeTo(0.5, 6) });
    expect(weigh(hits, last!)).toMatchObject({ overlooked: true, lexical: expect.closeTo(0.5, 6) });
    expect(weigh(hits, middle!)).toMatchObject({ overlooked: false, lexical: expect.closeTo(0.375, 6) });
    expect(weigh(hits, first!)).toMatchObject({ overlooked: false, lexical: expect.closeTo(0.375, 6) });
    // It sees one of two.
    expect(weigh(byWords({ a: [6, 1], b: [5, 1], c: [5, 0.4] }), list({ b: 0.8, z: 0.5 }))).toMatchObject({ overlooked: false });
    // The whole query far down is chance, and without it there is nothing to overlook.
    const late = byWords({ b: [6, 0.5], c: [5, 0.4], d: [4, 0.5], a: [3, 1] });
    expect(weigh(late, apart)).toMatchObject({ overlooked: false });
    expect(weigh(byWords({ b: [6, 0.5] }), apart)).toMatchObject({ overlooked: false });
  });

  it('believes the only list there is', () => {
    expect(weigh([], alike)).toMatchObject({ lexical: 0, dense: 1 });
    expect(weigh(byWords({ a: [1, 0.1] }), [])).toMatchObject({ lexical: 1, dense: 0 });
  });
});

describe('fuse', () => {
  it('follows the words when they are found together and the cosines hardly differ', () => {
    const lexical = byWords({ a: [6, 1], b: [5.8, 1], c: [2, 0.5] });
    const dense = list({ z: 0.61, y: 0.605, c: 0.6, a: 0.58, b: 0.57 });
    expect(ids(fuse(lexical, dense, { idfs: [3, 3] })).slice(0, 2)).toEqual(['a', 'b']);
    expect(ids(fuseByRank(lexical, dense)).slice(0, 2)).not.toEqual(['a', 'b']);
  });

  it('follows the meaning when passages cover little of a long question and the cosines tell them apart', () => {
    const lexical = byWords({ a: [6, 0.2], b: [5, 0.2], c: [4, 0.1] });
    const dense = list({ z: 0.85, c: 0.7, b: 0.6, a: 0.5 });
    expect(ids(fuse(lexical, dense, { idfs: Array.from({ length: 10 }, () => 3) }))[0]).toBe('z');
  });

  it('puts all of the query in one passage before a part of it many times', () => {
    const lexical = byWords({ part: [6.2, 0.5], whole: [6, 1], none: [1, 0.1] });
    const dense = list({ part: 0.7, whole: 0.69, none: 0.5 });
    expect(ids(fuse(lexical, dense, { idfs: [3, 3] }))[0]).toBe('whole');
  });

  it('puts the only passage with both words before one with a part that sounds alike', () => {
    const lexical = byWords({ whole: [6.9, 1], part: [5.8, 0.63], x: [4.7, 0.37], y: [3.9, 0.37] });
    const dense = list({ part: 0.75, x: 0.65, z: 0.61 });
    expect(ids(fuse(lexical, dense, { idfs: [3, 5.5] }))[0]).toBe('whole');
  });

  it('finds a ticket id that only one passage has, whatever sounds alike', () => {
    const lexical = byWords({ ticket: [7, 1] });
    const dense = list({ x: 0.66, y: 0.65, z: 0.6, ticket: 0.56 });
    expect(ids(fuse(lexical, dense, { idfs: [7] }))[0]).toBe('ticket');
  });

  it('explains each score by its shares, within 0 and 1', () => {
    const fused = fuse(byWords({ a: [9, 1], b: [1, 0.3] }), list({ b: 0.9, a: 0.5 }), { idfs: [2, 2] });
    for (const each of fused) {
      expect(each.score).toBeCloseTo((each.lexical?.share ?? 0) + (each.dense?.share ?? 0), 12);
      expect(each.score).toBeGreaterThanOrEqual(0);
      expect(each.score).toBeLessThanOrEqual(1);
    }
    expect(fused.find((each) => each.id === 'b')).toMatchObject({
      lexical: { rank: 2, score: 1, coverage: 0.3 },
      dense: { rank: 1, score: 0.9 },
    });
  });

  it('keeps the order of the only list there is', () => {
    const hits = list({ c: 0.9, a: 0.8, b: 0.7 });
    // By BM25, whatever the coverage.
    expect(ids(fuse(byWords({ c: [0.9, 0.1], a: [0.8, 1], b: [0.7, 0.5] }), [], { idfs: [1] }))).toEqual(['c', 'a', 'b']);
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
      const dense = hits(0.1);
      const lexical = hits(1).map((hit) => ({ ...hit, coverage: hit.score / 10 }));
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
