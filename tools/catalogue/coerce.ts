/**
 * Models write "7" for 7, "true" for true and "[\"a\"]" for ["a"]. Such text is converted where the schema requires that
 * type and does not accept text; elsewhere it stays text.
 */
import type { z } from 'zod';
import { jsonProblem, maxJsonDepth } from '../../contracts/json.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Converters by type name, of zod and of JSON Schema. */
const readers: Record<string, (text: string) => unknown> = {
  number(text) {
    const value = number.test(text) ? Number(text) : NaN;
    // A larger integer would lose digits.
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : undefined;
  },
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()],
  array: (text) => json(text, '[', Array.isArray),
  object: (text) => json(text, '{', () => true),
};
readers['int'] = readers['integer'] = readers['number']!;
readers['tuple'] = readers['array']!;
readers['record'] = readers['object']!;

function json(text: string, opens: string, fits: (value: unknown) => boolean): unknown {
  if (!text.startsWith(opens)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) && jsonProblem(value, maxJsonDepth, { text: false }) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The converted value; undefined when the text does not have that type. */
const read = (value: unknown, type: string): unknown =>
  typeof value === 'string' && Object.hasOwn(readers, type) ? readers[type]!(value.trim()) : undefined;

/** Converts the texts that caused these issues; null when none can be converted. */
export function withTextRead(args: unknown, issues: readonly Issue[]): unknown {
  let mended = args;
  for (const issue of issues) {
    const change = changesFor(args, issue, []);
    for (const { path, value } of change ?? []) mended = withValue(mended, path, value);
  }
  return mended === args ? null : mended;
}

/** The changes that fix an issue; null: it cannot be fixed. */
function changesFor(args: unknown, issue: Issue, under: Path): { path: Path; value: unknown }[] | null {
  const path = [...under, ...issue.path];
  const given = at(args, path);
  if (issue.code === 'invalid_type') {
    const value = read(given, issue.expected);
    return value === undefined ? null : [{ path, value }];
  }
  if (issue.code === 'invalid_value') {
    const value = issue.values.map((wanted) => read(given, typeof wanted)).find((each) => each !== undefined);
    return value !== undefined && issue.values.includes(value as number) ? [{ path, value }] : null;
  }
  if (issue.code !== 'invalid_union') return null;
  for (const branch of issue.errors) {
    const changes = branch.map((each) => changesFor(args, each, path));
    if (changes.length > 0 && changes.every((each) => each !== null)) return changes.flat();
  }
  return null;
}

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (inner !== null && typeof inner === 'object' ? (inner as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );

export function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withValue((whole as Record<PropertyKey, unknown>)[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), inner) : { ...(whole as object), [key]: inner };
}

type Schema = Record<string, unknown>;
const isObject = (value: unknown): value is Schema => value !== null && typeof value === 'object' && !Array.isArray(value);

/** The same for another server's JSON Schema. Referenced schemas are left to that server. */
export function readBySchema(schema: unknown, value: unknown): unknown {
  if (!isObject(schema)) return value;
  if (typeof value === 'string') {
    const types = typesOf(schema);
    if (types.length === 0 || types.includes('string')) return value;
    const found = types.map((type) => read(value, type)).find((each) => each !== undefined);
    return found === undefined ? value : readBySchema(schema, found);
  }
  if (Array.isArray(value)) return isObject(schema['items']) ? value.map((each) => readBySchema(schema['items'], each)) : value;
  const fields = schema['properties'];
  if (!isObject(value) || !isObject(fields)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, Object.hasOwn(fields, key) ? readBySchema(fields[key], inner) : inner]),
  );
}

/** The types that a schema accepts; empty when it names none. */
function typesOf(schema: Schema): string[] {
  const { type, anyOf, oneOf } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const types = branches.map((branch) => (isObject(branch) ? typesOf(branch) : []));
  return types.every((each) => each.length > 0) ? types.flat() : [];
}
