import { z } from 'zod';

export const maxJsonDepth = 64;

/**
 * Why a value from outside cannot be kept as JSON, or null: Postgres takes neither NUL nor half a surrogate pair. Never recurses.
 * @param options.text false: what its texts hold is looked after elsewhere
 */
export function jsonProblem(value: unknown, maxDepth = maxJsonDepth, { text = true } = {}): string | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `must not nest deeper than ${maxDepth} levels`;
    const below: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'string') {
        if (text && item.includes('\0')) return 'must not contain NUL';
        if (text && !item.isWellFormed()) return 'must be well-formed Unicode';
      } else if (item !== null && typeof item === 'object') {
        if (!Array.isArray(item)) for (const key of Object.keys(item)) below.push(key);
        for (const inner of Object.values(item)) below.push(inner);
      }
    }
    level = below;
  }
  return null;
}

/**
 * The value with the replacement character for each half of a surrogate pair, as text has that was cut without looking.
 * The same value when there is none. Recurses: its depth has been checked.
 */
export const wellFormed = <T>(value: T): T => mended(value, whole);

/** The value as Postgres can keep it: well-formed, and with the replacement character for each NUL, too. Recurses as well. */
export const storable = <T>(value: T): T => mended(value, withoutNul);

/** Somebody's text as one short line for ledger and log: cut, and with the replacement character for what moves or hides text. */
export function printable(text: string, longest = 128): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return whole(cut).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

const whole = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());
const withoutNul = (text: string): string => whole(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

function mended<T>(value: T, mend: (text: string) => string): T {
  if (typeof value === 'string') return mend(value) as T;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mended(item, mend));
    return items.every((item, i) => item === value[i]) ? value : (items as T);
  }
  const fields = Object.entries(value).map(([key, inner]) => [mend(key), mended(inner, mend), key, inner] as const);
  return fields.every(([key, inner, k, i]) => key === k && inner === i)
    ? value
    : (Object.fromEntries(fields.map(([key, inner]) => [key, inner])) as T);
}

/** Text that goes into a process before it goes into a row: what Postgres takes never is refused at the door. */
export const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes('\0'), 'must not contain NUL');

/** @returns why it is refused, or null */
function refusal(value: unknown, maxBytes: number): string | null {
  if (value === undefined) return 'is missing';
  const problem = jsonProblem(value);
  if (problem) return problem;
  return JSON.stringify(value).length > maxBytes ? `at most ${Math.floor(maxBytes / 1024)} KB as JSON` : null;
}

function refuse(value: unknown, maxBytes: number, add: (message: string) => void): void {
  const message = refusal(value, maxBytes);
  if (message) add(message);
}

/** Any JSON value. */
export const jsonValue = (maxBytes: number) =>
  z.unknown().superRefine((value, context) => refuse(value, maxBytes, (message) => context.addIssue({ code: 'custom', message })));

export const jsonObject = (maxBytes: number) =>
  z
    .record(z.string(), z.unknown())
    .superRefine((value, context) => refuse(value, maxBytes, (message) => context.addIssue({ code: 'custom', message })));
