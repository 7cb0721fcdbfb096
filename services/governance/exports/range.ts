import { AppError } from '../../../contracts/errors.ts';
import type { Range } from './snapshot.ts';

const day = 86_400_000;

/**
 * Both bounds inclusive: a date alone is its whole day, UTC.
 * @throws AppError VALIDATION_ERROR
 */
export function rangeOf(from: string | undefined, to: string | undefined): Range {
  const start = from === undefined ? null : instant('date_from', from);
  const end = to === undefined ? null : instant('date_to', to);
  // The exclusive end: the next day, or the next millisecond.
  const after = end === null ? null : end + (to!.length === 10 ? day : 1);
  if (start !== null && after !== null && start >= after) {
    throw new AppError('VALIDATION_ERROR', `date_from (${from}) is after date_to (${to}): there is nothing in between.`, {
      hint: 'Exchange them, or leave one out.',
      details: { field: 'date_from' },
    });
  }
  return { from: iso(start), to: iso(after) };
}

/** Postgres supports the years 1 to 9999. */
const years = { first: Date.parse('0001-01-01T00:00:00Z'), last: Date.parse('9999-12-31T23:59:59.999Z') };
const iso = (ms: number | null): string | null =>
  ms === null ? null : new Date(Math.min(Math.max(ms, years.first), years.last)).toISOString();

function instant(field: string, text: string): number {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
  const zoned = /T[^Z+-]*$/.test(text) ? `${text}Z` : text;
  const ms = form.test(zoned) ? Date.parse(zoned) : Number.NaN;
  // Date.parse accepts the 31st of shorter months.
  const real = !Number.isNaN(ms) && new Date(`${text.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(text.slice(0, 10));
  if (real) return ms;
  throw new AppError('VALIDATION_ERROR', `${field} is not a date: ${text}`, {
    hint: 'A date such as 2026-01-31, or a time such as 2026-01-31T08:00:00Z.',
    details: { field },
  });
}
