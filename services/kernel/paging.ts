import { AppError } from '../../contracts/errors.ts';

/** The end of a page, opaque to callers. */
export const writeCursor = (...parts: string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * @param count of the parts given to `writeCursor`.
 * @throws AppError VALIDATION_ERROR
 */
export function readCursor(cursor: string | undefined, count: number): string[] | null {
  if (cursor === undefined) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts) && parts.length === count && parts.every((part) => typeof part === 'string' && !part.includes('\0'))) {
      return parts as string[];
    }
  } catch {
    // Not a valid cursor.
  }
  throw notOurs();
}

/**
 * The time part of a cursor, in Postgres' format with microseconds.
 * @throws AppError VALIDATION_ERROR
 */
export function readTime(part: string): string {
  const form = /^((?!0000)\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?[+-](0\d|1[0-5])(:[0-5]\d){0,2}$/;
  // Date.parse accepts the 31st of shorter months.
  const day = new Date(`${form.exec(part)?.[1]}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(part.slice(0, 10))) throw notOurs();
  return part;
}

export const notOurs = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This cursor is not from a previous page.', { hint: 'Leave it out to begin with the first page.' });
