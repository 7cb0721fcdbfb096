import { describe, expect, it } from 'vitest';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import { namesIn, titleNames } from './retrieval-names.ts';
import { followPaths, rarity, type PathEntity, type PathGraph } from './retrieval-paths.ts';

const ranked: Fused[] = [
  { id: '1', score: 0.8 },
  { id: '2', score: 0.3 },
  { id: '3', score: 0.2 },
  { id: '4', score: 0.1 },
];
const entity = (frequency: number, ...ids: string[]): PathEntity => ({
  name: `in ${ids.join()}`,
  frequency,
  passages: ids.map((id) => ({ id, cosine: null })),
});
const graph = (given: Partial<PathGraph>): PathGraph => ({
  asked: new Set(['asked']),
  titled: new Set(),
  mentions: new Map([['1', ['asked', 'bridge']]]),
  entities: new Map([
    ['asked', entity(2)],
    ['bridge', entity(2, '1', '9')],
  ]),
  passages: 1000,
  ...given,
});
const order = (hits: Fused[]): string => hits.map((hit) => hit.id).join('');

describe('followPaths', () => {
  it('adds the passage at the end of a path behind the one that led there', () => {
    const found = followPaths(ranked, graph({}));
    expect(order(found)).toBe('19234');
    expect(found[1]).toMatchObject({ id: '9', graph: { by: 'in 1,9', from: '1' } });
    // Two fifths of the first one's score above the last, less because the entity is not unique, plus the last one's
    // score.
    expect(found[1]!.score).toBeGreaterThan(0.3);
    expect(found[1]!.score).toBeLessThan(0.38);
    expect(found[0]).toEqual(ranked[0]);
  });

  it('moves up what was found already, and never beyond what a score can be', () => {
    const entities = new Map([...graph({}).entities, ['bridge', entity(2, '1', '4')] as const]);
    expect(order(followPaths(ranked, graph({ entities })))).toBe('1423');
    const mutual = new Map([...entities, ['bridge', entity(2, '1', '2')] as const]);
    const both = new Map([
      ['1', ['asked', 'bridge']],
      ['2', ['asked', 'bridge']],
    ]);
    expect(
      Math.max(
        ...followPaths([{ id: '1', score: 0.99 }, ...ranked.slice(1)], graph({ entities: mutual, mentions: both })).map((hit) => hit.score),
      ),
    ).toBe(1);
  });

  it('needs something that the query names: by an entity or by a title', () => {
    expect(followPaths(ranked, graph({ asked: new Set() }))).toEqual(ranked);
    expect(order(followPaths(ranked, graph({ asked: new Set(), titled: new Set(['1']) })))).toBe('19234');
    expect(followPaths(ranked, graph({ asked: new Set(['asked', 'bridge']) }))).toEqual(ranked);
  });

  it('gives little to what stands everywhere', () => {
    const share = (frequency: number): number =>
      followPaths(
        ranked,
        graph({
          entities: new Map([
            ['asked', entity(2)],
            ['bridge', entity(frequency, '9')],
          ]),
        }),
      ).find((hit) => hit.id === '9')!.score;
    expect(share(2)).toBeGreaterThan(share(40));
    expect(share(40)).toBeGreaterThan(share(900));
    expect(share(900)).toBeLessThan(0.11);
    expect(rarity(1, 1000)).toBe(1);
    expect(rarity(5, 1)).toBeGreaterThan(0);
  });

  it('orders equal paths by meaning, then by id', () => {
    const passages = ['7', '6', '8'].map((id) => ({ id, cosine: id === '8' ? 0.9 : 0.5 }));
    const entities = new Map([...graph({}).entities, ['bridge', { name: 'b', frequency: 3, passages }] as const]);
    expect(order(followPaths(ranked, graph({ entities })))).toBe('1286734');
  });

  it('takes an empty and a single list', () => {
    expect(followPaths([], graph({}))).toEqual([]);
    expect(order(followPaths(ranked.slice(0, 1), graph({})))).toBe('19');
  });
});

describe('names', () => {
  it('in a query are all runs of its words but small ones alone', () => {
    expect(namesIn("Who is Ada's friend?")).toEqual(expect.arrayContaining(['ada', 'ada friend', 'who is ada friend']));
    expect(namesIn('Who is it?')).toEqual([]);
    expect(namesIn('')).toEqual([]);
    expect(namesIn(`${'word '.repeat(63)}Ada Bell tail`).includes('ada')).toBe(true);
    expect(namesIn('x'.repeat(5_000)).every((key) => key.length <= 120)).toBe(true);
  });

  it('of a title leave out what tells it from others of the name', () => {
    expect(titleNames('Capote (film)')).toEqual(expect.arrayContaining(['capote film', 'capote']));
    expect(titleNames('Stanley, North Dakota › History')).toEqual(expect.arrayContaining(['stanley', 'stanley north dakota', 'history']));
    expect(titleNames('—')).toEqual([]);
  });
});
