import { describe, expect, it } from 'vitest';
import type { Fused } from './fusion.ts';
import { shareWithNeighbours, speakersIn, type Neighbour } from './neighbours.ts';

const ranked: Fused[] = [
  { id: 'question', score: 0.9 },
  { id: 'other', score: 0.35 },
  { id: 'before', score: 0.2 },
  { id: 'last', score: 0.1 },
];
const beside = (id: string, of: string, step: number, ...speakers: string[]): Neighbour => ({ id, of, step, turns: 1, speakers });
const order = (hits: readonly Fused[]): string[] => hits.map((hit) => hit.id);

describe('shareWithNeighbours', () => {
  it('brings the reply behind the turn that was found', () => {
    const found = shareWithNeighbours(ranked, [beside('question', 'question', 0), beside('reply', 'question', 1)], 'how did it go');
    expect(order(found)).toEqual(['question', 'reply', 'other', 'before', 'last']);
    expect(found[1]).toMatchObject({ id: 'reply', beside: { from: 'question', share: expect.closeTo(0.4, 6) } });
    expect(found[0]).toEqual(ranked[0]);
  });

  it('shares less of a passage with several turns', () => {
    const found = shareWithNeighbours(ranked, [{ ...beside('reply', 'question', 1), turns: 4 }], 'how did it go');
    expect(found.find((hit) => hit.id === 'reply')!.beside!.share).toBeCloseTo(0.1, 6);
  });

  it('moves up what stands before, less than what follows, and adds nothing twice', () => {
    const neighbours = [beside('before', 'question', -1), beside('question', 'before', 1), beside('before', 'other', 1)];
    const found = shareWithNeighbours(ranked, neighbours, 'how');
    expect(found.map(({ id, score }) => [id, score.toFixed(3)])).toEqual([
      ['question', '0.950'],
      ['before', '0.480'],
      ['other', '0.350'],
      ['last', '0.100'],
    ]);
  });

  it('changes nothing without conversations, and never leaves 0 to 1', () => {
    expect(shareWithNeighbours(ranked, [], 'x')).toEqual(ranked);
    const high: Fused[] = [
      { id: 'a', score: 0.99 },
      { id: 'b', score: 0.98 },
      { id: 'c', score: 0 },
    ];
    const found = shareWithNeighbours(high, [beside('a', 'b', 1, 'Ida'), beside('b', 'a', -1, 'Ida')], 'Ida?');
    expect(Math.max(...found.map((hit) => hit.score))).toBe(1);
  });

  it('prefers a little what a named speaker says', () => {
    const tie: Fused[] = [
      { id: 'a', score: 0.5 },
      { id: 'b', score: 0.5 },
      { id: 'c', score: 0.1 },
    ];
    const neighbours = [beside('a', 'a', 0, 'Piet'), beside('b', 'b', 0, 'Nadia Ek')];
    expect(order(shareWithNeighbours(tie, neighbours, 'What did Nadia buy?'))).toEqual(['b', 'a', 'c']);
    expect(order(shareWithNeighbours(tie, neighbours, 'What was bought?'))).toEqual(['a', 'b', 'c']);
  });
});

describe('speakersIn', () => {
  it('knows labels, and first names written as names', () => {
    const speakers = new Set(['Nadia Ek', 'Will', 'Customer', '—']);
    expect([...speakersIn("Nadia's bowl", speakers)]).toEqual(['Nadia Ek']);
    expect([...speakersIn('what did the customer want', speakers)]).toEqual(['Customer']);
    expect([...speakersIn('what about nadia ek?', speakers)]).toEqual(['Nadia Ek']);
    expect([...speakersIn('why so late', speakers)]).toEqual([]);
  });
});
