/** Every time or date field of every tool, with all kinds of values: none causes an INTERNAL error. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import type { Caller } from '../../contracts/caller.ts';
import type { Schema } from '../../contracts/json-schema.ts';
import { exampleArguments } from '../../tools/catalogue/examples.ts';
import { Catalogue } from '../../tools/catalogue/catalogue.ts';
import { tools } from '../../tools/index.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let ann: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false });
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  // No worker runs: what these make of a good time is a job that nobody ends.
  vi.spyOn(stack.services.jobs, 'settle').mockImplementation((tenant, id) => stack.services.jobs.get(tenant, id));
}, 120_000);
afterAll(async () => await stack?.stop());

const times = [
  '2026-11-03T12:00:00+22:16',
  '2026-11-03T12:00:00-23:59',
  '2026-11-03T12:00:00.123456789123Z',
  '2026-11-03T24:00:00Z',
  '2026-11-03T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '0000-03-01',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-11-03 12:00:00+00',
  '2026-11-03T12:00:00+9999',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  'infinity',
  '',
];

const isTime = (name: string, schema: Schema): boolean =>
  [schema, ...(schema.anyOf ?? [])].some(
    ({ type, format, enum: of }) =>
      format === 'date-time' ||
      format === 'date' ||
      (type === 'string' && !of && /(^|_)(at|date|since|until|before|after|from|to|time)$/.test(name)),
  );

const catalogue = new Catalogue(tools);
const fields = tools
  .flatMap((tool) => [{ name: tool.name, input: tool.input as z.ZodObject }, ...tool.aliases.map(({ name, input }) => ({ name, input }))])
  .flatMap(({ name, input }) => {
    const schema = catalogue.jsonSchema(input) as Schema;
    const example = exampleArguments(input, schema) ?? {};
    return Object.entries(schema.properties ?? {})
      .filter(([field, inner]) => isTime(field, inner))
      .map(([field]) => [name, field, example] as const);
  });

it('finds such fields', () => expect(fields.length).toBeGreaterThan(30));

it.each(fields)('%s: %s', async (name, field, example) => {
  for (const time of times) {
    const { error } = await stack.call(ann, name, { ...example, [field]: time });
    expect([time, error?.code], error?.message).not.toEqual([time, 'INTERNAL']);
  }
});

it('and cursors, which callers may make up', { timeout: 180_000 }, async () => {
  const made = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const listing = tools.filter((tool) => 'cursor' in tool.input.shape);
  expect(listing.length).toBeGreaterThan(10);
  for (const { name, input } of listing) {
    const example = exampleArguments(input as z.ZodObject, catalogue.jsonSchema(input)) ?? {};
    for (const time of [
      '2026-02-30 12:00:00+00',
      '2026-02-29 12:00:00.5+00',
      '2026-13-01 12:00:00+00',
      '2026-01-01 25:00:00+00',
      '2026-01-01 12:00:00+15:60',
      '0001-01-01 00:00:00+15',
      ...times,
    ]) {
      for (const cursor of [made(time), made(time, 'x'), made(time, 'x', 'y'), made('x', time), made('1', time, 'x')]) {
        const { error } = await stack.call(ann, name, { ...example, cursor });
        expect([name, time, error?.code]).not.toEqual([name, time, 'INTERNAL']);
      }
    }
  }
});
