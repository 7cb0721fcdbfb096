import { expect, it } from 'vitest';
import { checkCapabilities } from './capabilities.ts';

const capability = (parameters_schema: Record<string, unknown>) => ({ name: 'a', description: '', parameters_schema, returns_schema: {} });

it.each([
  {},
  { type: 'object', properties: { text: { type: 'string', format: 'a format of its own' } }, required: ['text'], 'x-own': true },
  { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'https://example.com/x', type: ['string', 'null'] },
])('takes %j, also a second time', (schema) => {
  for (let i = 0; i < 2; i += 1) expect(() => checkCapabilities([capability(schema)])).not.toThrow();
});

it.each([{ type: 'strange' }, { required: 'text' }, { properties: [] }, { minimum: 'one' }])('refuses %j, naming where', (schema) => {
  expect(() => checkCapabilities([capability(schema)])).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', details: { capability: 'a', field: 'parameters_schema' } }),
  );
});
