import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { servePages } from '../../adapters/web/testing.ts';
import { startTelemetry } from '../../platform/telemetry.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes?: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status?: { code?: number };
}

const spans: Span[] = [];
let collector: Server;
let stack: TestStack;
let stopTelemetry: () => Promise<void>;

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      spans.push(...body.resourceSpans.flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((ready) => collector.listen(0, '127.0.0.1', ready));
  const { port } = collector.address() as AddressInfo;
  // Before anything connects: Temporal's client and workers take their interceptors when they are made.
  ({ stop: stopTelemetry } = await startTelemetry('test', { enabled: true, endpoint: `http://127.0.0.1:${port}` }));
  stack = await testStack({ model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
}, 60_000);
afterAll(async () => {
  await stack?.stop();
  await stopTelemetry?.().catch(() => {});
  collector?.close();
});

it('one trace runs from the tool call through the workflow into its activities, and the ledger names it', async () => {
  const caller = await stack.caller({ name: 'traced' });
  const { task } = await stack.ok<{ task: { id: string } }>(caller, 'work.task.create', { description: 'Trace me', phase_id: 1 });
  const claimed = await stack.call(caller, 'work.task.claim', { task_id: task.id });
  const completed = await stack.call(caller, 'work.task.complete', { task_id: task.id, fencing_token: 1 });
  expect(claimed.error ?? completed.error).toBeUndefined();

  const call = await eventually('the span of the call', async () => spans.find((span) => span.name === 'work.task.complete'));
  const rootsOf = (trace: Span[]): Span[] => {
    const ids = new Set(trace.map((span) => span.spanId));
    return trace.filter((span) => !span.parentSpanId || !ids.has(span.parentSpanId));
  };
  // A span may be told before the one that it is in.
  const trace = await eventually('the spans of its activities, each in its own', async () => {
    const own = spans.filter((span) => span.traceId === call.traceId);
    return own.some((span) => span.name.startsWith('RunActivity:finishTask')) && rootsOf(own).length === 1 && own;
  });
  const names = trace.map((span) => span.name);
  expect(names).toEqual(expect.arrayContaining(['work.task.complete', expect.stringMatching(/Update/)]));
  expect(rootsOf(trace).map((span) => span.name)).toEqual(['work.task.complete']);

  const { events } = await stack.ok<{ events: { trace_id: string }[] }>(caller, 'system.ledger.search', { tool: 'work.task.complete' });
  expect(events.length).toBeGreaterThan(0);
  expect(new Set(events.map((event) => event.trace_id))).toEqual(new Set([call.traceId]));
});

it('the span of a call says what the call was about, also when it fails', async () => {
  const caller = await stack.caller({ name: 'harvester' });
  await using site = await servePages({
    '/v2?key=hunter2': JSON.stringify({ articles: [{ title: 'One', url: 'https://example.com/1' }] }),
  });
  const fields = { title: '$.title', url: '$.url' };
  const settings = { fields, query: { key: '${key}' } };
  const source = { feed_id: 'newsapi_tech', kind: 'api' as const, url: `${site.origin}/v2`, settings, credentials: { key: 'hunter2' } };
  await asTenant(caller.tenant, () => stack.services.feeds.sources.save(caller.tenant, source, 'test'));
  await stack.ok(caller, 'fetch_api_feed', { feed_id: 'newsapi_tech' });
  await stack.call(caller, 'fetch_api_feed', { feed_id: 'nobody' });
  const both = await eventually('the spans of both calls', async () => {
    const found = spans.filter((span) => span.name === 'fetch_api_feed');
    return found.length === 2 && found;
  });
  const told = both.map(({ attributes = [] }) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)])),
  );
  expect(told[0]).toMatchObject({
    'mcp.tool.name': 'fetch_api_feed',
    'mcp.tool.canonical_name': 'feed.api.fetch',
    'feed.id': 'newsapi_tech',
    'feed.url': `${site.origin}/v2`,
    'articles.count': 1,
  });
  expect(told[1]).toMatchObject({ 'mcp.tool.name': 'fetch_api_feed', 'feed.id': 'nobody' });
  expect(both[1]!.status?.code).toBe(2);
  expect(JSON.stringify(both)).not.toContain('hunter2');
});

it('the name of an unknown tool is in no span', async () => {
  const caller = await stack.caller({ name: 'guesser' });
  for (const name of ['my password is hunter2', 'external.hunter2.find']) await stack.call(caller, name);
  const both = await eventually('their spans', async () => {
    const found = spans.filter(({ name }) => name === 'unknown' || name === 'external');
    return found.length === 2 && found;
  });
  expect(JSON.stringify(both)).not.toContain('hunter2');
});
