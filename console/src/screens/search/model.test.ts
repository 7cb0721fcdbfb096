import { describe, expect, it } from 'vitest';
import { chipsOf, retrieversOf, searchArgs } from './model.ts';

const none = { kb: '', tag: '', code: '', graph: '', mode: 'hybrid' };

describe('a search', () => {
  it('shows each retriever with its own scores and ranks, and bars against the best', () => {
    const found = retrieversOf({
      sources: [
        { type: 'chunk', id: 'd#0', scores: { bm25: 8, bm25_rank: 1, cosine: 0.4, cosine_rank: 3 } },
        { type: 'chunk', id: 'd#1', scores: { bm25: 4, bm25_rank: 2, graph: 0.2, rerank: -1 } },
      ],
    });
    expect(found.get('d#0')).toEqual([
      { name: 'words', score: 8, rank: 1, share: 1 },
      { name: 'meaning', score: 0.4, rank: 3, share: 1 },
    ]);
    expect(found.get('d#1')).toEqual([
      { name: 'words', score: 4, rank: 2, share: 0.5 },
      { name: 'graph', score: 0.2, share: 1 },
      { name: 'rerank', score: -1, share: 0 },
    ]);
  });

  it('sends no filter that is not chosen, and shows those that are as chips', () => {
    expect(searchArgs('x', none)).toEqual({ query: 'x', mode: 'hybrid', limit: 25, include_matches: true });
    expect(searchArgs('x', { ...none, tag: 'a', code: 'yes', graph: 'on' })).toMatchObject({
      include_graph: true,
      filters: { tags: ['a'], has_code: true },
    });
    expect(chipsOf(none)).toEqual([]);
    expect(chipsOf({ ...none, kb: 'docs', mode: 'semantic' })).toEqual([
      { text: 'base docs', off: { kb: '' } },
      { text: 'by meaning only', off: { mode: 'hybrid' } },
    ]);
  });
});
