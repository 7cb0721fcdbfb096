import { AppError } from '../../contracts/errors.ts';
import type { ApiParam } from '../../contracts/feeds/feed-settings.ts';

/** A placeholder's value, as JSON, and as text for addresses and headers. */
export interface ParamValue {
  json: unknown;
  text: string;
}

/** By name; the ends of a date range as `name.from`, `name.to` and so on. Parameters that were not given are absent. */
export type ParamValues = ReadonlyMap<string, ParamValue>;

const longestText = 500;
const mostMembers = 50;
const longestRangeHours = 366 * 24;

/** Supported suffixes for a date range's ends. */
export const rangeParts = ['from', 'to', 'from_date', 'to_date', 'from_unix', 'to_unix'] as const;

const refused = (name: string, message: string, hint: string, details: Record<string, unknown> = {}): AppError =>
  new AppError('VALIDATION_ERROR', message, { hint, details: { reason: 'api_params', param: name, ...details } });

/**
 * Validates the parameters of a call against the source's declarations.
 * @param now milliseconds, for relative date ranges
 * @throws AppError VALIDATION_ERROR naming the parameter, with the declared names or values
 */
export function resolveParams(declared: Record<string, ApiParam>, given: Record<string, unknown>, now: number): ParamValues {
  const names = Object.keys(declared);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) {
    throw refused(
      unknown.slice(0, 100),
      `The source has no parameter "${unknown.slice(0, 100)}".`,
      names.length === 0 ? 'It has no parameters: leave api_params out.' : `It takes ${names.join(', ')}.`,
      { declared: names },
    );
  }
  const values = new Map<string, ParamValue>();
  for (const [name, param] of Object.entries(declared)) {
    const value = given[name] ?? param.default;
    if (value !== undefined && value !== null) put(values, name, param, value, now);
    else if (param.required) throw refused(name, `The source needs the parameter "${name}".`, `Give it in api_params as a ${param.type}.`);
  }
  return values;
}

function put(values: Map<string, ParamValue>, name: string, param: ApiParam, value: unknown, now: number): void {
  if (param.type === 'date_range') {
    const range = dateRange(value, now);
    if (!range) {
      throw refused(
        name,
        `"${name}" is not a date range.`,
        'Write last_24h, last_7d, last_2w, today, yesterday, or two ISO 8601 times with "/" between them.',
      );
    }
    for (const part of rangeParts) values.set(`${name}.${part}`, of(rangePart(range, part)));
    return;
  }
  if (param.type === 'list') {
    const members = (Array.isArray(value) ? value : [value]).map((member) => textOf(name, member));
    if (members.length > mostMembers) throw refused(name, `"${name}" has ${members.length} members.`, `At most ${mostMembers} are taken.`);
    for (const member of members) assertAllowed(name, param, member);
    if (members.length === 0) return;
    const written = param.quote ? members.map((member) => `"${member.replaceAll('"', '')}"`) : members;
    values.set(name, { json: members, text: written.join(param.join) });
    return;
  }
  const text = textOf(name, value);
  assertAllowed(name, param, text);
  if (param.type === 'number') {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number)) throw refused(name, `"${name}" is no number.`, 'Give a number.');
    values.set(name, of(number));
  } else if (param.type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw refused(name, `"${name}" is neither true nor false.`, 'Give true or false.');
    values.set(name, of(text === 'true'));
  } else values.set(name, of(text));
}

const of = (json: string | number | boolean): ParamValue => ({ json, text: String(json) });

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw refused(
      name,
      `"${name}" has a value that cannot be sent.`,
      'Give text, numbers, true or false; several only where the source takes a list.',
    );
  }
  const text = String(value);
  if (text.length > longestText) throw refused(name, `"${name}" is longer than ${longestText} characters.`, 'Shorten it.');
  // A line break could end a header and begin another.
  if (/[\u0000-\u001f\u007f]/.test(text)) throw refused(name, `"${name}" has control characters.`, 'Leave them out.');
  return text;
}

function assertAllowed(name: string, { allowed }: ApiParam, text: string): void {
  if (allowed && !allowed.includes(text))
    throw refused(name, `"${name}" may not be "${text}".`, `Give one of ${allowed.join(', ')}.`, { allowed });
}

interface Range {
  from: number;
  to: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Milliseconds of both ends; undefined if it cannot be parsed. */
function dateRange(value: unknown, now: number): Range | undefined {
  if (typeof value === 'object' && value !== null && 'from' in value) {
    const { from, to } = value as { from: unknown; to?: unknown };
    return ordered(instant(from), to === undefined ? now : instant(to));
  }
  if (typeof value !== 'string') return undefined;
  const today = Math.floor(now / day) * day;
  if (value === 'today') return { from: today, to: now };
  if (value === 'yesterday') return { from: today - day, to: today };
  const relative = /^last_(\d{1,5})(h|d|w)$/.exec(value);
  if (relative) {
    const hours = Number(relative[1]) * { h: 1, d: 24, w: 168 }[relative[2] as 'h' | 'd' | 'w'];
    return hours > 0 && hours <= longestRangeHours ? { from: now - hours * hour, to: now } : undefined;
  }
  const ends = value.split('/');
  return ends.length === 2 ? ordered(instant(ends[0]), instant(ends[1])) : undefined;
}

const ordered = (from: number | undefined, to: number | undefined): Range | undefined =>
  from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;

/** ISO 8601; a time without a zone is UTC. */
function instant(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^\d{4}-\d\d-\d\d(?:(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(value.trim());
  if (!match) return undefined;
  const at = Date.parse(match[1] !== undefined && match[2] === undefined ? `${value.trim()}Z` : value.trim());
  return Number.isNaN(at) ? undefined : at;
}

function rangePart({ from, to }: Range, part: (typeof rangeParts)[number]): string | number {
  const at = part.startsWith('from') ? from : to;
  if (part.endsWith('_unix')) return Math.floor(at / 1000);
  // Without fractions: some APIs refuse them.
  const iso = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return part.endsWith('_date') ? iso.slice(0, 10) : iso;
}
