/** Compiling and validating in separate threads: a bad schema does not affect this process. */
import { afterAll, describe, expect, it } from 'vitest';
import { Checker } from './checker.ts';

// Long timeouts, because machines are busy, except in tests of timeouts.
const checker = new Checker({ compileMs: 30_000, checkMs: 30_000 });
afterAll(() => checker.close());

const reason = (wanted: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', details: { reason: wanted } });

/** The number of paths is the number of combinations: 2 to the power of `levels`. */
function doubling(levels: number): Record<string, unknown> {
  const $defs: Record<string, unknown> = { d0: { type: 'string' } };
  for (let i = 1; i <= levels; i++) $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }] };
  return { $defs, $ref: `#/$defs/d${levels}` };
}

describe('checking', () => {
  it('tells where and why an instance is not valid', async () => {
    const schema = {
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email' },
        kind: { enum: ['a', 'b'] },
        n: { $ref: '#/$defs/n' },
        constructor: { type: 'number' },
      },
      required: ['constructor'],
      additionalProperties: false,
      $defs: { n: { type: 'integer', minimum: 1 } },
    };
    const { valid, errors } = await checker.check('k1', schema, { mail: 'nobody', kind: 'c', n: 0, more: 1 });
    expect(valid).toBe(false);
    expect(errors).toEqual(
      expect.arrayContaining([
        { path: '', message: "must have required property 'constructor'", keyword: 'required' },
        { path: '', message: 'must NOT have additional properties: "more"', keyword: 'additionalProperties' },
        { path: '/mail', message: 'must match format "email"', keyword: 'format' },
        { path: '/kind', message: 'must be equal to one of the allowed values: ["a","b"]', keyword: 'enum' },
        { path: '/n', message: 'must be >= 1', keyword: 'minimum' },
      ]),
    );
    expect(errors).toHaveLength(5);
    expect(await checker.check('k1', schema, { constructor: 1, mail: 'a@example.com', kind: 'a', n: 2 })).toEqual({
      valid: true,
      errors: [],
    });
  });

  it('knows what is new in 2020-12, and lists at most 50 errors', async () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: { type: 'number' } };
    expect((await checker.check('k2', tuple, ['a', 1, 2])).valid).toBe(true);
    const { valid, errors } = await checker.check(
      'k2',
      tuple,
      Array.from({ length: 5_000 }, () => 'no'),
    );
    expect(valid).toBe(false);
    expect(errors).toHaveLength(50);
  });

  it('refuses what is no schema, and what never ends', async () => {
    await expect(checker.compile({ type: 'strnig' })).rejects.toThrow(reason('invalid'));
    await expect(checker.compile({ $ref: '#/$defs/nothing' })).rejects.toThrow(reason('invalid'));
    await expect(checker.compile({ $ref: '#' })).rejects.toThrow(reason('endless'));
    await expect(checker.compile({ $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } }, not: { $ref: '#/$defs/a' } })).rejects.toThrow(
      reason('endless'),
    );
    // Each reference goes down a level, so it ends.
    const tree = { type: 'object', properties: { left: { $ref: '#' } } };
    await checker.compile(tree);
    expect((await checker.check('tree', tree, { left: { left: { left: 1 } } })).errors[0]).toMatchObject({ path: '/left/left/left' });
  });

  it('ends what takes too long, while others are answered', async () => {
    // Memory for what a fast machine gathers until then.
    const strict = new Checker({ compileMs: 30_000, checkMs: 3_000, memoryMb: 1_024 });
    try {
      await expect(strict.compile({ type: 'string' })).resolves.toBeUndefined();
      const bomb = strict.compile(doubling(40)).catch((error: unknown) => error);
      const beside = strict.check('beside', { type: 'number' }, 'x');
      await expect(beside).resolves.toMatchObject({ valid: false });
      expect(await bomb).toEqual(reason('time'));
      // An accepted pattern may still be slow.
      const slow = { type: 'string', pattern: '^(a|a)*$' };
      await expect(strict.check('slow', slow, `${'a'.repeat(60)}b`)).rejects.toThrow(reason('time'));
      await expect(strict.check('beside', { type: 'number' }, 1)).resolves.toMatchObject({ valid: true });
    } finally {
      await strict.close();
    }
  });

  it('ends what takes too long to compile', async () => {
    const strict = new Checker({ compileMs: 50, checkMs: 30_000 });
    try {
      const properties = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, i) => [`p${i}`, { type: 'object', properties: { a: { pattern: '^x' } } }]),
      );
      await expect(strict.compile({ properties })).rejects.toThrow(reason('time'));
    } finally {
      await strict.close();
    }
  });

  it('ends what takes too much memory', async () => {
    const small = new Checker({ compileMs: 30_000, checkMs: 30_000, memoryMb: 24 });
    try {
      const each = { items: { allOf: Array.from({ length: 100 }, () => ({ type: 'string', minLength: 1 })) } };
      await expect(
        small.check(
          'many',
          each,
          Array.from({ length: 100_000 }, () => 0),
        ),
      ).rejects.toThrow(reason('memory'));
      await expect(small.check('one', { type: 'number' }, 1)).resolves.toMatchObject({ valid: true });
    } finally {
      await small.close();
    }
  });

  it('refuses when too much waits', async () => {
    const narrow = new Checker({ waiting: 3, compileMs: 30_000, checkMs: 30_000 });
    try {
      const asked = Array.from({ length: 10 }, (_, i) => narrow.check('n', { type: 'number' }, i));
      const settled = await Promise.allSettled(asked);
      expect(settled.filter((one) => one.status === 'fulfilled').length).toBeGreaterThanOrEqual(3);
      expect(settled.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    } finally {
      await narrow.close();
    }
  });

  it('takes a few milliseconds once it runs', async () => {
    await checker.check('warm', { type: 'number' }, 1);
    const took: number[] = [];
    for (let i = 0; i < 200; i++) {
      const started = performance.now();
      await checker.check('warm', { type: 'number' }, i);
      took.push(performance.now() - started);
    }
    // Half of them: a busy machine may hold up some.
    expect(took.toSorted((a, b) => a - b)[100]).toBeLessThan(20);
  });
});
