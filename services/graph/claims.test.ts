import { describe, expect, it } from 'vitest';
import { countsIn, coverage, namesIn, restOf } from './claims.ts';
import { countsLine, disclose } from '../kernel/disclosure.ts';
import { excerptAt } from './signals.ts';
import { trendOf } from '../kernel/trends.ts';

describe('claims', () => {
  it('are about the longest names that occur, none inside another', () => {
    const known = new Set(['auth', 'auth service', 'acme', 'service']);
    expect(namesIn('Acme says the Auth Service fails, auth again', known)).toEqual(['auth service', 'acme', 'auth']);
    expect(namesIn('47 of them', new Set(['47']))).toEqual([]);
  });

  it('count things', () => {
    expect(countsIn('47 customers affected by 3 open issues, 1,200 signals and two stakeholders')).toEqual([
      { said: 47, text: '47 customers', what: 'customer' },
      { said: 3, text: '3 open issues', what: 'issue' },
      { said: 1200, text: '1,200 signals', what: 'signal' },
      { said: 2, text: 'two stakeholders', what: 'stakeholder' },
    ]);
    expect(countsIn('version 4.2 customers, in 2026 and for everyone, someone customers')).toEqual([]);
    expect(countsIn('12 companies, one company')).toMatchObject([{ what: 'customer' }, { said: 1, what: 'customer' }]);
  });

  it('say something besides names and counting', () => {
    expect([...restOf('47 customers affected by auth issue', ['auth issue'])]).toEqual([]);
    expect([...restOf('Acme loves purple elephants', ['acme'])]).toEqual(['love', 'purpl', 'eleph']);
    expect(coverage(new Set(['love', 'purpl']), 'They love it')).toBe(0.5);
    expect(coverage(new Set(), 'anything')).toBe(1);
  });
});

describe('progressive disclosure', () => {
  it('shows the first items and says how to go on', () => {
    const items = Array.from({ length: 87 }, (_, i) => i);
    const summary = countsLine({ issue: 23, feature: 12, customer: 45, theme: 0, category: 1 });
    expect(summary).toBe('23 issues, 12 features, 45 customers, 1 category');
    expect(disclose(items, { summary, hint: 'get_issue_impact tells more of one.' })).toEqual({
      summary,
      top_items: items.slice(0, 10),
      total_items: 87,
      has_more: true,
      drill_down_hint: 'get_issue_impact tells more of one.',
    });
    expect(disclose([1, 2], { summary: '', hint: '' })).toMatchObject({ total_items: 2, has_more: false });
    expect(disclose([1, 2], { summary: '', hint: '', total: 5 })).toMatchObject({ total_items: 5, has_more: true });
    expect(countsLine({ branch: 2, category: 3 })).toBe('2 branches, 3 categories');
    expect(countsLine({})).toBe('nothing yet');
  });
});

describe('trends', () => {
  it.each([
    [5, 0, 'emerging', null],
    [12, 10, 'growing', 20],
    [11, 10, 'stable', 10],
    [8, 10, 'declining', -20],
    [0, 0, 'stable', null],
  ] as const)('%i after %i is %s', (current, previous, direction, change_pct) => {
    expect(trendOf(current, previous)).toEqual({ direction, current_count: current, previous_count: previous, change_pct });
  });
});

describe('excerpts', () => {
  const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
  it('show the place between whole words', () => {
    const at = text.indexOf('word100');
    const excerpt = excerptAt(text, at, at + 7, 60);
    expect(excerpt).toContain('word100');
    expect(excerpt.length).toBeLessThanOrEqual(64);
    expect(
      excerpt
        .replaceAll('… ', '')
        .replaceAll(' …', '')
        .split(' ')
        .every((word) => /^word\d+$/.test(word)),
    ).toBe(true);
    expect(excerptAt('short', 0, 5)).toBe('short');
    expect(excerptAt(text, 0, 0, 60).startsWith('word0 ')).toBe(true);
    expect(excerptAt(text, text.length - 3, text.length, 60).endsWith('word199')).toBe(true);
    expect(excerptAt('x'.repeat(1000), 500, 501, 60).length).toBeLessThanOrEqual(64);
  });
});
