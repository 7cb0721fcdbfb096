import { expect, it } from 'vitest';
import { allDays, aspectOf, bytes, firstDay, limitOf, money, span, tokensOf, usedOf, workedShare } from './model.ts';

it('reads limits as people write them', () => {
  expect(['', ' 1,000,000 ', '0', '2.5', '-1', 'lots'].map(limitOf)).toEqual([null, 1_000_000, 0, 2.5, undefined, undefined]);
  expect([usedOf(50, 200), usedOf(5, null), usedOf(9, 0), usedOf(900, 100)]).toEqual([25, null, 100, 100]);
});

it('shows no unknown state as one that works', () => {
  expect([aspectOf('up'), aspectOf('behind'), aspectOf('disabled'), aspectOf('down'), aspectOf('new word')]).toEqual([
    'clear',
    'caution',
    'out',
    'stop',
    'stop',
  ]);
  expect([span(90), span(600), span(9_000), bytes(900), bytes(2_048), bytes(3_145_728)]).toEqual([
    '90 s',
    '10 min',
    '3 h',
    '900 B',
    '2.0 KB',
    '3.0 MB',
  ]);
});

it('shows each day of a stretch once, also those without a run', () => {
  const now = new Date('2026-03-02T23:30:00Z');
  const since = firstDay(3, now);
  const row = { key: '2026-03-01', runs: 2, input_tokens: 5, output_tokens: 6, cached_tokens: 0, cost_usd: 1, seconds: 60 };
  expect(allDays([row], since, now).map(({ key, runs }) => [key, runs])).toEqual([
    ['2026-03-02', 0],
    ['2026-03-01', 2],
    ['2026-02-28', 0],
  ]);
  expect([tokensOf(row), money(row.cost_usd), money(null)]).toEqual([11, '$1.00', 'no price told']);
});

it('tells how long a part worked of the time in which somebody looked, and rounds no outage away', () => {
  const spans = (...all: [status: string, seconds: number][]) => all.map(([status, seconds]) => ({ status, seconds, from: '', to: '' }));
  expect(workedShare(spans(['unwatched', 80_000], ['up', 5_999], ['down', 1]))).toBe('99.9 %');
  expect(workedShare(spans(['in_sync', 50], ['behind', 50]))).toBe('100 %');
  expect(workedShare(spans(['unwatched', 86_400]))).toBeNull();
});
