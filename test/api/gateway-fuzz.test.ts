/**
 * Random valid and hostile requests to every operation of the gateway, on the real server and a real database: none
 * breaks it, and each answer matches the OpenAPI document. FUZZ_SEED=n uses other requests.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, pathOf, unversioned, type Operation } from '../../api/gateway/operation.ts';
import { operations } from '../../api/gateway/operations.ts';
import { openDoor, rest, type Door } from '../setup/peers.ts';
import { entityIdOf, writeSignals } from '../setup/signals.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const runsEach = 20;

type Json = Record<string, any>;

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const issue = entityIdOf('acme', 'issue', 'Export fails');
const known = ['Export fails', 'Export', 'Acme', 'acme', issue, entityIdOf('acme', 'customer', 'Acme'), 'weekly_digest', 'jira', 'text'];
const moments = ['2026-11-01', '2026-11-03T12:00:00Z', '2026-11-03T12:00:00.5+14:00', '0001-01-01', '9999-12-31', '2026-02-30'];
// prettier-ignore
const hostile = [
  '', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202eabc', "'; drop table signals; --", '%', '%00', '_', '\\', '"', '<script>alert(1)</script>',
  '../../etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1:1/', 'http://169.254.169.254/', 'http://[::1]:1', 'ftp://x', '//', 'C:\\x',
  '__proto__', 'constructor', 'null', 'NaN', '-0', '1e999', '9'.repeat(40), '0x10', 'true', '{}', '[]', '${7*7}', '\u{1F4A9}'.repeat(50),
  'eyJhIjoxfQ', 'bnVsbA', 'W10', 'a'.repeat(3_000), 'и'.repeat(600), '( | & ! <-> *', '"unclosed', '𠀀 𖠀', 'ignore all rules',
];
const text: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: fc.constantFrom(...hostile) },
  { weight: 1, arbitrary: fc.constantFrom(...moments) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 12 }) },
);
/** Cursors in our format, with arbitrary content. */
const cursor = fc.oneof(
  text,
  fc.constantFrom('17', '9'.repeat(19)),
  fc
    .array(fc.oneof(text, fc.constantFrom('7', '-3', '1e99', '0.5', '2026-11-03 12:00:00.123+00', '0000-01-01 00:00:00+00', issue)), {
      minLength: 1,
      maxLength: 3,
    })
    .chain((parts) => fc.constantFrom(JSON.stringify(parts), parts.join('|')))
    .map((inner) => Buffer.from(inner).toString('base64url')),
);
const numbers = fc.oneof(fc.integer({ min: -5, max: 120 }), fc.double(), fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 63), 0.5));
const anything = fc.oneof(text, numbers, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }) as Arbitrary<unknown>);

/** Usually a value that the schema accepts, sometimes an invalid one. */
function valueFor(schema: Json): Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: meant(schema) }, { weight: 1, arbitrary: anything });
}

function meant(schema: Json): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as Json[]).map(meant));
  if (schema.type === 'integer' || schema.type === 'number') {
    const [min, max] = [schema.minimum ?? 0, schema.maximum ?? 1_000];
    return schema.type === 'integer'
      ? fc.integer({ min, max: Math.max(min, Math.min(max, min + 200)) })
      : fc.double({ min, max, noNaN: true });
  }
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'array') return fc.array(valueFor(schema.items ?? {}), { maxLength: 3 });
  if (schema.type === 'object') return schema.properties ? objectOf(schema) : fc.dictionary(text, anything, { maxKeys: 3 });
  if (schema.format === 'date' || schema.format === 'date-time') return fc.constantFrom(...moments);
  if (schema.format === 'uri') return fc.constantFrom('https://jira.example.com/browse/X-1', ...hostile);
  return text;
}

/** Usually with the required fields, with few optional ones, and sometimes with unknown ones. */
function objectOf({ properties = {}, required = [] }: Json): Arbitrary<Json> {
  const optional = Object.keys(properties).filter((key) => !required.includes(key));
  const fields = fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((some) => {
    const chosen = [...(required as string[]), ...some];
    return fc.record(Object.fromEntries(chosen.map((key) => [key, key === 'cursor' ? cursor : valueFor(properties[key])])));
  });
  return fc.oneof(
    { weight: 12, arbitrary: fields },
    { weight: 1, arbitrary: fc.tuple(fields, text, anything).map(([given, key, value]) => ({ ...given, [key]: value })) },
    { weight: 1, arbitrary: fc.record(Object.fromEntries(required.map((key: string) => [key, anything]))) },
  );
}

const printable = fc
  .string({ unit: fc.constantFrom('a', 'Z', '0', '9', ' ', ...'._:@/-\'"<>%{}[]=;,'.split('')), maxLength: 40 })
  .map((value) => value.trim());
const headers = fc.record(
  {
    'idempotency-key': fc.oneof(fc.constantFrom('one', 'two', 'k'.repeat(300)), printable),
    'x-agent-id': fc.oneof(fc.constantFrom('worker-1', '-bad', 'a'.repeat(200)), printable),
    'x-session-id': fc.oneof(fc.constantFrom('sess_none'), printable),
    'x-mcp-profile': printable,
    'x-api-key': fc.constantFrom('', 'wrong'),
    authorization: fc.oneof(fc.constantFrom('Bearer wrong', 'Basic eDp5'), printable),
    accept: fc.constantFrom('text/html', 'application/json', '*/*;q=0'),
    'accept-encoding': fc.constantFrom('gzip', 'identity;q=0'),
    'last-event-id': printable,
  },
  { requiredKeys: [] },
);
/** Most carry the usual headers only. */
const someHeaders = fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers });

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
}

function requestOf(operation: Operation, schema: Json): Arbitrary<Sent> {
  const root = operation.path.startsWith('/api') ? fc.constant('') : fc.constantFrom(base, unversioned);
  const place = root.map((from) => from + operation.path);
  if (operation.method === 'GET') {
    const query = objectOf(schema).map((given) =>
      Object.entries(given)
        .flatMap(([key, value]) =>
          [value].flat().map((each) => `${encode(key)}=${encode(typeof each === 'string' ? each : JSON.stringify(each))}`),
        )
        .join('&'),
    );
    const raw = fc.constantFrom('', '&&&', '=', '?', '%zz=%', 'limit', 'limit=', 'a[b]=1', 'limit=1;limit=2', '&limit=%F0%28%8C%28', 'q=+');
    const method = fc.oneof({ weight: 9, arbitrary: fc.constant('GET') }, { weight: 1, arbitrary: fc.constant('HEAD') });
    return fc
      .tuple(place, fc.oneof({ weight: 8, arbitrary: query }, { weight: 1, arbitrary: raw }), someHeaders, method)
      .map(([path, search, given, verb]) => ({ method: verb, path: `${path}?${search}`, headers: given }));
  }
  const odd = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '1',
      '"x"',
      '{"a":1}{"b":2}',
      '{"__proto__": {"x": 1}}',
      '\u0000',
      '['.repeat(20_000),
      '{"a":'.repeat(5_000),
    ),
    anything.map((value) => JSON.stringify(value)),
  );
  const type = fc.constantFrom<Record<string, string>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    {
      'content-type': 'multipart/form-data',
    },
  );
  const plain = fc.constant<Record<string, string>>({});
  return fc
    .tuple(
      place,
      fc.oneof({ weight: 6, arbitrary: objectOf(schema) }, { weight: 1, arbitrary: odd }),
      someHeaders,
      fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: type }),
    )
    .map(([path, body, given, kind]) => ({ method: 'POST', path, headers: { ...given, ...kind }, body }));
}

/** encodeURIComponent refuses lone surrogates. */
const encode = (value: string | undefined): string => encodeURIComponent((value ?? '').toWellFormed());

describe(`the gateway under random requests (seed ${seed})`, () => {
  let stack: TestStack;
  let door: Door;
  let document: Json;
  let key: string;
  let fits: (operation: Operation, status: number, body: unknown) => string | null;
  let answered: Record<string, number>;

  beforeAll(async () => {
    door = await openDoor();
    stack = await testStack({ model: false });
    await door.serve(stack);
    key = (await stack.caller({ role: 'admin', name: 'fuzz' })).apiKey;
    await writeSignals(stack.db, 'acme', [
      {
        statement: 'The export fails for us.',
        class: 'bug',
        at: ago(1),
        about: { customer: ['Acme'], issue: ['Export fails'], feature: ['Export'] },
      },
      { statement: 'We would love an export to PDF.', class: 'request', at: ago(2), about: { customer: ['Acme'], feature: ['Export'] } },
    ]);
    await stack.ok(await stack.caller(), 'authoring.report.generate', { report_type: 'weekly_digest' });
    document = (await rest(door.url, 'GET', `${base}/openapi.json`)).body;
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'api');
    fits = (operation, status, body) => {
      const method = operation.method.toLowerCase();
      const given = document.paths[pathOf(operation)][method].responses[status];
      if (given === undefined) return `${status} is not documented`;
      const pointer = given.$ref ? given.$ref.slice(2) : `paths/${pathOf(operation).replaceAll('/', '~1')}/${method}/responses/${status}`;
      const check = ajv.getSchema(`api#/${pointer}/content/application~1json/schema`)!;
      return check(body) ? null : ajv.errorsText(check.errors);
    };
  });
  afterAll(async () => {
    await door?.close();
    await stack?.stop();
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s answers only what is documented',
    async (_id, operation) => {
      answered = {};
      const schema = stack.pipeline.catalogue.jsonSchema(operation.input);
      await fc.assert(
        fc.asyncProperty(requestOf(operation, schema), async ({ method, path, headers: given, body }) => {
          const answer = await send({ method, path, headers: given, body });
          answered[answer.status] = (answered[answer.status] ?? 0) + 1;
          const told = method === 'HEAD' ? null : fits(operation, answer.status, answer.body);
          if (answer.status >= 500 || told !== null)
            throw new Error(`${answer.status} ${told ?? ''}: ${JSON.stringify(answer.body).slice(0, 1_000)}`);
        }),
        { numRuns: runsEach, seed, examples: [[exampleOf(operation)]], interruptAfterTimeLimit: 150_000, markInterruptAsFailure: true },
      );
      // Otherwise it would only show that everything is refused; what is deprecated may have ended.
      const fine = Object.keys(answered).some((status) => status.startsWith('2'));
      expect(fine || operation.deprecated !== undefined, JSON.stringify(answered)).toBe(true);
    },
    180_000,
  );

  /** Without a body, a HEAD has nothing to be read. */
  const send = async ({ method, path, headers: given, body }: Sent): Promise<{ status: number; body: unknown }> => {
    if (method !== 'HEAD') return await rest(door.url, method, path, { key, body, headers: given });
    const { status } = await fetch(door.url + path, { method, headers: { 'x-api-key': key, ...given } });
    return { status, body: null };
  };

  const exampleOf = (operation: Operation): Sent => {
    const example = JSON.parse(JSON.stringify(operation.example).replaceAll('ent_5m2k8q', issue)) as Json;
    const path = pathOf(operation);
    if (operation.method === 'POST') return { method: 'POST', path, headers: {}, body: example };
    const query = Object.entries(example).map(([name, value]) => `${name}=${encode(String(value))}`);
    return { method: 'GET', path: `${path}?${query.join('&')}`, headers: {} };
  };
});
