import { expect, it } from 'vitest';
import { rangeOf } from './range.ts';

it('takes dates for whole days, UTC, and both ends in', () => {
  expect(rangeOf('2026-01-01', '2026-01-31')).toEqual({ from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' });
  expect(rangeOf('2026-01-01T10:00:00+02:00', undefined)).toEqual({ from: '2026-01-01T08:00:00.000Z', to: null });
  expect(rangeOf(undefined, '2026-01-01T08:00')).toEqual({ from: null, to: '2026-01-01T08:00:00.001Z' });
  expect(rangeOf('2026-01-01', '2026-01-01').to).toBe('2026-01-02T00:00:00.000Z');
  expect(rangeOf(undefined, undefined)).toEqual({ from: null, to: null });
});

it.each([
  ['2026-02-31', undefined],
  ['2026-13-01', undefined],
  ['yesterday', undefined],
  [undefined, '01/02/2026'],
  ['2026-02-02', '2026-02-01'],
])('refuses %s to %s', (from, to) => {
  expect(() => rangeOf(from, to)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});
