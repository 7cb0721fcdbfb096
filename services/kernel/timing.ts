import type { ScheduleOptions } from '@temporalio/client';
import { AppError } from '../../contracts/errors.ts';
import { weekdays, type Timing } from '../../contracts/authoring/report-schedules.ts';
import { zoneOf } from './schedules.ts';

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

interface Field {
  from: number;
  to: number;
  /** Names of the values, starting at `from`. */
  names: string[];
}

/** Hour, day of month, month, day of week (0 and 7: Sunday). The minute must be a single number. */
const fields: Field[] = [
  { from: 0, to: 23, names: [] },
  { from: 1, to: 31, names: [] },
  { from: 1, to: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

/**
 * @returns the canonical time zone.
 * @throws AppError VALIDATION_ERROR
 */
export function checkZone(timezone: string): string {
  const zone = zoneOf(timezone);
  if (zone === null) throw refused('There is no such time zone.', 'Give an IANA name such as Europe/Berlin, or UTC.');
  return zone;
}

/**
 * Checks the times: at most once an hour.
 * @throws AppError VALIDATION_ERROR
 */
export function checkTiming({ cron, every, at, weekday }: Timing): void {
  if ((cron === undefined) === (every === undefined)) {
    throw refused('Give cron, or every and at.', 'For example {"every": "week", "weekday": "monday", "at": "08:00"}.');
  }
  if (cron !== undefined) {
    if (at !== undefined || weekday !== undefined) throw refused('at and weekday go with every.', 'The cron expression says both.');
    return checkCron(cron);
  }
  if (at === undefined || !timeOfDay.test(at)) throw refused('at is missing, or no time of day.', 'HH:MM, e.g. 08:00.');
  if (every === 'week' && weekday === undefined) throw refused('weekday is missing.', 'On which day of the week?');
  if (every === 'day' && weekday !== undefined) throw refused('weekday goes with every: week.', 'Leave it out, or take every: week.');
}

function checkCron(cron: string): void {
  const [minute = '', ...others] = cron.trim().toLowerCase().split(/\s+/);
  if (others.length === fields.length && /^[*\d,/-]+$/.test(minute) && !/^[0-5]?\d$/.test(minute)) {
    throw refused('It runs once an hour at most.', 'Give one minute as the first field, e.g. 0 8 * * *.');
  }
  const reads = /^[0-5]?\d$/.test(minute) && others.length === fields.length && others.every((text, i) => readsAs(text, fields[i]!));
  if (!reads)
    throw refused('This is no cron expression.', 'Five fields: minute, hour, day of month, month, day of week; e.g. 0 8 * * 1-5.');
}

/** A list of `*`, `a` or `a-b`, each with an optional step. */
const readsAs = (text: string, field: Field): boolean =>
  text.split(',').every((part) => {
    const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (step !== undefined && Number(step) < 1) return false;
    if (range === '*') return true;
    const [first, last = first, ...more] = range.split('-').map((value) => valueOf(value, field));
    return more.length === 0 && first !== undefined && last !== undefined && first <= last;
  });

function valueOf(text: string, { from, to, names }: Field): number | undefined {
  const named = names.indexOf(text);
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : undefined;
}

const refused = (message: string, hint: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details: { reason: 'timing' } });

/** The times as Temporal takes them; `checkTiming` has accepted them. */
export function specOf({ cron, every, at, weekday }: Timing): Pick<ScheduleOptions['spec'], 'calendars' | 'cronExpressions'> {
  if (cron !== undefined) return { cronExpressions: [cron.trim()] };
  const [hour, minute] = at!.split(':').map(Number) as [number, number];
  if (every === 'day') return { calendars: [{ hour, minute }] };
  const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
  return { calendars: [{ hour, minute, dayOfWeek: days[weekdays.indexOf(weekday!)]! }] };
}
