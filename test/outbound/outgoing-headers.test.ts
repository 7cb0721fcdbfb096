/** Tenants' values in headers of our requests: never a header that controls framing or routing, or splits the request. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { serve, type TestSite } from '../../adapters/web/testing.ts';
import type { Caller } from '../../contracts/caller.ts';
import { testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let site: TestSite;
let ann: Caller;

beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  site = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/rss+xml' })
      .end('<rss version="2.0"><channel><title>News</title></channel></rss>'),
  );
  ann = await stack.caller({ name: 'ann', kind: 'human' });
}, 120_000);
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await stack?.stop();
});

const split = 'secret-1\r\nX-Smuggled: yes';

describe('is refused when it is saved', () => {
  const feed = (more: object) => ({ feed_id: 'bad', url: 'https://news.example/feed', ...more });
  const api = (headers: object) =>
    feed({ kind: 'api', settings: { headers, fields: { title: '$.t', url: '$.u' } }, credentials: { token: split } });
  const server = (headers: object) => ({ name: 'bad', url: 'https://mcp.example/mcp', credentials: { headers } });
  const peer = (credential: string) => ({ agent_type: 'test', endpoint_url: 'https://peer.example', credential });
  const received = (callback_token: string) => ({
    task_id: 'task-with-token',
    source_agent: 'someone',
    capability_name: 'x',
    parameters: {},
    callback_url: 'https://peer.example/back',
    callback_token,
  });

  it.each([
    ['feed.source.save', feed({ settings: { headers: { Host: 'internal.example' } } })],
    ['feed.source.save', feed({ settings: { headers: { 'content-length': '0' } } })],
    ['feed.source.save', feed({ settings: { headers: { 'X-Key': 'a\nb' } } })],
    ['feed.source.save', feed({ settings: { headers: { 'X-Key': '${token}' } }, credentials: { token: split } })],
    ['feed.source.save', feed({ settings: { headers: { 'X-Key': '${token}' } }, credentials: { token: 'ends so\r\n' } })],
    ['feed.source.save', api({ host: 'internal.example' })],
    ['feed.source.save', api({ Authorization: 'Bearer ${token}' })],
    ['external.server.add', server({ Host: 'internal.example' })],
    ['external.server.add', server({ 'X-Key': split })],
    ['external.server.add', server({ 'X-Key': 'ends so\r\n' })],
    ['external.server.add', server({ 'Transfer-Encoding': 'chunked' })],
    ['agent.peer.register', peer('Host: internal.example')],
    ['agent.peer.register', peer(`X-Key: ${split}`)],
    ['agent.peer.register', peer(split)],
    ['agent.task.receive', received(split)],
    [
      'agent.task.delegate',
      { target_agent: 'a', capability_name: 'x', parameters: {}, callback_url: 'https://a.example', callback_token: split },
    ],
    ['connector.mount.set', { provider: 'slack', token: split }],
  ])('%s %j', async (tool, args) => {
    const { error } = await stack.call(ann, tool, args);
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(`${error!.message} ${JSON.stringify(error!.details)}`).toMatch(/header/i);
    expect(JSON.stringify(error)).not.toMatch(/secret-1|Smuggled/);
  });

  it.each([
    { token: split },
    { token: 'ok', authentication: { scheme: 'Bearer', credentials: split } },
    { authentication: { scheme: 'Bearer\r\nX-Smuggled: yes', credentials: 'ok' } },
  ])('a callback of A2A with %j', async (more) => {
    const { push } = stack.services.a2a;
    await expect(push.check({ url: 'https://peer.example', ...more })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'header' },
    });
  });
});

it('is held to the same rules when it is sent: what was stored before them splits nothing', async () => {
  await stack.ok(ann, 'feed.source.save', {
    feed_id: 'old',
    url: site.origin,
    settings: { headers: { 'X-Key': '${token}' } },
    credentials: { token: 'fine' },
  });
  const stored = (settings: object, credentials: object) =>
    asTenant(ann.tenant, () =>
      stack.db.query('update feed_sources set settings = $1, credentials = $2, retry_at = null where feed_id = $3', [
        JSON.stringify(settings),
        stack.secrets.seal(JSON.stringify(credentials)),
        'old',
      ]),
    );
  await stored({ headers: { 'X-Key': '${token}' } }, { token: split });
  const refused = await stack.call(ann, 'feed.rss.fetch', { feed_id: 'old' });
  expect(refused.error?.code).toBe('SERVICE_UNAVAILABLE');
  expect(site.requests).toHaveLength(0);
  await stored({ headers: { host: 'internal.example', 'X-Key': '${token}' } }, { token: 'fine' });
  await stack.ok(ann, 'feed.rss.fetch', { feed_id: 'old' });
  expect(site.headers[0]).toMatchObject({ host: `127.0.0.1:${site.port}`, 'x-key': 'fine' });
});
