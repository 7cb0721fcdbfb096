import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonObject, jsonProblem, jsonValue, storable, wellFormed } from './json.ts';

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};

describe('JSON from outside', () => {
  it('is kept when Postgres can keep it', () => {
    for (const fine of [null, 0, '', 'Grüße 🦔', [], {}, { a: [{ b: null }] }, nested(64)]) expect(jsonProblem(fine)).toBeNull();
  });

  it('is refused with the reason, in keys as in values', () => {
    expect(jsonProblem({ a: ['x\0'] })).toContain('NUL');
    expect(jsonProblem({ 'a\0': 1 })).toContain('NUL');
    expect(jsonProblem(['\ud800'])).toContain('Unicode');
    expect(jsonProblem(nested(65))).toContain('64');
  });

  it('has half a pair replaced wherever it stands, and is left as it is without one', () => {
    const cut = { a: ['x\ud83e', { 'k\udd94': 'y' }], b: 1, c: null };
    expect(wellFormed(cut)).toEqual({ a: ['x\ufffd', { 'k\ufffd': 'y' }], b: 1, c: null });
    expect(jsonProblem(wellFormed(cut))).toBeNull();
    const whole = { a: ['x🦔', {}], b: 1 };
    expect(wellFormed(whole)).toBe(whole);
    expect(storable(whole)).toBe(whole);
  });

  it('is made fit for Postgres, in keys as in values', () => {
    expect(storable({ 'k\0': ['a\0b', 'x\ud83e'], n: 1 })).toEqual({ 'k\ufffd': ['a\ufffdb', 'x\ufffd'], n: 1 });
    expect(wellFormed('a\0b')).toBe('a\0b');
  });

  it('may nest as deep as it likes without bringing us down', () => {
    expect(jsonProblem(nested(200_000))).toContain('64');
  });

  it('has a bound, and must be there where it is not optional', () => {
    const schema = z.object({ value: jsonValue(1024), maybe: jsonObject(1024).optional() });
    expect(schema.safeParse({ value: null }).success).toBe(true);
    expect(schema.safeParse({ value: 'x'.repeat(2_000) }).error?.issues[0]?.message).toBe('at most 1 KB as JSON');
    expect(schema.safeParse({}).error?.issues[0]?.message).toBe('is missing');
    expect(schema.safeParse({ value: 1, maybe: { a: '\0' } }).success).toBe(false);
  });
});
