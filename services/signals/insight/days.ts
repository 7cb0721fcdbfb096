/** Pure: days (UTC, `2026-03-01`), and how counts by day and by month cover a range of them. */
import { AppError } from '../../../contracts/errors.ts';

export type Day = string;

export const dayOf = (at: Date): Day => at.toISOString().slice(0, 10);

/** No earlier than the years that Postgres accepts. */
export function addDays(day: Day, n: number): Day {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + n);
  return at.getUTCFullYear() < 1 ? '0001-01-01' : dayOf(at);
}

/** After every signal. */
export const openEnd: Day = '9999-01-01';

/** Counts of one grain whose first day is in [from, to). */
export interface Range {
  grain: 'd' | 'm';
  from: Day;
  to: Day;
}

/**
 * Whole months by monthly counts, the days before and after by daily counts.
 * @param to exclusive
 */
export function cover(from: Day, to: Day): Range[] {
  const firstMonth = from.endsWith('-01') ? from : nextMonth(from);
  const lastMonth = `${to.slice(0, 8)}01`;
  if (firstMonth >= lastMonth) return from < to ? [{ grain: 'd', from, to }] : [];
  return [
    { grain: 'd' as const, from, to: firstMonth },
    { grain: 'm' as const, from: firstMonth, to: lastMonth },
    { grain: 'd' as const, from: lastMonth, to },
  ].filter((range) => range.from < range.to);
}

function nextMonth(day: Day): Day {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  return dayOf(new Date(Date.UTC(year, month, 1)));
}

/**
 * The day of `date_from`.
 * @throws AppError VALIDATION_ERROR when it is in the future, or outside the supported years
 */
export function sinceDay(given: string, today: Day): Day {
  const at = new Date(given);
  // A time zone may move it outside the years of four digits.
  if (at.getUTCFullYear() < 1) {
    throw new AppError('VALIDATION_ERROR', `date_from ${given} lies before the year 1.`, {
      hint: 'Pass a later day, or leave date_from out.',
    });
  }
  const day = dayOf(at);
  if (day > today || at.getUTCFullYear() > 9999) {
    throw new AppError('VALIDATION_ERROR', `date_from ${given} lies in the future: nothing can have been said since.`, {
      hint: `Today is ${today} (UTC). Pass a day before, or leave date_from out.`,
    });
  }
  return day;
}

/**
 * The day of `as_of`: what was said later does not count.
 * @throws AppError VALIDATION_ERROR when it is in the future, or outside the supported years
 */
export function asOfDay(given: string, today: Day): Day {
  const at = new Date(given);
  const day = dayOf(at);
  if (at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999 || day > today) {
    throw new AppError('VALIDATION_ERROR', `as_of ${given} lies in the future, or outside the years 1 to 9999.`, {
      hint: `Today is ${today} (UTC). Pass a day until today, or leave as_of out.`,
    });
  }
  return day;
}
