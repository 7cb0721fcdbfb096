import { describe, expect, it } from 'vitest';
import { checkSchema, dialect } from './rules.ts';

const reasonOf = (schema: Record<string, unknown>): unknown => {
  try {
    checkSchema(schema);
    return null;
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason;
  }
};

describe('what a schema may hold', () => {
  it('is anything of JSON Schema 2020-12 that refers to itself only', () => {
    const fine = [
      {},
      { $schema: dialect, type: 'object', properties: { $ref: { type: 'string' }, pattern: { type: 'string' } } },
      { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' },
      { const: { $ref: 'https://example.com/x' }, enum: [{ pattern: '(a+)+' }], default: { $async: true } },
      { properties: { const: { pattern: '^a$' } } },
      { $id: 'https://example.com/me', type: 'array' },
    ];
    for (const schema of fine) expect(reasonOf(schema)).toBeNull();
  });

  it.each([
    [{ $ref: 'https://example.com/other.json' }, 'remote_ref'],
    [{ allOf: [{ items: { $ref: 'file:///etc/passwd' } }] }, 'remote_ref'],
    [{ properties: { const: { $ref: 'other.json#/x' } } }, 'remote_ref'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'dialect'],
    [{ $async: true }, 'keyword'],
    [{ properties: { a: { pattern: '(a+)+' } } }, 'pattern'],
    [{ patternProperties: { '(x*)*': true } }, 'pattern'],
    [{ description: 'a\0' }, 'shape'],
    [{ description: 'x'.repeat(300_000) }, 'size'],
  ])('%j is refused', (schema, reason) => {
    expect(reasonOf(schema)).toBe(reason);
  });

  it('does not nest without a bound', () => {
    let schema: Record<string, unknown> = {};
    for (let i = 0; i < 50_000; i++) schema = { not: schema };
    expect(reasonOf(schema)).toBe('shape');
  });
});
