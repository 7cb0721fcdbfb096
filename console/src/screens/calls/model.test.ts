import { expect, it } from 'vitest';
import type { CallStep } from '../../../../contracts/governance/calls.ts';
import { duration, outcomeOf, waterfallOf } from './model.ts';

const step = (id: string, from: number, to: number | null): CallStep => ({
  kind: 'call',
  id,
  name: id,
  started_at: new Date(from).toISOString(),
  ended_at: to === null ? null : new Date(to).toISOString(),
  status: null,
  error_code: null,
  url: null,
});

it('puts steps on one axis; what is not over ends now, and nothing is too thin to see', () => {
  const { bars, ms } = waterfallOf([step('a', 1_000, 1_100), step('b', 1_050, null), step('c', 2_000, 2_000)], 2_000);
  expect(ms).toBe(1_000);
  expect(bars.map(({ left, width, ms: own }) => [left, width, own])).toEqual([
    [0, 10, 100],
    [5, 95, 950],
    [99.5, 0.5, 0],
  ]);
});

it('writes durations as people read them', () => {
  expect([0.4, 12, 3_400, 125_000, 7_260_000].map(duration)).toEqual(['0 ms', '12 ms', '3.4 s', '2 min 5 s', '2 h 1 min']);
});

it('tells how a call ended', () => {
  expect(outcomeOf({ status: 'pending_approval', error_code: null })).toBe('pending approval');
  expect(outcomeOf({ status: 'error', error_code: 'NOT_FOUND' })).toBe('NOT_FOUND');
  expect(outcomeOf({ status: null, error_code: null })).toBe('no end recorded');
});
