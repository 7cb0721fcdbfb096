import { expect, it } from 'vitest';
import { daysBefore, periodOf } from './basis.ts';

const now = new Date('2026-11-24T10:00:00.000Z');

it('a period ends with the day as of which it is told', () => {
  expect(periodOf({}, now)).toEqual({ windowDays: 90, from: null, to: null, until: '2026-11-24T10:00:00.000Z' });
  expect(periodOf({ asOf: '2026-08-31' }, now)).toMatchObject({ windowDays: 90, until: '2026-08-31T23:59:59.999Z' });
  expect(periodOf({ asOf: '2026-10-31', from: '2026-07-01', to: '2026-09-30' }, now)).toEqual({
    windowDays: null,
    from: '2026-07-01T00:00:00.000Z',
    to: '2026-09-30T23:59:59.999Z',
    until: '2026-10-31T23:59:59.999Z',
  });
  expect(periodOf({ to: '2026-09-30' }, now).until).toBe('2026-09-30T23:59:59.999Z');
  // Today is not over.
  expect(periodOf({ asOf: '2026-11-24' }, now).until).toBe('2026-11-24T10:00:00.000Z');
});

it.each([
  ['a day in the future', { asOf: '2026-11-25' }, /as_of .* future/],
  ['an end after the day as of which it is told', { asOf: '2026-08-31', to: '2026-09-30' }, /after as_of/],
  ['a start after the end', { from: '2026-09-30', to: '2026-08-31' }, /begins on/],
  ['two starts', { from: '2026-09-30', windowDays: 30 }, /both/],
])('refuses %s', (_, period, message) => {
  expect(() => periodOf(period, now)).toThrow(message);
});

it('no period begins before the year 1', () => {
  expect(daysBefore('0001-01-20T00:00:00.000Z', 90)).toBe('0001-01-01T00:00:00.000Z');
  expect(daysBefore('2026-08-31T00:00:00.000Z', 90)).toBe('2026-06-02T00:00:00.000Z');
});
