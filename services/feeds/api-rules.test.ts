/** The pure parts of API feeds: parameters, requests, settings. */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../contracts/errors.ts';
import { apiFeedSettings, apiParam, type ApiFeedSettings } from '../../contracts/feeds/feed-settings.ts';
import { resolveParams } from './api-params.ts';
import { requestOf } from './api-request.ts';
import { checkApiSettings } from './api-settings.ts';
import { compilePath, valuesAt } from './json-paths.ts';

const now = Date.parse('2025-11-14T12:00:00.500Z');
const fields = { title: '$.title', url: '$.url' };
const settingsOf = (given: Record<string, unknown>): ApiFeedSettings => apiFeedSettings.parse({ fields, ...given });

const refusalOf = (work: () => unknown): AppError => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('parameters', () => {
  const declared = {
    keywords: apiParam.parse({ type: 'list', join: ' OR ', quote: true, required: true }),
    language: apiParam.parse({ type: 'text', default: 'en', allowed: ['en', 'de'] }),
    size: apiParam.parse({ type: 'number' }),
    date_range: apiParam.parse({ type: 'date_range', default: 'last_24h' }),
  };
  const textOf = (given: Record<string, unknown>) =>
    Object.fromEntries([...resolveParams(declared, given, now)].map(([name, value]) => [name, value.text]));

  it('are joined, defaulted and dated as the source says', () => {
    expect(textOf({ keywords: ['AI', 'Open "AI"'], size: '20' })).toEqual({
      keywords: '"AI" OR "Open AI"',
      language: 'en',
      size: '20',
      'date_range.from': '2025-11-13T12:00:00Z',
      'date_range.to': '2025-11-14T12:00:00Z',
      'date_range.from_date': '2025-11-13',
      'date_range.to_date': '2025-11-14',
      'date_range.from_unix': '1763035200',
      'date_range.to_unix': '1763121600',
    });
  });

  it.each([
    ['last_7d', '2025-11-07T12:00:00Z', '2025-11-14T12:00:00Z'],
    ['last_2w', '2025-10-31T12:00:00Z', '2025-11-14T12:00:00Z'],
    ['today', '2025-11-14T00:00:00Z', '2025-11-14T12:00:00Z'],
    ['yesterday', '2025-11-13T00:00:00Z', '2025-11-14T00:00:00Z'],
    ['2025-11-01/2025-11-02T10:30:00+02:00', '2025-11-01T00:00:00Z', '2025-11-02T08:30:00Z'],
    [{ from: '2025-11-01T06:00' }, '2025-11-01T06:00:00Z', '2025-11-14T12:00:00Z'],
  ])('read the range %j', (date_range, from, to) => {
    expect(textOf({ keywords: 'AI', date_range })).toMatchObject({ 'date_range.from': from, 'date_range.to': to });
  });

  it.each([
    [{}, 'keywords'],
    [{ keywords: ['AI'], topic: 'x' }, 'topic'],
    [{ keywords: ['AI'], language: 'fr' }, 'language'],
    [{ keywords: ['AI'], size: 'many' }, 'size'],
    [{ keywords: [{ a: 1 }] }, 'keywords'],
    [{ keywords: ['AI\r\nHost: evil'] }, 'keywords'],
    [{ keywords: Array(51).fill('x') }, 'keywords'],
    [{ keywords: ['AI'], date_range: 'last_0h' }, 'date_range'],
    [{ keywords: ['AI'], date_range: 'last_99999d' }, 'date_range'],
    [{ keywords: ['AI'], date_range: '2025-11-03/2025-11-02' }, 'date_range'],
    [{ keywords: ['AI'], date_range: 'tomorrow' }, 'date_range'],
  ])('refuse %j, naming %s', (given, param) => {
    expect(refusalOf(() => resolveParams(declared, given, now))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'api_params', param },
    });
  });
});

describe('requests', () => {
  const credentials = { key: 's3cr3t' };

  it('fill query and headers, and leave out what was not given', () => {
    const settings = settingsOf({
      headers: { 'X-Api-Key': '${key}', 'X-Topic': '{topic}' },
      query: { q: '{keywords}', from: '{range.from}', fixed: 'a b', lang: '{language}' },
      params: { keywords: { type: 'list' }, range: { type: 'date_range' }, language: { type: 'text' }, topic: { type: 'text' } },
    });
    const values = resolveParams(settings.params, { keywords: ['a&b', 'c'], range: 'today' }, now);
    const { url, headers, method, body } = requestOf('https://news.example/v2/everything', settings, values, credentials);
    expect(url.href).toBe('https://news.example/v2/everything?q=a%26b%2Cc&from=2025-11-14T00%3A00%3A00Z&fixed=a+b');
    expect(headers).toEqual({ accept: 'application/json', 'x-api-key': 's3cr3t' });
    expect([method, body]).toEqual(['GET', undefined]);
  });

  it('fill a JSON body with values of their own kind', () => {
    const settings = settingsOf({
      method: 'POST',
      body: {
        token: '${key}',
        filter: { any: '{keywords}', since: '{range.from_unix}', text: 'since {range.from_date}' },
        page: '{page}',
        n: 5,
      },
      params: { keywords: { type: 'list' }, range: { type: 'date_range' }, page: { type: 'number' } },
    });
    const values = resolveParams(settings.params, { keywords: ['a', 'b'], range: 'today' }, now);
    const { body, headers } = requestOf('https://news.example/search', settings, values, credentials);
    expect(JSON.parse(body!)).toEqual({
      token: 's3cr3t',
      filter: { any: ['a', 'b'], since: 1763078400, text: 'since 2025-11-14' },
      n: 5,
    });
    expect(headers['content-type']).toBe('application/json');
  });

  it('fill a path, and nobody climbs out of it', () => {
    const settings = settingsOf({ params: { topic: { type: 'text' } } });
    const at = (topic?: string) =>
      requestOf('https://news.example/v1/%7Btopic%7D/items', settings, resolveParams(settings.params, topic ? { topic } : {}, now), {}).url
        .href;
    expect(at('a/../b?c')).toBe('https://news.example/v1/a%2F..%2Fb%3Fc/items');
    for (const topic of ['..', '.', undefined]) expect(refusalOf(() => at(topic)).details).toMatchObject({ param: 'topic' });
  });

  it('refuse a credential that is not there, by its name', () => {
    const settings = settingsOf({ headers: { authorization: 'Bearer ${token}' } });
    const error = refusalOf(() => requestOf('https://news.example/', settings, new Map(), credentials));
    expect(error.details).toEqual({ reason: 'credential_missing', credential: 'token' });
  });
});

describe('settings', () => {
  const check = (given: Record<string, unknown>, url = 'https://news.example/v2/everything') => checkApiSettings(url, { fields, ...given });

  it('are taken with their defaults', () => {
    expect(check({})).toMatchObject({ method: 'GET', items: '$.articles[*]', max_articles: 100, timeout_seconds: 30 });
  });

  it.each([
    [{ fields: { title: '$.title' } }, /url/],
    [{ items: 'articles' }, /articles/],
    [{ items: '$..a..b' }, /descends/],
    [{ items: '$.a[?match(@.b, "(a+)+$")]' }, /match/],
    [{ query: { q: '{keywords}' } }, /keywords/],
    [{ query: { q: '{range}' }, params: { range: { type: 'date_range' } } }, /range/],
    [{ query: { q: '{range.start}' }, params: { range: { type: 'date_range' } } }, /range/],
    [{ query: { q: '{word.from}' }, params: { word: { type: 'text' } } }, /word/],
    [{ body: {} }, /GET/],
    [{ unknown: 1 }, /unknown/i],
    [{ headers: { 'bad name': 'x' } }, /headers/],
    [{ paging: { kind: 'page', param: 'p', max_pages: 500 } }, /max_pages/],
  ])('refuse %j', (given, message) => {
    const error = refusalOf(() => check(given));
    expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', expect.stringMatching(message)]);
  });

  it('refuse a host or an address query that depends on a parameter', () => {
    const params = { a: { type: 'text' } };
    expect(refusalOf(() => check({ params }, 'https://{a}.example/')).message).toMatch(/host/);
    expect(refusalOf(() => check({ params }, 'https://news.example/?q={a}')).message).toMatch(/\?/);
  });
});

describe('JSONPath', () => {
  it('finds values, and no more than asked for', () => {
    const value = { a: [{ b: 1 }, { b: 2, c: '..' }, { b: 3 }], 'x..y..z': 7 };
    expect(valuesAt('$.a[?@.b > 1].b', value, 10)).toEqual([2, 3]);
    expect(valuesAt('$..b', value, 2)).toEqual([1, 2]);
    expect(valuesAt("$['x..y..z']", value, 1)).toEqual([7]);
  });

  it('gives up on an answer without a bottom', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5_000; i += 1) deep = [deep];
    expect(refusalOf(() => valuesAt('$..x', deep, 1)).code).toBe('VALIDATION_ERROR');
    expect(() => compilePath('$..x')).not.toThrow();
  });
});
