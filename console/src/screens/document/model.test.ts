import { describe, expect, it } from 'vitest';
import type { ReadPassage } from '../../../../contracts/knowledge/reading.ts';
import { entryAt, marksOf, nextCited, ordinalOf, quoted } from './model.ts';

const passage = (ordinal: number, more: Partial<ReadPassage> = {}): ReadPassage => ({
  citation: `d#${ordinal}`,
  ordinal,
  content: 'The export fails on Mondays.',
  context: null,
  place: {},
  signals: [],
  cited_by: [],
  ...more,
});
const draft = { draft_id: 'x', title: 't', type: 'brd', number: 1 };

describe('a document', () => {
  it('marks what the address quotes, else what drafts quote, else the passage', () => {
    expect(quoted(passage(0), '… export fails …')).toEqual([{ start: 4, end: 16, is: 'quote' }]);
    expect(quoted(passage(0, { cited_by: [{ ...draft, excerpt: 'on Mondays' }] }), '')).toEqual([{ start: 17, end: 27, is: 'quote' }]);
    expect(quoted(passage(0), '')).toEqual([{ start: 0, end: 28, is: 'quote' }]);
    expect(quoted(passage(0), 'something else')).toEqual([{ start: 0, end: 28, is: 'quote' }]);
    expect(marksOf(passage(0), false, 'export')).toEqual([]);
  });

  it('knows where it stands, and what is cited next', () => {
    const outline = [0, 3, 7].map((ordinal) => ({ ordinal, title: 't', level: 1, place: {} }));
    expect([entryAt(outline, 0), entryAt(outline, 6), entryAt(outline, 9), entryAt([], 3)]).toEqual([0, 1, 2, -1]);
    const all = [
      passage(0),
      passage(1, { cited_by: [{ ...draft, excerpt: 'x' }] }),
      passage(2),
      passage(3, { cited_by: [{ ...draft, excerpt: 'x' }] }),
    ];
    expect([nextCited(all, 0), nextCited(all, 1), nextCited(all, 3), nextCited([passage(0)], 0)]).toEqual([1, 3, 1, null]);
    expect([ordinalOf('12'), ordinalOf(''), ordinalOf('main')]).toEqual([12, null, null]);
  });
});
