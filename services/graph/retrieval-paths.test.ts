import { describe, expect, it } from 'vitest';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import { namesIn, titleNames } from './retrieval-names.ts';
import { addsTo, pathsFrom, rankedBy, rarity, startsOf, type Adds, type PathEntity, type PathGraph } from './retrieval-paths.ts';
import { titlesIn } from './retrieval-titles.ts';

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
  titles: new Map(),
  passages: 1000,
  ...given,
});
const followPaths = (hits: readonly Fused[], given: PathGraph, adds?: Adds): Fused[] =>
  rankedBy(hits, pathsFrom(startsOf(hits, given), given, adds));
const order = (hits: Fused[]): string => hits.map((hit) => hit.id).join('');

describe('paths', () => {
  it('adds the passage at the end of a path behind the one that led there', () => {
    const found = followPaths(ranked, graph({}));
    expect(order(found)).toBe('19234');
    expect(found[1]).toMatchObject({ id: '9', graph: { by: 'in 1,9', from: '1' } });
    // Three fifths of the first one's score above the last, less because the entity is not unique, plus the last one's
    // score.
    expect(found[1]!.score).toBeGreaterThan(0.4);
    expect(found[1]!.score).toBeLessThan(0.52);
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
    expect(order(followPaths(ranked, graph({ entities })))).toBe('1867234');
  });

  it('lead to a document whose title a passage mentions, less when several have it', () => {
    const link = (frequency: number) => ({ title: 'Nine', frequency, id: '9', cosine: null });
    const titles = (frequency: number) => new Map([['1', [link(frequency)]]]);
    const found = followPaths(ranked, graph({ mentions: new Map([['1', ['asked']]]), titles: titles(1) }));
    expect(order(found)).toBe('19234');
    expect(found[1]).toMatchObject({ graph: { by: 'Nine', from: '1' } });
    const shared = followPaths(ranked, graph({ mentions: new Map([['1', ['asked']]]), titles: titles(8) }));
    expect(shared.find((hit) => hit.id === '9')!.score).toBeLessThan(found[1]!.score);
  });

  it('are worth more to a passage that has what the first one lacks', () => {
    const entities = new Map([...graph({}).entities, ['bridge', entity(3, '1', '8', '9')] as const]);
    const adds = addsTo(
      new Map([
        ['larkspur', 5],
        ['seat', 4],
        ['county', 1],
      ]),
      new Map([
        ['1', new Set(['larkspur'])],
        ['9', new Set(['seat', 'larkspur'])],
        ['8', new Set(['county'])],
      ]),
    );
    expect([adds('1', '9'), adds('1', '8'), adds('1', '7')]).toEqual([0.8, 0.2, 0]);
    const found = followPaths(ranked, graph({ entities }), adds);
    const score = (id: string): number => found.find((hit) => hit.id === id)!.score;
    expect(score('9')).toBeGreaterThan(score('8'));
    expect(score('8')).toBeGreaterThan(0.1);
  });

  it('takes an empty and a single list', () => {
    expect(followPaths([], graph({}))).toEqual([]);
    expect(order(followPaths(ranked.slice(0, 1), graph({})))).toBe('19');
  });
});

describe('titles', () => {
  it('may be any words of a text that begin like a name', () => {
    const found = titlesIn("It was sung by Rush on Nobody's Hero, a song of the United States presidential election.");
    expect(found).toEqual(
      expect.arrayContaining(['Rush', 'Nobody', "Nobody's Hero", 'Hero', 'United States', 'United States presidential election']),
    );
    expect(found.filter((each) => /^\p{Ll}/u.test(each) || /(?:of|the)$/.test(each))).toEqual([]);
  });

  it('keep their signs, and end with their clause', () => {
    expect(titlesIn('He met J. R. Smith. Paris, Texas is a film.')).toEqual(
      expect.arrayContaining(['J. R. Smith', 'Paris, Texas', 'Paris']),
    );
    expect(titlesIn('We left Oslo; Bergen was next!')).toEqual(['We left', 'We left Oslo', 'Oslo', 'Bergen', 'Bergen was next']);
    expect(titlesIn('AT&T bought it. See C++ and release 2.1')).toEqual(expect.arrayContaining(['AT&T', 'C++', '2.1']));
  });

  it('are bounded, in any script', () => {
    expect(titlesIn('東京タワーは高い。')).not.toEqual([]);
    expect(titlesIn('')).toEqual([]);
    expect(titlesIn('Ab '.repeat(5_000)).length).toBeLessThanOrEqual(600);
    expect(titlesIn(`${'x'.repeat(50_000)} ${'A.'.repeat(20_000)}`).length).toBeLessThanOrEqual(600);
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
