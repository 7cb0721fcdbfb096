import { describe, expect, it } from 'vitest';
import { citedPlace, contentKeyOf, queryTerms, sourceIdOf } from './rules.ts';

describe('citedPlace', () => {
  it('tells lines, times and speaker, and nothing that is not known', () => {
    expect(citedPlace({ line: 3, headings: ['A', 'B'] }, { line: 9 })).toEqual({ start_line: 3, end_line: 9, headings: ['A', 'B'] });
    expect(citedPlace({ startMs: 3_723_004, endMs: 3_724_000, speaker: 'Ann' }, { startMs: 3_725_000, endMs: 3_799_999 })).toEqual({
      start_time: '01:02:03.004',
      end_time: '01:03:19.999',
      speaker: 'Ann',
    });
    expect(citedPlace({ page: 2, sheet: 'S', slide: 4, headings: [] }, {})).toEqual({ page: 2, sheet: 'S', slide: 4 });
  });
});

describe('contentKeyOf', () => {
  const content = { tenant: 'a', kbId: 'default', identity: 'text:x', contentHash: 'h', format: null, title: 'x', chunkSize: 1000 };
  it('differs with everything that changes the outcome', () => {
    const keys = [
      content,
      { ...content, tenant: 'b' },
      { ...content, kbId: 'other' },
      { ...content, identity: 'text:y' },
      { ...content, contentHash: 'i' },
      { ...content, format: 'md' },
      { ...content, title: null },
      { ...content, chunkSize: 500 },
    ].map(contentKeyOf);
    expect(new Set(keys).size).toBe(keys.length);
    expect(contentKeyOf({ ...content })).toBe(keys[0]);
    expect(sourceIdOf(content)).toBe(sourceIdOf({ tenant: 'a', kbId: 'default', identity: 'text:x' }));
  });
});

describe('queryTerms', () => {
  it('counts, and keeps the most frequent of too many', () => {
    expect([...queryTerms(['a', 'b', 'a'])]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const many = [...Array.from({ length: 500 }, (_, i) => `w${i}`), 'often', 'often'];
    const kept = queryTerms(many);
    expect(kept.size).toBe(64);
    expect([...kept][0]).toEqual(['often', 2]);
  });
});
