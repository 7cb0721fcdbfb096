import { describe, expect, it } from 'vitest';
import { affinity, agglomerate, entityWeight, joined, threshold, type Item } from './affinity.ts';
import { keepIds } from './rules.ts';
import { dot, meanOf, readHalfvec, wordsModel, wordVector } from './vectors.ts';

const former = (id: string, rank: number, ...overlap: [number, number][]) => ({ id, rank, overlap: new Map(overlap) });

describe('which id a cluster keeps', () => {
  it('is that with which it shares most; the rest of a split is new', () => {
    expect(keepIds([former('a', 1, [0, 2], [1, 5])], 2)).toEqual({ ids: [null, 'a'], merged: new Map() });
  });

  it('of merged ones is the greatest, and each of the others points to where most of it went', () => {
    const kept = keepIds([former('a', 1, [0, 2]), former('b', 1, [0, 7], [1, 3]), former('c', 1, [1, 1], [0, 2])], 2);
    expect(kept.ids).toEqual(['b', 'c']);
    expect(kept.merged).toEqual(new Map([['a', 0]]));
  });

  it('is first of all one that people decided about, then one that they see', () => {
    expect(keepIds([former('big', 1, [0, 90]), former('decided', 2, [0, 3])], 1)).toEqual({
      ids: ['decided'],
      merged: new Map([['big', 0]]),
    });
    expect(keepIds([former('unseen', 0, [0, 4]), former('seen', 1, [0, 2])], 1).ids).toEqual(['seen']);
  });

  it('does not depend on the order of equals', () => {
    const [a, b] = [former('a', 1, [0, 2]), former('b', 1, [0, 2])];
    expect(keepIds([a, b], 1)).toEqual(keepIds([b, a], 1));
  });
});

const at = (angle: number, entities: Record<string, number> = {}, size = 1): Item => {
  const vector = new Float32Array(384);
  [vector[0], vector[1]] = [Math.cos(angle), Math.sin(angle)];
  return { vector, entities: new Map(Object.entries(entities)), size };
};

describe('agglomeration', () => {
  it('joins what is near on average, and leaves alone what is near to one end only', () => {
    const items = [at(0), at(0.1), at(1.4), at(1.5), at(3)];
    expect(agglomerate(items, new Map(), 0.9)).toEqual([[0, 1], [2, 3], [4]]);
    // A chain: each is near its neighbour, the ends are not near each other.
    expect(agglomerate([at(0), at(0.5), at(1), at(1.5)], new Map(), 0.8).length).toBeGreaterThan(1);
    expect(agglomerate([], new Map(), 0.5)).toEqual([]);
  });

  it('gives the same whether many stand one by one or as their mean', () => {
    const many = [at(0), at(0.2), at(0.3)];
    const whole = joined(many);
    const one = at(0.9);
    const pairwise = many.reduce((sum, item) => sum + affinity(item, one, new Map()), 0) / 3;
    expect(affinity(whole, one, new Map())).toBeCloseTo(pairwise, 5);
  });

  it('counts a shared issue by how rare it is, and no more than so much', () => {
    const weights = new Map([
      ['rare', entityWeight('issue', 3)],
      ['everywhere', entityWeight('issue', 20_000)],
    ]);
    const plain = affinity(at(0), at(1.2), weights);
    const rare = affinity(at(0, { rare: 1 }), at(1.2, { rare: 1 }), weights) - plain;
    const everywhere = affinity(at(0, { everywhere: 1 }), at(1.2, { everywhere: 1 }), weights) - plain;
    expect(rare).toBeCloseTo(0.15);
    expect(everywhere).toBeLessThan(0.01);
    // Half of the statements name it.
    expect(affinity(at(0, { rare: 5 }, 10), at(1.2, { rare: 1 }), weights) - plain).toBeCloseTo(0.075);
    expect(entityWeight('customer', 1)).toBe(0);
  });
});

describe('vectors', () => {
  it('of words are near for the same words, whatever their order and endings, and of length 1', () => {
    const [a, b, c] = ['The dashboards load slowly.', 'Slow loading dashboard', 'Invoices are charged twice'].map(wordVector) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(dot(a, a)).toBeCloseTo(1);
    expect(dot(a, b)).toBeGreaterThan(threshold(wordsModel));
    expect(dot(a, c)).toBeLessThan(threshold(wordsModel));
    expect(dot(wordVector('…'), a)).toBe(0);
  });

  it('are weighed when averaged, and read from what Postgres sends', () => {
    const mean = meanOf([at(0).vector, at(Math.PI / 2).vector], [3, 1]);
    expect([mean[0], mean[1]]).toEqual([0.75, 0.25]);
    const bytes = Buffer.from([0, 5, 0, 0, 0x3c, 0, 0xb8, 0, 0, 0, 0, 1, 0x7b, 0xff]);
    expect([...readHalfvec(bytes)]).toEqual([1, -0.5, 0, Math.fround(2 ** -24), 65504]);
  });
});
