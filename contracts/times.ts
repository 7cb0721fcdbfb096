import { z } from 'zod';

/** The range that Postgres accepts: no year 0, no year above 9999. */
const inYears = (text: string): boolean => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
};
const years = 'must lie in the years 1 to 9999 (UTC)';

const written = z.iso.datetime({ offset: true }).refine(inYears, years);

/** A point in time, as UTC: Postgres takes no offset beyond 15:59, and RFC 3339 allows up to 23:59. */
export const instant = written.transform((text) => new Date(text).toISOString());

export const day = z.iso.date().refine(inYears, years);

/** A point in time, or a day (UTC). */
export const moment = z.union([instant, day]);

/** The same, unchanged. */
export const writtenMoment = z.union([written, day]);

/** The inclusive end: a date without time means the end of that day. */
export const endOf = (at: string): string => (at.length === 10 ? `${at}T23:59:59.999Z` : at);

/** The inclusive start: a date without time means the start of that day. */
export const startOf = (at: string): string => (at.length === 10 ? `${at}T00:00:00.000Z` : at);
