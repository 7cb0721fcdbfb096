import { describe, expect, it } from 'vitest';
import type { AppError } from '../../contracts/errors.ts';
import { checkParameters, knowsToken, newToken, uuidOf } from './delegation-rules.ts';

const capability = (parameters_schema: Record<string, unknown>) => ({
  name: 'sum',
  description: '',
  parameters_schema,
  returns_schema: {},
});
const refusal = (schema: Record<string, unknown>, parameters: Record<string, unknown>): AppError | null => {
  try {
    checkParameters(capability(schema), parameters);
    return null;
  } catch (error) {
    return error as AppError;
  }
};

describe('parameters', () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer', minimum: 1 }, at: { type: 'string', format: 'date-time' } },
    required: ['n'],
  };

  it('pass or are refused by the capability’s schema, naming the field', () => {
    expect(refusal(schema, { n: 2, more: true })).toBeNull();
    expect(refusal({}, { anything: 1 })).toBeNull();
    expect(refusal(schema, {})).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'parameters', capability: 'sum' } });
    expect(refusal(schema, { n: 0 })?.details).toMatchObject({ field: '/n' });
    expect(refusal(schema, { n: 1, at: 'yesterday' })?.details).toMatchObject({ field: '/at' });
  });

  it('are checked by agentic-rag’s short form, too', () => {
    expect(refusal({ query: { type: 'string' } }, { query: 'x' })).toBeNull();
    expect(refusal({ query: { type: 'string' } }, { query: 3 })?.details).toMatchObject({ field: '/query' });
  });

  it('do not pass a schema that cannot be used', () => {
    expect(refusal({ $ref: 'https://example.com/elsewhere.json' }, {})).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'schema' },
    });
  });

  it('are not checked by what takes for ever or refers to itself: that is left to the agent', () => {
    const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' }, n: { type: 'integer' } } };
    expect(refusal(slow, { a: `${'a'.repeat(40)}!` })).toBeNull();
    expect(refusal(slow, { a: `${'a'.repeat(40)}!`, n: 'one' })?.details).toMatchObject({ field: '/n' });
    expect(refusal({ allOf: [{ $ref: '#' }] }, { a: 1 })).toBeNull();
    expect(refusal({ type: 'object', properties: { child: { $ref: '#' } } }, { child: { child: {} } })).toBeNull();
    expect(refusal({ type: 'object', properties: { a: { $ref: '#/$defs/%' } } }, { a: 1 })?.details).toMatchObject({ reason: 'schema' });
    expect(refusal({ type: 'integr' }, { a: 1 })?.details).toMatchObject({ reason: 'schema' });
  });

  it('may have schemas of the same $id that differ', () => {
    const named = (type: string) => ({ $id: 'https://example.com/s', type: 'object', properties: { a: { type } } });
    expect(refusal(named('string'), { a: 'x' })).toBeNull();
    expect(refusal(named('number'), { a: 'x' })).not.toBeNull();
  });
});

describe('tokens', () => {
  it('are known by their hashes, those of earlier attempts, too', () => {
    const [first, second] = [newToken(), newToken()];
    const kept = Buffer.concat([first.hash, second.hash]);
    expect([first.token, second.token].map((token) => knowsToken(kept, token))).toEqual([true, true]);
    expect(knowsToken(kept, newToken().token)).toBe(false);
    expect(knowsToken(null, first.token)).toBe(false);
    expect(knowsToken(kept.subarray(0, 31), first.token)).toBe(false);
  });
});

it('derives ids that are UUIDs and the same for the same call', () => {
  expect(uuidOf('a', 'b')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidOf('a', 'b')).toBe(uuidOf('a', 'b'));
  expect(uuidOf('a', 'b')).not.toBe(uuidOf('ab', ''));
});
