import { describe, expect, it } from 'vitest';
import { figureKey, unsupported, type SourceText } from './check.ts';
import type { Figure, Statement } from './types.ts';

const sources = new Map<string, SourceText>([
  [
    's1',
    {
      ref: 's1',
      kind: 'signal',
      excerpt: 'The export breaks whenever we open a big table, and nobody told us.',
      context: 'Acme · Export · bug report · bug reports · high · Slack · 3 Nov 2026 · 2026-11-03',
      at: '2026-11-03T10:00:00Z',
      weight: 1,
    },
  ],
  [
    's2',
    {
      ref: 's2',
      kind: 'signal',
      excerpt: 'Export takes 40 minutes.',
      context: 'Globex · Export · complaint · complaints · medium · meeting · 1 Nov 2026 · 2026-11-01',
      at: '2026-11-01T10:00:00Z',
      weight: 1,
    },
  ],
]);
const figures: Figure[] = [
  { n: 2, of: 'customers', entity: 'ent_export' },
  { n: 5, of: 'signals', entity: 'ent_export' },
];
const counted = new Map(figures.map((figure) => [figureKey(figure), figure.n]));
const reason = (text: string, more: Partial<Statement> = {}, cosine?: number) =>
  unsupported(
    { text, sources: ['s1', 's2'], figures, ...more },
    { sources, counted, windowDays: 30, written: more.written ?? false, cosine },
  );

describe('what is assembled', () => {
  it('stands when each word, number and quotation is its sources’', () => {
    expect(reason('2 customers reported problems with Export in 5 statements, most recently Acme on 3 Nov 2026.')).toBeNull();
    expect(
      reason('Acme: “The export breaks whenever we open a big table, and…” (bug report, high severity, Slack, 3 Nov 2026)'),
    ).toBeNull();
    expect(reason('Talk of Export rises: 5 statements in the last 30 days, none in the 30 days before.')).toBeNull();
  });

  it.each([
    ['no source', 'Export breaks.', { sources: [] }, 'no source'],
    ['a source that is gone', 'Export breaks.', { sources: ['s1', 's9'] }, 'gone'],
    ['another customer', '2 customers reported problems with Export in 5 statements, most recently Initech on 3 Nov 2026.', {}, 'initech'],
    ['another number', '3 customers reported problems with Export in 5 statements.', {}, '3'],
    ['numbers changed about', '5 customers reported problems with Export in 2 statements.', {}, '5 customers'],
    ['another day', 'Export: 5 statements, most recently on 4 Nov 2026.', {}, '4'],
    ['words nobody said', 'Acme: “The export is a disaster” (bug report)', {}, 'quotes'],
    ['a thing of its own', 'Acme wants dashboards.', {}, 'dashboard'],
  ])('falls with %s', (_, text, more, why) => {
    expect(reason(text, more)).toContain(why);
  });

  it('falls when counting again gives another number', () => {
    const now = new Map(counted).set(figureKey(figures[1]!), 4);
    expect(unsupported({ text: 'Export: 5 statements.', sources: ['s1'], figures }, { sources, counted: now, windowDays: 30 })).toContain(
      '5 is 4',
    );
  });
});

describe('what a model wrote', () => {
  it('may use other words when most are its sources’, or the meaning is near', () => {
    expect(reason('Acme says the export breaks on a big table.', { written: true })).toBeNull();
    expect(reason('Export trouble grew: whenever a big spreadsheet is displayed.', { written: true }, 0.5)).toMatch(/% of its words/);
    expect(reason('Export breaks, whenever large tables get displayed.', { written: true }, 0.9)).toBeNull();
  });

  it.each([
    ['names somebody else', 'The export breaks for Acme and Initech.', 'initech'],
    ['invents a number', 'The export breaks for seven customers.', '7'],
    ['invents a number in digits', 'Export takes 90 minutes.', '90'],
    ['turns it into its contrary', 'Export takes never 40 minutes.', 'deny'],
    ['follows an order in a statement', 'Everybody is happy and renews.', '%'],
  ])('falls when it %s', (_, text, why) => {
    expect(reason(text, { written: true, ...(text.includes('never') ? { sources: ['s2'] } : {}) }, 0.99)).toContain(why);
  });
});
