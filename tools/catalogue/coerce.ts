/**
 * Models write "7" for 7, "true" for true and "[\"a\"]" for ["a"]. Such text is read as what it stands for where the schema wants
 * that and takes no text; everywhere else text stays text.
 */
import type { z } from 'zod';
import { jsonProblem, maxJsonDepth } from '../../contracts/json.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Types by the names that zod and JSON Schema have for them. */
const readers: Record<string, (text: string) => unknown> = {
  number(text) {
    const value = number.test(text) ? Number(text) : NaN;
    // A longer integer would be another one.
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

/** What the text stands for; undefined: nothing of that type. */
const read = (value: unknown, type: string): unknown =>
  typeof value === 'string' && Object.hasOwn(readers, type) ? readers[type]!(value.trim()) : undefined;

/** The arguments with all text read that these issues complain of; null when there is none to read. */
export function withTextRead(args: unknown, issues: readonly Issue[]): unknown {
  let mended = args;
  for (const issue of issues) {
    const change = changesFor(args, issue, []);
    for (const { path, value } of change ?? []) mended = withValue(mended, path, value);
  }
  return mended === args ? null : mended;
}

/** What would mend an issue; null: nothing does. */
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

/** The same by another server's JSON Schema. What it says by references is left to its server. */
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

/** Which types it takes; none when it does not say. */
function typesOf(schema: Schema): string[] {
  const { type, anyOf, oneOf } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  const branches = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const types = branches.map((branch) => (isObject(branch) ? typesOf(branch) : []));
  return types.every((each) => each.length > 0) ? types.flat() : [];
}
