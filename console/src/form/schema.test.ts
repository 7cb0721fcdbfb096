import { describe, expect, it } from 'vitest';
import { problemsOf } from './check.ts';
import type { Schema } from '../../../contracts/json-schema.ts';
import { documentedArguments, documentedTools } from '../../../test/setup/documented-tools.ts';
import { argsOf, entered, fieldOf, fieldsOf, fresh, isObject, shown, textOf, Unread, withKey, type Field } from './schema.ts';

/** Fills a field by what a person types and chooses, and gives what the form makes of it. */
function filled(field: Field, value: unknown): unknown {
  if (value === null && field.nullable) return null;
  if (field.kind === 'list') return (value as unknown[]).map((one) => filled(field.item!, one));
  if (field.kind !== 'object') return entered(field, shown(field, value));
  return Object.entries(value as object).reduce<Record<string, unknown>>((made, [name, inner]) => {
    const own = field.fields.find((one) => one.name === name);
    if (!own) throw new Error(`The form has no field ${name}.`);
    return withKey(made, name, filled(own, inner));
  }, {});
}

/** All fields, with those inside of others. */
const all = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => [field, ...all(field.fields), ...(field.item ? all([field.item]) : [])]);

/** Values that a schema must refuse. */
function* wrong(schema: Schema): Generator<unknown> {
  if (schema.anyOf) return;
  if (schema.enum) yield 'not among these';
  if (schema.type === 'string' && !schema.enum) {
    yield 7;
    if (schema.minLength) yield '';
    if (schema.maxLength !== undefined) yield 'x'.repeat(schema.maxLength + 1);
  }
  if (schema.type === 'integer') yield 1.5;
  if (schema.type === 'integer' || schema.type === 'number') {
    yield 'seven';
    if (schema.minimum !== undefined) yield schema.minimum - 1;
    if (schema.maximum !== undefined) yield schema.maximum + 1;
  }
  if (schema.type === 'boolean') yield 'true';
  if (schema.type === 'array') {
    yield {};
    if (schema.minItems) yield [];
    if (schema.maxItems !== undefined) yield Array.from({ length: schema.maxItems + 1 }, () => null);
  }
  if (schema.type === 'object') yield [];
}

describe.each(documentedTools.map((tool) => [tool.name, tool.inputSchema] as const))('the form of %s', (name, schema) => {
  const form: Field = { name: '', kind: 'object', schema, required: true, nullable: false, fields: fieldsOf(schema), item: null };

  it('has a field for each argument', () => {
    expect(schema.type).toBe('object');
    expect(form.fields.map((field) => field.name)).toEqual(Object.keys(schema.properties ?? {}));
    for (const field of all(form.fields)) {
      expect(['text', 'number', 'boolean', 'choice', 'list', 'object', 'json']).toContain(field.kind);
      expect(() => shown(field, fresh(field))).not.toThrow();
    }
  });

  it('gives the arguments of the example', () => {
    const example = documentedArguments.get(name);
    if (!example) return;
    const args = filled(form, example) as Record<string, unknown>;
    expect(args).toEqual(example);
    expect(problemsOf(schema, args)).toEqual([]);
    expect(argsOf(textOf(args))).toEqual({ args: example });
  });

  it('refuses what is missing, and what limits and choices exclude', () => {
    const example = documentedArguments.get(name) ?? {};
    for (const required of schema.required ?? []) {
      expect(problemsOf(schema, withKey(example, required, undefined))).toContainEqual({ path: [required], text: 'It is required.' });
    }
    for (const [argument, own] of Object.entries(schema.properties ?? {})) {
      for (const value of wrong(own)) {
        const problems = problemsOf(schema, { ...example, [argument]: value });
        expect(
          problems.some(({ path }) => path[0] === argument),
          `${argument} = ${JSON.stringify(value)?.slice(0, 60)}`,
        ).toBe(true);
      }
    }
    expect(problemsOf({ ...schema, additionalProperties: false }, { ...example, no_such_argument: 1 })).toContainEqual({
      path: ['no_such_argument'],
      text: 'There is no such argument.',
    });
  });
});

it('knows the examples of nearly every tool, and draws nearly every argument', () => {
  expect(documentedArguments.size).toBeGreaterThan(documentedTools.length * 0.9);
  const fields = documentedTools.flatMap(({ inputSchema }) => all(fieldsOf(inputSchema)));
  const drawn = fields.filter(({ kind }) => kind !== 'json').length / fields.length;
  console.log(
    `${documentedTools.length} tools, ${documentedArguments.size} examples, ${fields.length} fields, ${(drawn * 100).toFixed(1)} % drawn, the others as JSON`,
  );
  expect(drawn).toBeGreaterThan(0.9);
});

describe('a field', () => {
  const field = (schema: Schema): Field => fieldOf('x', schema, false);

  it('keeps what is no value yet, and refuses it', () => {
    const number = field({ type: 'integer' });
    expect(entered(number, '1e')).toBe('1e');
    expect(problemsOf({ properties: { x: { type: 'integer' } }, type: 'object' }, { x: '1e' })).toEqual([
      { path: ['x'], text: 'It must be a whole number.' },
    ]);
    const json = field({});
    const unread = entered(json, '{"a":');
    expect(unread).toBeInstanceOf(Unread);
    expect(shown(json, unread)).toBe('{"a":');
    expect(isObject(unread)).toBe(false);
    expect(problemsOf({ type: 'object', properties: { x: {} } }, { x: unread })).toEqual([{ path: ['x'], text: 'This is not JSON yet.' }]);
  });

  it('offers null beside its value', () => {
    const nullable = field({ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], default: null });
    expect(nullable).toMatchObject({ kind: 'number', nullable: true, schema: { minimum: 0 } });
    expect(problemsOf({ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }, -1)).toEqual([{ path: [], text: 'At least 0.' }]);
  });

  it('left empty is left out', () => {
    expect(entered(field({ type: 'string' }), '')).toBeUndefined();
    expect(withKey({ a: 1, x: 2 }, 'x', undefined)).toEqual({ a: 1 });
  });
});
