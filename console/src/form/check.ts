/** What a schema refuses, shown before the call. The server decides again. */
import type { Schema } from '../../../contracts/json-schema.ts';
import { isObject, Unread, type Problem } from './schema.ts';

type Path = Problem['path'];

export const problemsOf = (schema: Schema, value: unknown): Problem[] => check(schema, value, []);

/** The texts that a field shows: of its own value, not of its parts. */
export const problemAt = (problems: readonly Problem[], path: Path): string | undefined =>
  problems.find((one) => one.path.length === path.length && one.path.every((part, i) => part === path[i]))?.text;

function check(schema: Schema, value: unknown, path: Path): Problem[] {
  const no = (text: string): Problem[] => [{ path, text }];
  if (value instanceof Unread) return no('This is not JSON yet.');
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => check(one, value, path));
    if (all.some((problems) => problems.length === 0)) return [];
    // The choice that fits best: the one whose type is right.
    return all.toSorted((a, b) => Number(a.some(isAt(path))) - Number(b.some(isAt(path))))[0]!;
  }
  if (schema.const !== undefined && value !== schema.const) return no(`It must be ${JSON.stringify(schema.const)}.`);
  if (schema.enum && !schema.enum.includes(value)) return no(`One of: ${schema.enum.map(String).join(', ')}.`);
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' ? text(schema, value, no) : no('It must be a text.');
    case 'integer':
    case 'number':
      return amount(schema, value, no);
    case 'boolean':
      return typeof value === 'boolean' ? [] : no('It must be true or false.');
    case 'null':
      return value === null ? [] : no('It must be null.');
    case 'array':
      return Array.isArray(value) ? list(schema, value, path) : no('It must be a list: [ … ]');
    case 'object':
      return isObject(value) ? object(schema, value, path) : no('It must be an object: { … }');
    default:
      return [];
  }
}

const isAt =
  (path: Path) =>
  (problem: Problem): boolean =>
    problem.path.length === path.length;

const formats: Record<string, [RegExp, string]> = {
  date: [/^\d{4}-\d\d-\d\d$/, 'a day, e.g. 2026-01-31'],
  'date-time': [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i, 'a time, e.g. 2026-01-31T09:00:00Z'],
  email: [/^[^\s@]+@[^\s@]+$/, 'an e-mail address'],
  uri: [/^[a-z][a-z0-9+.-]*:\S+$/i, 'an address, e.g. https://example.com'],
};

function text(
  { minLength = 0, maxLength, pattern, format, description }: Schema,
  value: string,
  no: (text: string) => Problem[],
): Problem[] {
  // Lengths are counted in UTF-16 units, as the server counts them.
  const { length } = value;
  if (length < minLength)
    return no(minLength === 1 ? 'It must not be empty.' : `It needs ${minLength} characters or more, it has ${length}.`);
  if (maxLength !== undefined && length > maxLength) return no(`At most ${maxLength} characters, it has ${length}.`);
  const rule = format === undefined ? undefined : formats[format];
  if (rule && !rule[0].test(value)) return no(`It must be ${rule[1]}.`);
  if (pattern !== undefined && !fits(pattern, value))
    return no(`It does not have the form ${pattern}${description ? ` (${description})` : ''}.`);
  return [];
}

/** A pattern that this browser cannot read is left to the server. */
function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function amount(
  { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema,
  value: unknown,
  no: (text: string) => Problem[],
): Problem[] {
  if (typeof value !== 'number') return no(type === 'integer' ? 'It must be a whole number.' : 'It must be a number.');
  if (type === 'integer' && !Number.isInteger(value)) return no('It must be a whole number.');
  if (minimum !== undefined && value < minimum) return no(`At least ${minimum}.`);
  if (maximum !== undefined && value > maximum) return no(`At most ${maximum}.`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return no(`More than ${exclusiveMinimum}.`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return no(`Less than ${exclusiveMaximum}.`);
  return [];
}

function list({ items, minItems, maxItems }: Schema, value: unknown[], path: Path): Problem[] {
  const counts =
    minItems !== undefined && value.length < minItems
      ? [{ path, text: minItems === 1 ? 'At least one.' : `At least ${minItems}.` }]
      : maxItems !== undefined && value.length > maxItems
        ? [{ path, text: `At most ${maxItems}, there are ${value.length}.` }]
        : [];
  return [...counts, ...(items ? value.flatMap((one, i) => check(items, one, [...path, i])) : [])];
}

function object(
  { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
  value: Record<string, unknown>,
  path: Path,
): Problem[] {
  const missing = required.filter((name) => value[name] === undefined).map((name) => ({ path: [...path, name], text: 'It is required.' }));
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, one]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own) return one === undefined ? [] : check(own, one, [...path, name]);
      if (additionalProperties === false) return [{ path: [...path, name], text: 'There is no such argument.' }];
      const wrongName = propertyNames ? check(propertyNames, name, [...path, name]) : [];
      return [...wrongName, ...(typeof additionalProperties === 'object' ? check(additionalProperties, one, [...path, name]) : [])];
    }),
  ];
}
