import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AppError } from '../../contracts/errors.ts';
import { conform } from '../../tools/catalogue/validate.ts';
import { tools } from '../../tools/index.ts';
import { testConfig, testServer, type TestServer } from '../testing.ts';
import { guidePath, noticeDays, stageAt } from './lifecycle.ts';
import { base, pathOf, pathsOf } from './operation.ts';
import { operations } from './operations.ts';
import { fromQuery } from './query.ts';

describe('the table of operations', () => {
  it('has each path and id once, and tools that exist', () => {
    const paths = operations.flatMap((operation) => pathsOf(operation).map((path) => `${operation.method} ${path}`));
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    for (const { tool } of operations)
      expect(
        tools.some(({ name }) => name === tool.name),
        tool.name,
      ).toBe(true);
  });

  it('gives examples that it takes, in arguments that the tool takes', () => {
    for (const { id, input, example, tool, toArguments } of operations) {
      expect(() => conform(input, example, { name: id }), id).not.toThrow();
      expect(() => conform(tool.input, toArguments?.(example) ?? example, { name: id }), id).not.toThrow();
    }
  });

  it('reads only where it is a GET, and ends nothing within 90 days of saying so', async () => {
    for (const { id, method, tool, deprecated } of operations) {
      expect(tool.effect === 'read', id).toBe(method === 'GET');
      if (!deprecated) continue;
      const days = (Date.parse(deprecated.sunset) - Date.parse(deprecated.since)) / 86_400_000;
      expect(days, id).toBeGreaterThanOrEqual(noticeDays);
      const guide = await readFile(new URL(`../../docs/migrations/${deprecated.guide}.md`, import.meta.url), 'utf8');
      expect(guide, id).toContain(deprecated.successor);
    }
  });
});

it('an operation is active, deprecated from its day on, and gone from the day of its sunset on', () => {
  const deprecation = { since: '2027-01-01', sunset: '2027-04-01' };
  const stages = ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z', '2027-03-31T23:59:59.999Z', '2027-04-01T00:00:00Z'];
  expect(stages.map((now) => stageAt(deprecation, new Date(now)))).toEqual(['active', 'deprecated', 'deprecated', 'sunset']);
});

describe('query parameters', () => {
  const properties = {
    limit: { type: 'integer' },
    share: { type: 'number' },
    closed: { type: 'boolean' },
    kinds: { type: 'array', items: { type: 'string' } },
    name: { type: 'string' },
    when: { anyOf: [{ type: 'string' }] },
  };

  it('are read by the types of the schema, never by their looks', () => {
    const query = { limit: '5', share: '-1.5e1', closed: 'false', kinds: 'bug', name: '007', when: '2026', other: '1' };
    expect(fromQuery(properties, query)).toEqual({
      limit: 5,
      share: -15,
      closed: false,
      kinds: ['bug'],
      name: '007',
      when: '2026',
      other: '1',
    });
    expect(fromQuery(properties, { kinds: ['a', 'b'] })).toEqual({ kinds: ['a', 'b'] });
  });

  it('stay as they are where they cannot be read so', () => {
    const odd = { limit: '0x10', share: '', closed: 'TRUE', name: ['a', 'b'] };
    expect(fromQuery(properties, odd)).toEqual(odd);
    expect(fromQuery(properties, { limit: ' 5', constructor: '1' })).toEqual({ limit: ' 5', constructor: '1' });
  });

  it('are refused where the schema does not know them, with the nearest that it knows', () => {
    const refused = (args: Record<string, unknown>): AppError => {
      try {
        conform(z.object({ limit: z.number() }), args, { name: 'GET /x', hint: 'See there.' });
      } catch (error) {
        return error as AppError;
      }
      throw new Error('it was taken');
    };
    expect(refused({ limits: 1 })).toMatchObject({ code: 'VALIDATION_ERROR', hint: 'Did you mean "limit"?' });
    expect(refused({ constructor: 1 })).toMatchObject({ details: { unknown_fields: ['constructor'] } });
    expect(refused({ limit: 'x' })).toMatchObject({ hint: 'See there.', message: expect.stringContaining('GET /x') });
  });
});

describe('over HTTP', () => {
  let server: TestServer;
  let now = new Date('2026-10-01T00:00:00Z');
  beforeAll(async () => void (server = await testServer({ now: () => now })));
  afterAll(async () => await server?.app.close());
  const open = (method: string, path: string) => server.send(method, path, undefined, { 'x-api-key': '' });

  it('describes itself to everybody, in a document that is valid and whose examples are', async () => {
    const { body, status } = await open('GET', `${base}/openapi.json`);
    expect([status, body.openapi]).toEqual([200, '3.1.1']);
    expect((await open('GET', '/api/agents/openapi.json')).body).toEqual(body);
    const validation = await new Validator().validate(structuredClone(body));
    expect(validation).toMatchObject({ valid: true });

    expect(Object.keys(body.paths).sort()).toEqual([...operations.map(pathOf), `${base}/events`].sort());
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema(body, 'api');
    const fits = (pointer: string, value: unknown): void => {
      const check = ajv.getSchema(`api#/${pointer}`)!;
      expect(check(value), `${pointer}: ${JSON.stringify(check.errors)}`).toBe(true);
    };
    for (const [name, response] of Object.entries<any>(body.components.responses)) {
      fits(`components/responses/${name}/content/application~1json/schema`, response.content['application/json'].example);
      expect(response.content['application/json'].example.error.code).toBeTruthy();
    }
    for (const operation of operations.filter(({ method }) => method === 'POST')) {
      fits(`paths/${pathOf(operation).replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`, operation.example);
    }
    expect(body.paths['/api/ledger'].get.deprecated).toBe(true);
  });

  it('has a page of it, without scripts, that leads to every operation', async () => {
    const { body, headers } = await open('GET', '/docs/api');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const { id } of operations) expect(body).toContain(`<section id="${id}">`);
    expect(body).toContain('<section id="streamEvents">');
    expect(body).not.toMatch(/<script|undefined|\[object/);
    for (const path of ['/', '/docs']) expect((await open('GET', path)).body).toContain('/docs/api"');
  });

  it('says which methods and paths there are', async () => {
    for (const path of ['/api/agents/v1/signals', '/api/agents/signals', '/api/agents/v1/signals/']) {
      const refused = await open('DELETE', path);
      expect([refused.status, refused.headers.get('allow'), refused.body.error.code]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        'VALIDATION_ERROR',
      ]);
    }
    expect((await server.send('PUT', '/api/agents/v1/ingest', '{not json')).headers.get('allow')).toBe('POST, OPTIONS');
    expect((await open('OPTIONS', '/api/agents/v1/events')).headers.get('allow')).toBe('GET, OPTIONS');
    const lost = await open('GET', '/api/agents/v1/signal');
    expect([lost.status, lost.body.error.alternatives]).toEqual([404, ['/api/agents/v1/signals']]);
    expect((await open('GET', '/api/agents/v1/signals')).status).toBe(401);
  });

  it('counts and records what it refuses, through the pipeline', async () => {
    const refused = await server.send('GET', '/api/agents/v1/er-stats?window_day=3');
    expect(refused.body.error.code).toBeTruthy();
    expect(server.parts.pipeline.calls.at(-1)).toMatchObject({
      name: 'entity.resolution.get_stats',
      front: 'rest',
      refused: { code: 'VALIDATION_ERROR', hint: 'Did you mean "window_days"?' },
    });
    await server.send('POST', '/api/agents/v1/entities/link?entity_id=x', { entity_id: 'x' });
    expect(server.parts.pipeline.calls.at(-1)!.refused).toMatchObject({ details: { unknown_fields: ['entity_id'] } });
    await server.send('POST', '/api/agents/v1/ingest', { kind: 'text', title: 'x' });
    expect(server.parts.pipeline.calls.at(-1)!.refused!.message).toContain('content: a text needs content');
  });

  it('asks the tool in its own words', async () => {
    await server.send('GET', '/api/agents/v1/signals?q=slow&class=bug&class=complaint&sentiment_to=0&limit=3', undefined, {
      'idempotency-key': 'k',
    });
    expect(server.parts.pipeline.calls.at(-1)).toMatchObject({
      name: 'signal.record.search',
      arguments: { query: 'slow', class: ['bug', 'complaint'], sentiment_to: 0, limit: 3 },
      idempotencyKey: 'k',
    });
    await server.send('POST', '/api/agents/ingest', { kind: 'file', file: '/x.pdf', tags: ['a'] });
    expect(server.parts.pipeline.calls.at(-1)!.arguments).toEqual({ source: { kind: 'file', file_path: '/x.pdf' }, tags: ['a'] });
    await server.send('GET', '/api/ledger?limit=3&tool=a.b.c&cursor=17');
    expect(server.parts.pipeline.calls.at(-1)).toMatchObject({
      name: 'system.ledger.search',
      arguments: { limit: 3, tool: 'a.b.c', cursor: '17' },
    });
  });

  it('says of an operation that it ends, and refuses it when it has ended, by the clock', async () => {
    const { deprecated } = operations.find(({ id }) => id === 'searchLedger')!;
    const calls = server.parts.pipeline.calls;
    now = new Date('2026-11-21T23:59:59Z');
    expect((await server.send('GET', '/api/ledger')).headers.get('deprecation')).toBeNull();

    now = new Date('2026-11-22T00:00:00Z');
    const before = calls.length;
    const told = await server.send('GET', '/api/ledger');
    expect([told.headers.get('deprecation'), told.headers.get('sunset')]).toEqual([
      'Sun, 22 Nov 2026 00:00:00 GMT',
      'Tue, 01 Jun 2027 00:00:00 GMT',
    ]);
    expect(told.headers.get('link')).toBe(
      '</api/tools/system.ledger.search>; rel="successor-version", </docs/migrations/ledger-route>; rel="deprecation"; type="text/html"',
    );
    expect(calls.length).toBe(before + 1);

    now = new Date('2027-06-01T00:00:00Z');
    const gone = await server.send('GET', '/api/ledger');
    expect([gone.status, gone.body.status, gone.body.error]).toEqual([
      410,
      'error',
      expect.objectContaining({
        code: 'GONE',
        details: { successor: deprecated!.successor, sunset: '2027-06-01', migration_guide: `${server.url}/docs/migrations/ledger-route` },
      }),
    ]);
    expect(gone.headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT');
    expect(calls.length).toBe(before + 1);
    expect((await open('GET', '/api/ledger')).status).toBe(401);
    expect((await open('GET', '/metrics')).body).not.toContain('searchLedger');
    const metrics = (await server.send('GET', '/metrics')).body as string;
    expect(metrics).toContain('signalbox_deprecated_requests_total{operation="searchLedger",stage="deprecated"} 1');
    expect(metrics).toContain('signalbox_deprecated_requests_total{operation="searchLedger",stage="sunset"} 1');

    const guide = await open('GET', guidePath(deprecated!));
    expect([guide.status, guide.body]).toEqual([200, expect.stringContaining('/api/tools/system.ledger.search')]);
    expect((await open('GET', '/docs/migrations/..%2Ftools')).status).toBe(404);

    await using other = await testServer({ now: () => now, config: testConfig({ DEPRECATION_HEADER_FORMAT: 'rfc9745' }) });
    expect((await other.send('GET', '/api/ledger')).headers.get('deprecation')).toBe('@1795305600');
  });
});
