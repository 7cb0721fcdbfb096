import { describe, expect, it } from 'vitest';
import { ScopeIndex } from './lexical-index.ts';
import { Best, idfsOf, score, type ScoreQuery } from './lexical-score.ts';
import { atOnce, between, largeSegment, merged, SegmentBuilder, type Segment } from './lexical-segment.ts';
import type { Look } from './lexical-look.ts';
import { TermTable } from './lexical-terms.ts';
import { bm25, idf } from './terms.ts';

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

type Passage = Map<string, number>;

function passages(count: number, next: () => number): Passage[] {
  return Array.from({ length: count }, () => {
    const passage: Passage = new Map();
    const length = 1 + Math.floor(next() * 30);
    for (let i = 0; i < length; i += 1) {
      const term = `t${Math.floor(next() ** 3 * 60)}`;
      passage.set(term, (passage.get(term) ?? 0) + 1);
    }
    return passage;
  });
}

const lengthOf = (passage: Passage): number => [...passage.values()].reduce((sum, tf) => sum + tf, 0);

function segmentOf(from: number, some: Passage[]): Segment {
  const builder = new SegmentBuilder();
  for (const [i, passage] of some.entries()) builder.add(from + i, [...passage.keys()].join(between), [...passage.values()].join(','));
  return atOnce(builder.finish());
}

const seen = (documents: number): Look => ({
  scope: 1,
  snapshot: { xmin: 1_000, xmax: 1_000, open: new Set() },
  rows: documents,
  documents,
  chunks: 0,
  terms: 0,
  hidden: [],
  versions: [],
});

/**
 * One document per passage; ids from 1 on.
 * @param parts number of segments
 */
function indexOf(all: Passage[], parts = 1): ScopeIndex {
  const index = new ScopeIndex(1);
  const size = Math.ceil(all.length / parts);
  for (let from = 0; from < all.length; from += size) {
    const some = all.slice(from, from + size);
    const documents = some.map((passage, i) => ({
      version: { id: `d${from + i + 1}`, source: `s${(from + i) % 3}`, changed: 10, status: 'active', chunks: 1 },
      chunks: [{ id: String(from + i + 1), hasCode: (from + i) % 2 === 0, terms: lengthOf(passage) }],
    }));
    index.add(seen(0), documents, segmentOf(index.chunks, some));
  }
  return index;
}

function bruteForce(all: Passage[], terms: ReadonlyMap<string, number>): { id: string; score: number; coverage: number }[] {
  const average = all.reduce((sum, passage) => sum + lengthOf(passage), 0) / all.length;
  const dfs = new Map([...terms.keys()].map((term) => [term, all.filter((passage) => passage.has(term)).length]));
  const whole = [...terms].reduce((sum, [term, times]) => sum + times * idf(dfs.get(term)!, all.length), 0);
  return all
    .map((passage, i) => {
      const own = [...terms].filter(([term]) => passage.has(term));
      return {
        id: String(i + 1),
        score: own.reduce(
          (sum, [term, times]) => sum + times * bm25(passage.get(term)!, lengthOf(passage), average, dfs.get(term)!, all.length),
          0,
        ),
        coverage: own.reduce((sum, [term, times]) => sum + times * idf(dfs.get(term)!, all.length), 0) / whole,
      };
    })
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id));
}

const wanted = (all: Passage[], terms: ReadonlyMap<string, number>, more: Partial<ScoreQuery> = {}): ScoreQuery => ({
  terms,
  chunks: all.length,
  averageTerms: all.reduce((sum, passage) => sum + lengthOf(passage), 0) / all.length,
  limit: 1_000,
  sources: undefined,
  hasCode: undefined,
  ...more,
});

const question = new Map([
  ['t0', 1],
  ['t3', 2],
  ['t17', 1],
  ['t55', 1],
  ['nowhere', 1],
]);

describe('score', () => {
  it('takes other factors than occurrences', () => {
    const all = passages(300, random(5));
    const wide = new Map([...question, ['t0', 0.7], ['t9', 0.25]] as [string, number][]);
    const { hits } = score([{ index: indexOf(all, 3), hidden: null }], wanted(all, wide));
    const expected = bruteForce(all, wide);
    expect(hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id));
    for (const [i, hit] of hits.entries()) {
      expect(hit.score).toBeCloseTo(expected[i]!.score, 9);
      expect(hit.coverage).toBeCloseTo(expected[i]!.coverage, 9);
    }
  });

  it('tells idfs in the order of the terms, of visible passages only', () => {
    const all = passages(200, random(6));
    const index = indexOf(all, 2);
    const without = all.map((passage, i) => (i % 2 === 0 ? passage : new Map()));
    const hidden = Uint8Array.from(all, (_, i) => i % 2);
    for (const [view, seen] of [
      [null, all],
      [hidden, without],
    ] as const) {
      const idfs = idfsOf([{ index, hidden: view }], ['t9', 'nowhere', 't0'], 200);
      expect([...idfs]).toEqual(
        ['t9', 'nowhere', 't0'].map((term) => [term, idf(seen.filter((passage) => passage.has(term)).length, 200)]),
      );
    }
  });

  it.each([1, 3, 7])('gives what bm25 gives, from %i segments', (parts) => {
    const all = passages(400, random(parts));
    const index = indexOf(all, parts);
    const { hits, idfs } = score([{ index, hidden: null }], wanted(all, question));
    const expected = bruteForce(all, question);
    expect(hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id));
    for (const [i, hit] of hits.entries()) {
      expect(hit.score).toBeCloseTo(expected[i]!.score, 10);
      expect(hit.coverage).toBeCloseTo(expected[i]!.coverage, 10);
    }
    expect(idfs).toHaveLength(6);
    expect(idfs.at(-1)).toBe(idf(0, 400));
  });

  it('leaves nothing behind for the next search', () => {
    const all = passages(200, random(5));
    const index = indexOf(all);
    const first = score([{ index, hidden: null }], wanted(all, question));
    score([{ index, hidden: null }], wanted(all, new Map([['t1', 1]])));
    expect(score([{ index, hidden: null }], wanted(all, question))).toEqual(first);
  });

  it('counts a collection in two scopes as one', () => {
    const all = passages(300, random(9));
    const views = [all.slice(0, 100), all.slice(100)].map((half) => ({ index: indexOf(half), hidden: null }));
    const ids = views.map(({ index }, i) => index.ids.map((id) => (i === 1 ? id + 100 : id)));
    for (const [i, { index }] of views.entries()) index.ids = ids[i]!;
    const { hits } = score(views, wanted(all, question));
    expect(hits.map((hit) => hit.id)).toEqual(bruteForce(all, question).map((hit) => hit.id));
  });

  it('neither finds nor counts what is hidden', () => {
    const all = passages(300, random(11));
    const index = indexOf(all, 4);
    const hidden = new Uint8Array(300).map((_, i) => (i >= 200 ? 1 : 0));
    const { hits } = score([{ index, hidden }], wanted(all.slice(0, 200), question));
    expect(hits.map((hit) => hit.id)).toEqual(bruteForce(all.slice(0, 200), question).map((hit) => hit.id));
  });

  it('filters by source and code, and keeps the scores as they are without', () => {
    const all = passages(300, random(13));
    const index = indexOf(all, 2);
    const chosen = (hit: { id: string }): boolean => (Number(hit.id) - 1) % 3 !== 1 && (Number(hit.id) - 1) % 2 === 0;
    const { hits } = score([{ index, hidden: null }], wanted(all, question, { sources: ['s0', 's2', 'gone'], hasCode: true, limit: 5 }));
    const expected = bruteForce(all, question).filter(chosen).slice(0, 5);
    expect(hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id));
    for (const [i, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[i]!.score, 10);
  });
});

describe('Best', () => {
  it('keeps the best, ties by id', () => {
    const next = random(3);
    for (const limit of [0, 1, 2, 7, 50, 200]) {
      const best = new Best(limit);
      const all = Array.from({ length: 100 }, (_, i) => ({ id: i, score: Math.floor(next() * 12) }));
      for (const { id, score: value } of all.toSorted(() => next() - 0.5)) best.add(value, id, value);
      const expected = all.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit);
      expect(best.hits(12)).toEqual(expected.map((hit) => ({ id: String(hit.id), score: hit.score, coverage: hit.score / 12 })));
    }
  });
});

describe('segments', () => {
  it('are one and the same, merged or built at once', () => {
    const all = passages(500, random(21));
    const whole = segmentOf(0, all);
    const parts = [0, 100, 120, 300].map((from, i, starts) => segmentOf(from, all.slice(from, starts[i + 1] ?? 500)));
    const joint = atOnce(merged(parts));
    const postings = (segment: Segment): Map<string, [number, number][]> =>
      new Map(
        segment.terms.terms.map((term, number) => [
          term,
          Array.from({ length: segment.starts[number + 1]! - segment.starts[number]! }, (_, i): [number, number] => [
            segment.chunks[segment.starts[number]! + i]!,
            segment.tfs[segment.starts[number]! + i]!,
          ]),
        ]),
      );
    expect(postings(joint)).toEqual(postings(whole));
  });

  it('take counts of any size', () => {
    const segment = segmentOf(0, [
      new Map([
        ['a', 1],
        ['b', 12],
        ['c', 300],
        ['d', 1.5],
      ]),
    ]);
    expect([...segment.tfs]).toEqual([1, 12, 300, 1.5]);
  });

  it('keep counts in bytes while they are small and whole, also when they are joined', () => {
    const small = segmentOf(0, [new Map([['a', 255]])]);
    const large = segmentOf(1, [new Map([['a', 256]])]);
    expect(small.tfs).toBeInstanceOf(Uint8Array);
    expect([...atOnce(merged([small, large])).tfs]).toEqual([255, 256]);
    expect(atOnce(merged([small, small])).tfs).toBeInstanceOf(Uint8Array);
  });

  it('of some size are left as they are', () => {
    const all = passages(64, random(24));
    const index = indexOf(all, 64);
    const large = { ...index.segments[40]!, chunks: new Int32Array(largeSegment) };
    index.segments = index.segments.with(40, large);
    const small = index.small();
    expect(small.length).toBeGreaterThan(50);
    expect(small).not.toContain(large);
    index.replace(small, atOnce(merged(small)));
    expect(index.segments).toContain(large);
  });

  it('become one when many small ones stand beside each other, and only then', () => {
    const all = passages(64, random(23));
    const index = indexOf(all, 64);
    expect(index.small().length).toBeGreaterThan(50);
    index.replace(index.small(), atOnce(merged(index.small())));
    expect(index.segments.length).toBeLessThan(8);
    expect(index.small()).toEqual([]);
    const { hits } = score([{ index, hidden: null }], wanted(all, question));
    expect(hits.map((hit) => hit.id)).toEqual(bruteForce(all, question).map((hit) => hit.id));
  });
});

describe('TermTable', () => {
  it('numbers each term once, in any script, wherever it stands', () => {
    const table = new TermTable();
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}`).concat('東京', 'москва', 'a'.repeat(64), '');
    const numbers = words.map((_, i) => i);
    expect(words.map((word) => table.intern(`vor ${word} nach`, 4, 4 + word.length))).toEqual(numbers);
    expect(words.map((word) => table.get(word))).toEqual(numbers);
    expect(table.get('missing')).toBeUndefined();
    expect(table.size).toBe(words.length);
  });
});
