import { describe, expect, it } from 'vitest';
import { signalClasses } from '../../../contracts/signals/signals.ts';
import { trendOf } from '../../kernel/trends.ts';
import { addDays, cover, openEnd, sinceDay } from './days.ts';
import { confidenceOf, leadsIn, type Said } from './strategy-rules.ts';

it('counts no days before the year 1', () => {
  expect(addDays('0001-01-20', -28)).toBe('0001-01-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
});

describe('days', () => {
  it('are covered once each, whole months by their own counts', () => {
    for (const [from, to] of [
      ['2026-01-15', '2026-01-20'],
      ['2026-01-15', '2026-02-01'],
      ['2026-01-15', '2026-02-10'],
      ['2026-01-01', '2026-03-01'],
      ['2025-12-31', '2026-03-02'],
      ['2024-02-28', '2024-03-01'],
      ['2026-02-01', '2026-02-01'],
    ] as const) {
      const covered: string[] = [];
      for (const { grain, from: first, to: end } of cover(from, to)) {
        if (grain === 'm') expect([first.slice(8), end.slice(8)]).toEqual(['01', '01']);
        for (let at = first; at < end; at = addDays(at, 1)) covered.push(at);
      }
      const wanted: string[] = [];
      for (let at: string = from; at < to; at = addDays(at, 1)) wanted.push(at);
      expect(covered, `${from} to ${to}`).toEqual(wanted);
    }
    expect(cover('2026-12-31', openEnd)).toEqual([
      { grain: 'd', from: '2026-12-31', to: '2027-01-01' },
      { grain: 'm', from: '2027-01-01', to: openEnd },
    ]);
  });

  it('begin in UTC and not after today', () => {
    expect(sinceDay('2026-03-01T01:00:00+02:00', '2026-03-05')).toBe('2026-02-28');
    expect(sinceDay('2026-03-05', '2026-03-05')).toBe('2026-03-05');
    expect(() => sinceDay('2026-03-06', '2026-03-05')).toThrow(/future/);
    expect(() => sinceDay('9999-12-31T23:59:59-12:00', '2026-03-05')).toThrow(/future/);
    for (const early of ['0000-06-01', '0001-01-01T00:00:00+12:00'])
      expect(() => sinceDay(early, '2026-03-05')).toThrow(/before the year 1/);
    expect(sinceDay('0001-01-01', '2026-03-05')).toBe('0001-01-01');
  });
});

describe('trends', () => {
  it('move from a fifth on', () => {
    expect(trendOf(6, 5)).toMatchObject({ direction: 'growing', change_pct: 20 });
    expect(trendOf(119, 100).direction).toBe('stable');
    expect(trendOf(4, 5)).toMatchObject({ direction: 'declining', change_pct: -20 });
    expect(trendOf(1, 0)).toMatchObject({ direction: 'emerging', change_pct: null });
    expect(trendOf(0, 0).direction).toBe('stable');
  });
});

describe('leads', () => {
  const said = (type: string, wanted: Partial<Said> & { some?: Partial<Said['classes']> }): Said => ({
    id: 'x',
    type,
    name: 'X',
    signals: 4,
    previous: 4,
    severity: 0,
    sentiment: 0,
    ...wanted,
    classes: { ...(Object.fromEntries(signalClasses.map((each) => [each, 0])) as Said['classes']), ...wanted.some },
  });
  const kinds = (each: Said): string[] => leadsIn(each, 30).map(({ kind }) => kind);

  it('need enough behind them', () => {
    expect(kinds(said('customer', { sentiment: -1200 }))).toEqual(['risk']);
    expect(kinds(said('customer', { sentiment: -1100 }))).toEqual([]);
    expect(kinds(said('customer', { signals: 2, sentiment: -2000 }))).toEqual([]);
    expect(kinds(said('customer', { signals: 1, some: { churn_risk: 1 } }))).toEqual(['risk']);
    expect(kinds(said('issue', { severity: 10 }))).toEqual(['risk']);
    expect(kinds(said('issue', { severity: 9 }))).toEqual([]);
    expect(kinds(said('feature', { some: { request: 3 } }))).toEqual(['opportunity']);
    expect(kinds(said('feature', { some: { request: 2 } }))).toEqual([]);
    expect(kinds(said('theme', { previous: 3 }))).toEqual(['pattern']);
    expect(kinds(said('theme', { signals: 2, previous: 0 }))).toEqual([]);
  });

  it('are surer with more statements, documents and sources', () => {
    const one = { statements: 1, documents: 1, sources: 1, customers: 1, certainty: 0.9 };
    const sure = [
      one,
      { ...one, statements: 3 },
      { ...one, statements: 3, documents: 3 },
      { ...one, statements: 9, documents: 3, sources: 2 },
    ];
    const confidences = sure.map(confidenceOf);
    expect(confidences).toEqual(confidences.toSorted((a, b) => a - b));
    expect(new Set(confidences).size).toBe(4);
    expect(confidences.at(-1)).toBeLessThanOrEqual(0.9);
  });
});
