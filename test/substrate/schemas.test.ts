/** Registered JSON Schemas: versions that never change, instances checked against them, bombs refused. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../contracts/caller.ts';
import type { RegisteredSchema, SchemaError, SchemaSummary } from '../../contracts/substrate/schemas.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let pm: Caller;
let other: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  pm = await stack.caller({ name: 'pm' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
});
afterAll(async () => {
  await stack?.services.schemas.close();
  await stack?.stop();
});

const invoice = {
  type: 'object',
  properties: { total: { type: 'number', minimum: 0 }, lines: { items: { type: 'string' } } },
  required: ['total'],
};
const register = (name: string, version: string, json_schema: object, caller = pm) =>
  stack.call(caller, 'schema.definition.register', { name, version, json_schema });
const validate = (args: object, caller = pm) => stack.call(caller, 'schema.instance.validate', args);

describe('a registered schema', () => {
  it('keeps each version for good', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => register('invoice', '1.0.0', invoice)));
    const ids = made.map((answer) => (answer.data as { schema_id: string; existed: boolean }).schema_id);
    expect(new Set(ids).size).toBe(1);
    expect(made.filter((answer) => !(answer.data as { existed: boolean }).existed)).toHaveLength(1);
    // The order of keys is no content.
    const { type, ...rest } = invoice;
    expect((await register('invoice', '1.0.0', { ...rest, type })).data).toMatchObject({ existed: true });
    const changed = await register('invoice', '1.0.0', { ...invoice, required: [] });
    expect(changed.error).toMatchObject({ code: 'CONFLICT', details: { schema_id: ids[0], name: 'invoice', version: '1.0.0' } });
    const { schema } = await stack.ok<{ schema: RegisteredSchema }>(pm, 'schema.definition.get', { name: 'invoice' });
    expect(schema).toMatchObject({ schema_id: ids[0], version: '1.0.0', json_schema: invoice, created_by: 'pm' });
  });

  it('is answered in the words of the seed under its names', async () => {
    const made = await stack.ok(pm, 'schema.register', { name: 'seed', version: '1', json_schema: { type: 'string' } });
    expect(made).toEqual({ schema_id: expect.stringMatching(/^schema_/) });
    expect(await stack.ok(pm, 'schema.validate', { name: 'seed', instance: 'x' })).toEqual({ valid: true, errors: [] });
    expect(await stack.ok(pm, 'schema.validate', { name: 'seed', instance: null })).toEqual({
      valid: false,
      errors: [{ path: '', message: 'must be string', keyword: 'type' }],
    });
    expect((await stack.ok<{ schemas: SchemaSummary[] }>(pm, 'schema.list', { prefix: 'seed' })).schemas).toMatchObject([
      { name: 'seed', version: '1' },
    ]);
  });

  it('checks by the newest version when none is named', async () => {
    await register('newest', '2.0', { type: 'number' });
    await register('newest', '1.0', { type: 'string' });
    expect((await validate({ name: 'newest', instance: 'x' })).data).toMatchObject({ valid: true, version: '1.0' });
    expect((await validate({ name: 'newest', version: '2.0', instance: 'x' })).data).toMatchObject({ valid: false, version: '2.0' });
    const bad = (await validate({ name: 'invoice', instance: { total: -1, lines: ['a', 2] } })).data as { errors: SchemaError[] };
    expect(bad.errors.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: '/lines/1', message: 'must be string', keyword: 'type' },
      { path: '/total', message: 'must be >= 0', keyword: 'minimum' },
    ]);
    expect((await validate({ name: 'newest', version: '3', instance: 1 })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await validate({ name: 'newest' })).error).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is listed by name, newest version first, in pages', async () => {
    for (const [name, version] of [
      ['list/b', '1'],
      ['list/a', '1'],
      ['list/a', '2'],
      ['list/a', '0'],
    ] as const) {
      await register(name, version, {});
    }
    const first = await stack.call(pm, 'schema.definition.list', { prefix: 'list/', limit: 2 });
    const rest = await stack.call(pm, 'schema.definition.list', { prefix: 'list/', limit: 2, cursor: first.envelope.metadata.next_cursor });
    const listed = [first, rest].flatMap((answer) => (answer.data as { schemas: SchemaSummary[] }).schemas);
    expect(listed.map(({ name, version }) => `${name}@${version}`)).toEqual(['list/a@0', 'list/a@2', 'list/a@1', 'list/b@1']);
    expect(rest.envelope.metadata.next_cursor).toBeUndefined();
  });

  it('is of one tenant', async () => {
    await register('private', '1', {});
    expect((await validate({ name: 'private', instance: 1 }, other)).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.call(other, 'schema.definition.get', { name: 'private' })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await stack.ok<{ schemas: SchemaSummary[] }>(other, 'schema.definition.list')).schemas).toEqual([]);
    // The same name and version, other content: theirs.
    expect((await register('private', '1', { type: 'null' }, other)).error).toBeUndefined();
    expect((await validate({ name: 'private', instance: 1 })).data).toMatchObject({ valid: true });
    expect((await validate({ name: 'private', instance: 1 }, other)).data).toMatchObject({ valid: false });
  });
});

describe('a schema bomb', () => {
  const deep = (levels: number): object => {
    let schema: object = {};
    for (let i = 0; i < levels; i++) schema = { not: schema };
    return schema;
  };

  it.each([
    ['nests too deep', deep(70), 'shape'],
    ['is too large', { description: 'x'.repeat(300_000) }, 'size'],
    ['fetches', { $ref: 'http://169.254.169.254/latest' }, 'remote_ref'],
    ['backtracks', { pattern: '^(a+)+$' }, 'pattern'],
    ['goes round', { $ref: '#' }, 'endless'],
    ['is none', { type: 12 }, 'invalid'],
    ['is of another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, 'dialect'],
  ])('that %s is refused, and nothing is kept', async (_what, schema, reason) => {
    const answer = await register('bomb', '1', schema);
    expect(answer.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason } });
    expect((await stack.call(pm, 'schema.definition.get', { name: 'bomb' })).error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that only takes long with a certain instance is cut short, and others are answered', async () => {
    expect((await register('slow', '1', { type: 'string', pattern: '^(a|a)*$' })).error).toBeUndefined();
    const slow = validate({ name: 'slow', instance: `${'a'.repeat(80)}!` });
    expect((await validate({ name: 'slow', instance: 'aaa' })).data).toMatchObject({ valid: true });
    expect((await slow).error).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'time' } });
    expect((await validate({ name: 'slow', instance: 'b' })).data).toMatchObject({ valid: false });
  });
});
