import { z } from 'zod';
import { AppError } from './errors.ts';

/**
 * Headers that only the HTTP client may set. A user-supplied `Host` would reach another site behind the checked
 * address; a length or transfer coding could smuggle a second request.
 */
const connectionOnly =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|accept-encoding|http2-settings|proxy-.*)$/i;
const nameShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
/** RFC 9110: printable text, spaces, tabs and Latin-1. A line break would begin another header. */
const valueShape = /^[\t\x20-\x7e\x80-\xff]*$/;

const nameProblem = (name: string): string | null => (nameShape.test(name) ? null : 'has no valid name');
const valueProblem = (value: string): string | null =>
  valueShape.test(value) ? null : 'has a value with line breaks or other characters that headers cannot carry';

/** The message never contains the value: values are secrets. */
const refused = (name: string, problem: string, hint: string): AppError =>
  new AppError('VALIDATION_ERROR', `The header ${JSON.stringify(name.slice(0, 64))} ${problem}.`, { hint, details: { reason: 'header' } });

/**
 * Checks user-supplied headers before they are stored.
 * @param reserved further names that the protocol sets itself
 * @throws AppError VALIDATION_ERROR
 */
export function checkHeaders(headers: Record<string, string>, reserved?: RegExp): void {
  for (const [name, value] of Object.entries(headers)) {
    if (connectionOnly.test(name) || reserved?.test(name)) throw refused(name, 'is set by the connection itself', 'Leave it out.');
    checkHeader(name, value);
  }
}

function checkHeader(name: string, value: string): void {
  const problem = nameProblem(name) ?? valueProblem(value);
  if (problem !== null) throw refused(name, problem, 'Names are plain words; values are one line of text.');
}

/**
 * Headers as they are sent, in lower case. Every client passes user-supplied headers through this, because stored
 * text may be older than the check. Headers of the connection are left out.
 * @throws AppError VALIDATION_ERROR
 */
export function outgoingHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (connectionOnly.test(name)) continue;
    checkHeader(name, value);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

/** Text that is sent as a header's value: a token, a key. */
export const headerText = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => valueProblem(text) === null, 'must be one line of characters that HTTP headers can carry');
