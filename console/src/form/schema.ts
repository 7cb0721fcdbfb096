/**
 * Forms from the JSON Schemas of tools. The arguments themselves are the state: each field shows its part of them and
 * writes it back, so that form and JSON cannot differ. Text that is no value yet stays in the arguments as it was typed,
 * and `problemsOf` refuses it.
 */
import type { Schema } from '../../../contracts/json-schema.ts';

export type Kind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'json';

export interface Field {
  /** Empty for an item of a list. */
  name: string;
  kind: Kind;
  schema: Schema;
  required: boolean;
  /** null is a value of its own. */
  nullable: boolean;
  /** Of an object. */
  fields: Field[];
  /** Of a list. */
  item: Field | null;
}

export interface Problem {
  path: (string | number)[];
  text: string;
}

/** What was typed where JSON belongs, and is none yet. */
export class Unread {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Unread);

export const fieldsOf = (schema: Schema): Field[] =>
  Object.entries(schema.properties ?? {}).map(([name, own]) => fieldOf(name, own, schema.required?.includes(name) ?? false));

export function fieldOf(name: string, given: Schema, required: boolean): Field {
  const { schema, nullable } = withoutNull(given);
  const kind = kindOf(schema);
  return {
    name,
    kind,
    schema,
    required,
    nullable,
    fields: kind === 'object' ? fieldsOf(schema) : [],
    item: kind === 'list' ? fieldOf('', schema.items!, true) : null,
  };
}

/** Without the choice of null, which a field offers beside its value. */
function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const rest = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (!rest || rest.length === schema.anyOf!.length) return { schema, nullable: false };
  const { anyOf: _anyOf, ...outer } = schema;
  return { schema: rest.length === 1 ? { ...rest[0], ...outer } : { ...outer, anyOf: rest }, nullable: true };
}

function kindOf(schema: Schema): Kind {
  const { type, anyOf } = schema;
  if (schema.enum) return schema.enum.every((one) => typeof one === 'string') ? 'choice' : 'json';
  if (anyOf) return anyOf.every((one) => one.type === 'string' && !one.enum) ? 'text' : 'json';
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'object') return schema.properties && schema.additionalProperties !== true ? 'object' : 'json';
  if (type === 'array') return schema.items && kindOf(withoutNull(schema.items).schema) !== 'json' ? 'list' : 'json';
  return 'json';
}

/** Fields whose text has several lines. */
export const isLong = ({ kind, schema }: Field): boolean => kind === 'json' || (kind === 'text' && (schema.maxLength ?? 0) > 300);

/** The text that a field without parts shows for its value. */
export function shown({ kind, nullable }: Field, value: unknown): string {
  if (value instanceof Unread) return value.text;
  if (value === undefined || (value === null && (nullable || kind !== 'json'))) return '';
  if (kind === 'json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The value for a text that was typed or chosen; undefined: the argument is left out. */
export function entered({ kind }: Field, text: string): unknown {
  if (text === '') return undefined;
  if (kind === 'json') {
    try {
      return JSON.parse(text);
    } catch {
      return new Unread(text);
    }
  }
  if (kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (kind === 'boolean') return text === 'true';
  return text;
}

/** The object with another value of one key; undefined takes the key out. The order of keys stays. */
export function withKey(object: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _gone, ...rest } = object;
  return rest;
}

/** What a new item of a list or an object begins with. */
export const fresh = (field: Field): unknown =>
  field.kind === 'object' ? {} : field.kind === 'list' ? [] : field.kind === 'choice' ? field.schema.enum![0] : '';

/** The arguments as JSON. */
export const textOf = (args: Record<string, unknown>): string =>
  JSON.stringify(args, (_key, value: unknown) => (value instanceof Unread ? value.text : value), 2);

/** @returns the arguments in a text, or why there are none */
export function argsOf(text: string): { args: Record<string, unknown> } | { fault: string } {
  if (text.trim() === '') return { args: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { args: value } : { fault: 'Arguments are a JSON object: { … }' };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** Limits, as people read them: `1 to 200 characters`. */
export function limitsOf(field: Field): string {
  const { schema, kind, required, nullable } = field;
  const parts: string[] = [required ? 'required' : ''];
  if (kind === 'text') {
    if (schema.minLength !== undefined || schema.maxLength !== undefined)
      parts.push(`${between(schema.minLength, schema.maxLength)} characters`);
    if (schema.format) parts.push(schema.format);
  }
  if (kind === 'number') {
    parts.push(schema.type === 'integer' ? 'whole number' : 'number');
    const least = schema.minimum ?? schema.exclusiveMinimum;
    const most = schema.maximum ?? schema.exclusiveMaximum;
    if (least !== undefined || most !== undefined) parts.push(between(least, most));
  }
  if (kind === 'list' && (schema.minItems !== undefined || schema.maxItems !== undefined))
    parts.push(`${between(schema.minItems, schema.maxItems)} items`);
  if (kind === 'json') parts.push('JSON');
  if (nullable) parts.push('or null');
  // A choice shows its default among the others.
  if (schema.default !== undefined && kind !== 'choice' && kind !== 'boolean') parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.filter(Boolean).join(' · ');
}

const number = (value: number): string => value.toLocaleString('en');
const between = (least: number | undefined, most: number | undefined): string =>
  most === undefined
    ? `at least ${number(least!)}`
    : least === undefined
      ? `at most ${number(most)}`
      : `${number(least)} to ${number(most)}`;
