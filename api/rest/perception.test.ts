import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError, type ErrorCode, type ErrorDetails } from '../../contracts/errors.ts';
import { defineTool, type AnyTool } from '../../tools/catalogue/define.ts';
import { testPipeline, testServer, type TestServer } from '../testing.ts';

/** perception's names, each with its identifying field; the call fails with `fails`. */
const fields: Record<string, string> = {
  fetch_rss_feed: 'feed_id',
  fetch_api_feed: 'feed_id',
  fetch_webpage: 'url',
  store_articles: 'run_id',
  generate_brief: 'run_id',
  log_ingestion_run: 'run_id',
  send_notification: 'channel',
};
let fails: AppError | Error;

const tools: AnyTool[] = Object.entries(fields).map(([name, field], index) =>
  defineTool({
    name: `test.failing.t${index}` as const,
    title: name,
    description: 'Fails as it is told.',
    effect: 'write',
    idempotent: true,
    external: false,
    approval: 'A0',
    scopes: [],
    latency: 'L1',
    intents: [],
    input: z.object({ [field]: z.string() }),
    output: z.object({}),
    aliases: [{ name, system: 'perception', input: z.object({ [field]: z.string() }), toInput: (args) => args as Record<string, string> }],
    async handler() {
      throw fails;
    },
  }),
);

let server: TestServer;
beforeAll(async () => void (server = await testServer({ pipeline: testPipeline(tools) })));
afterAll(async () => await server.app.close());

const post = (name: string, body: unknown, headers?: Record<string, string>) => server.send('POST', `/mcp/tools/${name}`, body, headers);
const upstream = (status: number, reason = 'http_status') => ({ details: { reason, http_status: status } });

type Case = [name: string, code: ErrorCode, extra: ErrorDetails, status: number, told: string, details?: Record<string, unknown>];
const cases: Case[] = [
  // perception 1: fetch_rss_feed: 400, 404, 500, 504.
  ['fetch_rss_feed', 'VALIDATION_ERROR', {}, 400, 'INVALID_REQUEST'],
  ['fetch_rss_feed', 'NOT_FOUND', { alternatives: ['techcrunch'] }, 404, 'FEED_NOT_FOUND', { alternatives: ['techcrunch'] }],
  ['fetch_rss_feed', 'NOT_FOUND', upstream(404), 500, 'FEED_FETCH_FAILED', { http_status: 404 }],
  ['fetch_rss_feed', 'SERVICE_UNAVAILABLE', upstream(502), 500, 'FEED_FETCH_FAILED', { http_status: 502 }],
  ['fetch_rss_feed', 'SERVICE_UNAVAILABLE', { details: { reason: 'not_a_feed', http_status: 200 } }, 500, 'FEED_FETCH_FAILED'],
  [
    'fetch_rss_feed',
    'TIMEOUT',
    { details: { reason: 'timeout', http_status: 504, timeout_seconds: 30 } },
    504,
    'FEED_FETCH_FAILED',
    { http_status: 504, timeout_seconds: 30 },
  ],
  [
    'fetch_rss_feed',
    'RATE_LIMIT_EXCEEDED',
    { ...upstream(429), retryAfterSeconds: 9 },
    500,
    'FEED_FETCH_FAILED',
    { retry_after_seconds: 9 },
  ],
  ['fetch_rss_feed', 'CONFLICT', { details: { reason: 'disabled' } }, 500, 'FEED_FETCH_FAILED'],
  // perception 2: fetch_api_feed: 400, 401, 429, 500.
  ['fetch_api_feed', 'VALIDATION_ERROR', { details: { reason: 'api_params', param: 'x' } }, 400, 'INVALID_REQUEST', { param: 'x' }],
  ['fetch_api_feed', 'VALIDATION_ERROR', { details: { reason: 'credential_missing' } }, 500, 'API_FETCH_FAILED'],
  ['fetch_api_feed', 'NOT_FOUND', {}, 404, 'FEED_NOT_FOUND'],
  ['fetch_api_feed', 'NOT_FOUND', upstream(404), 500, 'API_FETCH_FAILED', { http_status: 404 }],
  ['fetch_api_feed', 'FORBIDDEN', upstream(401), 401, 'API_FETCH_FAILED', { http_status: 401 }],
  ['fetch_api_feed', 'FORBIDDEN', upstream(403), 401, 'API_FETCH_FAILED', { http_status: 403 }],
  [
    'fetch_api_feed',
    'RATE_LIMIT_EXCEEDED',
    { ...upstream(429, 'retry_after'), retryAfterSeconds: 60 },
    429,
    'API_FETCH_FAILED',
    { http_status: 429, retry_after_seconds: 60 },
  ],
  ['fetch_api_feed', 'TIMEOUT', upstream(504), 500, 'API_FETCH_FAILED', { http_status: 504 }],
  // perception 3: fetch_webpage: 400, 404, 500.
  ['fetch_webpage', 'VALIDATION_ERROR', { details: { reason: 'scheme' } }, 400, 'INVALID_REQUEST'],
  ['fetch_webpage', 'NOT_FOUND', upstream(404), 404, 'WEBPAGE_FETCH_FAILED', { http_status: 404 }],
  ['fetch_webpage', 'FORBIDDEN', upstream(403), 500, 'WEBPAGE_FETCH_FAILED', { http_status: 403 }],
  ['fetch_webpage', 'SERVICE_UNAVAILABLE', { details: { reason: 'media_type', http_status: 200 } }, 500, 'WEBPAGE_FETCH_FAILED'],
  // perception 4: store_articles: 400, 500.
  [
    'store_articles',
    'VALIDATION_ERROR',
    { details: { reason: 'none_stored', failed_count: 2, failed_urls: ['a', 'b'] } },
    500,
    'STORAGE_FAILED',
    { failed_count: 2, failed_urls: ['a', 'b'], firestore_error: 'INVALID_ARGUMENT' },
  ],
  ['store_articles', 'TIMEOUT', {}, 500, 'STORAGE_FAILED', { firestore_error: 'DEADLINE_EXCEEDED' }],
  ['store_articles', 'SERVICE_UNAVAILABLE', {}, 500, 'STORAGE_FAILED', { firestore_error: 'UNAVAILABLE' }],
  ['store_articles', 'VALIDATION_ERROR', {}, 400, 'INVALID_REQUEST'],
  // perception 5: generate_brief: 400, 429, 500.
  ['generate_brief', 'VALIDATION_ERROR', {}, 400, 'INVALID_REQUEST'],
  [
    'generate_brief',
    'RATE_LIMIT_EXCEEDED',
    { details: { reason: 'rate_limited' }, retryAfterSeconds: 30 },
    429,
    'BRIEF_GENERATION_FAILED',
    { gemini_error: 'RESOURCE_EXHAUSTED', retry_after_seconds: 30 },
  ],
  ['generate_brief', 'SERVICE_UNAVAILABLE', {}, 500, 'BRIEF_GENERATION_FAILED', { gemini_error: 'UNAVAILABLE' }],
  // perception 6: log_ingestion_run: 400, 500.
  ['log_ingestion_run', 'SERVICE_UNAVAILABLE', {}, 500, 'LOGGING_FAILED', { firestore_error: 'UNAVAILABLE' }],
  // perception 7: send_notification: 400, 429, 500.
  ['send_notification', 'VALIDATION_ERROR', { details: { reason: 'recipient' } }, 400, 'INVALID_REQUEST'],
  [
    'send_notification',
    'VALIDATION_ERROR',
    { details: { reason: 'channel_not_found', slack_error: 'channel_not_found' } },
    500,
    'NOTIFICATION_FAILED',
    { slack_error: 'channel_not_found' },
  ],
  ['send_notification', 'RATE_LIMIT_EXCEEDED', { details: { reason: 'rate_limited' }, retryAfterSeconds: 5 }, 429, 'NOTIFICATION_FAILED'],
  // For all tools: refusals by the platform itself.
  ['send_notification', 'RATE_LIMIT_EXCEEDED', { details: { limit: 60, burst: 10 } }, 429, 'RATE_LIMIT_EXCEEDED', { limit: 60 }],
  ['store_articles', 'FORBIDDEN', {}, 403, 'FORBIDDEN'],
];

describe('failures as perception tells them', () => {
  it.each(cases)('%s: %s %j → %i %s', async (name, code, extra, status, told, details = {}) => {
    fails = new AppError(code, `It failed: ${code}.`, { hint: 'Do otherwise.', ...extra });
    const answer = await post(name, { [fields[name]!]: 'x1' });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      error: {
        code: told,
        message: `It failed: ${code}.`,
        [fields[name]!]: 'x1',
        details: expect.objectContaining({
          ...details,
          suggestion: 'Do otherwise.',
          tool_call_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        }),
      },
    });
    if (extra.retryAfterSeconds) expect(answer.headers.get('retry-after')).toBe(String(extra.retryAfterSeconds));
  });

  it.each(Object.keys(fields))('%s: a defect is its failure, without its innards', async (name) => {
    fails = new Error('secret: postgres://user:hunter2@db');
    const answer = await post(name, { [fields[name]!]: 'x1' });
    expect(answer.status).toBe(500);
    expect(answer.body.error.code).toMatch(/_FAILED$/);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });
});

describe('refusals before any tool', () => {
  it('takes a key behind Bearer, and says UNAUTHORIZED without a good one', async () => {
    fails = new AppError('NOT_FOUND', 'No such feed.');
    const body = { feed_id: 'f1' };
    expect((await post('fetch_rss_feed', body, { 'x-api-key': '', authorization: 'Bearer alice' })).status).toBe(404);
    for (const headers of [{ 'x-api-key': '' }, { 'x-api-key': '', authorization: 'Bearer nobody' }]) {
      const answer = await post('fetch_rss_feed', body, headers);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.body.error.details.suggestion).toBeTruthy();
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('says INVALID_REQUEST of a body that is no arguments', async () => {
    for (const body of ['{', [], { feed_id: 3 }, {}]) {
      const answer = await post('fetch_rss_feed', body);
      expect([answer.status, answer.body.error.code], JSON.stringify(body)).toEqual([400, 'INVALID_REQUEST']);
      expect(Object.keys(answer.body)).toEqual(['error']);
    }
  });
});
