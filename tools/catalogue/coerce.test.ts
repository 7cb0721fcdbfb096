import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readBySchema } from './coerce.ts';
import { Catalogue } from './catalogue.ts';
import { defineTool } from './define.ts';
import { conform, validate } from './validate.ts';

const inner = z.object({ deep: z.number().optional(), tags: z.array(z.string()).optional() });
const schema = z.object({
  count: z.int().optional(),
  share: z.number().optional(),
  on: z.boolean().optional(),
  text: z.string().optional(),
  either: z.union([z.number(), z.string()]).optional(),
  nothing: z.number().nullable().optional(),
  level: z.union([z.literal(1), z.literal(2)]).optional(),
  several: z.union([z.number(), z.array(z.number())]).optional(),
  any: z.unknown().optional(),
  limit: z.number().int().max(100).optional(),
  list: z.array(z.string()).optional(),
  inner: inner.optional(),
  items: z.array(inner).optional(),
  by: z.record(z.string(), z.number()).optional(),
});
const read = (args: Record<string, unknown>, warnings: string[] = []) => conform(schema, args, { name: 'x', warnings });

describe('text where the schema wants something else', () => {
  it.each([
    [{ count: '7' }, { count: 7 }],
    [{ count: ' -7 ' }, { count: -7 }],
    [{ share: '0.5' }, { share: 0.5 }],
    [{ share: '1e3' }, { share: 1000 }],
    [{ on: 'true' }, { on: true }],
    [{ on: 'False' }, { on: false }],
    [{ nothing: '3' }, { nothing: 3 }],
    [{ level: '2' }, { level: 2 }],
    [{ several: '2' }, { several: 2 }],
    [{ several: '[1,"2"]' }, { several: [1, 2] }],
    [{ list: '["a","b"]' }, { list: ['a', 'b'] }],
    [{ inner: '{"deep":"4"}' }, { inner: { deep: 4 } }],
    [{ items: [{ deep: '4' }, { tags: '["t"]' }] }, { items: [{ deep: 4 }, { tags: ['t'] }] }],
    [{ by: { a: '1', b: 2 } }, { by: { a: 1, b: 2 } }],
  ])('%j is read as %j', (given, wanted) => {
    const before = structuredClone(given);
    expect(read(given)).toEqual(wanted);
    expect(given).toEqual(before);
  });

  it.each([[{ text: '7' }], [{ text: 'true' }], [{ text: '["a"]' }], [{ either: '7' }], [{ any: '7' }], [{ list: ['7', 'true'] }]])(
    '%j stays text',
    (given) => {
      expect(read(given)).toEqual(given);
    },
  );

  it.each([
    [{ count: '7.5' }],
    [{ count: 'seven' }],
    [{ count: '' }],
    [{ count: '0x7' }],
    [{ count: '9007199254740993' }],
    [{ share: 'Infinity' }],
    [{ on: 'yes' }],
    [{ on: '1' }],
    [{ level: '3' }],
    [{ list: 'a' }],
    [{ list: '["a"' }],
    [{ list: '{"0":"a"}' }],
    [{ inner: '[1]' }],
    [{ list: `${'['.repeat(90)}${']'.repeat(90)}` }],
  ])('%j is refused', (given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('is cut like a number', () => {
    const warnings: string[] = [];
    expect(read({ limit: '500' }, warnings)).toEqual({ limit: 100 });
    expect(warnings).toEqual(['"limit" was cut to 100.']);
  });
});

it('holds for every name of a tool, each by its own schema', () => {
  const tool = defineTool({
    name: 'test.thing.do',
    title: 'Do',
    description: 'Does the thing that is asked for.',
    effect: 'read',
    idempotent: true,
    external: false,
    approval: 'A0',
    scopes: [],
    latency: 'L1',
    input: z.object({ size: z.number() }),
    output: z.object({}),
    intents: [],
    aliases: [
      {
        name: 'do_thing',
        system: 'devflow',
        input: z.object({ size: z.string() }),
        toInput: ({ size }) => ({ size: String(size).length }),
      },
    ],
    handler: async () => ({ data: {} }),
  });
  const catalogue = new Catalogue([tool]);
  expect(validate(catalogue.named('test.thing.do'), { size: '7' }).input).toEqual({ size: 7 });
  expect(validate(catalogue.named('do_thing'), { size: '700' })).toMatchObject({ input: { size: 3 }, aliasArgs: { size: '700' } });
});

it("reads text by another server's schema, too", () => {
  const foreign = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      text: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      free: {},
      list: { type: 'array', items: { type: 'boolean' } },
    },
  };
  const given = { n: '7', maybe: '1.5', text: '7', free: '7', list: '["true", false]', other: '7' };
  expect(readBySchema(foreign, given)).toEqual({ n: 7, maybe: 1.5, text: '7', free: '7', list: [true, false], other: '7' });
});
