import { z } from 'zod';

export const maxJsonDepth = 64;

/**
 * Why an outside value cannot be stored as JSON, or null: Postgres accepts neither NUL nor lone surrogates. Never
 * recurses.
 * @param options.text false: the texts are checked elsewhere
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
 * Replaces lone surrogates, which occur in text that was cut inside a pair, by the replacement character. Returns the
 * same value if there are none. Recurses: the depth has been checked.
 */
export const wellFormed = <T>(value: T): T => mended(value, whole);

/** The value as Postgres can store it: lone surrogates and NULs become the replacement character. Recurses as well. */
export const storable = <T>(value: T): T => mended(value, withoutNul);

/**
 * User text as one short line for ledger and log: cut, with the replacement character for control and invisible
 * characters.
 */
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

/** Text that enters a process before it enters a row: text that Postgres cannot store is refused on input. */
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
