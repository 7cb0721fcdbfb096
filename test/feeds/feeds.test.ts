/** Feed sources and RSS feeds (perception), on sites over loopback. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { serve, type TestSite } from '../../adapters/web/testing.ts';
import type { Caller } from '../../contracts/caller.ts';
import { readSeedFile } from '../../services/feeds/seed-file.ts';
import { openDoor, rest, type Door } from '../setup/peers.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let door: Door;
let stack: TestStack;
let ann: Caller & { apiKey: string };
let other: Caller;

beforeAll(async () => {
  door = await openDoor();
  stack = await testStack({ workers: false, model: false, env: { ALLOW_PRIVATE_NETWORK: 'true', A2A_ENDPOINT_URL: door.url } });
  await door.serve(stack);
  ann = await stack.caller({ name: 'ann', kind: 'human' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
}, 120_000);
afterAll(async () => {
  await door?.close();
  await stack?.stop();
});

type Listener = Parameters<typeof serve>[0];
async function site(listener: Listener): Promise<TestSite> {
  const opened = await serve(listener);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}
const item = (n: number, more = ''): string =>
  `<item><title>Article ${n}</title><link>https://news.example/${n}</link><pubDate>${String(n).padStart(2, '0')} Nov 2026 10:00:00 GMT</pubDate>${more}</item>`;
const rss = (...items: string[]): string => `<rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`;
const gives =
  (body: string, headers: Record<string, string> = {}, status = 200): Listener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/rss+xml', ...headers }).end(body);

const save = (args: object, caller: Caller = ann) => stack.ok(caller, 'feed.source.save', args);
const fetchFeed = (feedId: string, more: object = {}) => stack.call(ann, 'feed.rss.fetch', { feed_id: feedId, ...more });
const sourceOf = async (feedId: string) => (await stack.ok(ann, 'feed.source.get', { feed_id: feedId })).source;
/** As perception's clients call it. */
const post = (body: object) => rest(door.url, 'POST', '/mcp/tools/fetch_rss_feed', { key: ann.apiKey, body });

describe('sources', () => {
  it('are made, changed, listed and removed; each tenant has its own', async () => {
    const made = await save({ feed_id: 'one', url: 'https://one.example/feed#x', title: 'One', categories: ['AI'] });
    expect(made).toMatchObject({ created: true, source: { kind: 'rss', url: 'https://one.example/feed', enabled: true, failures: 0 } });
    const changed = await save({ feed_id: 'one', enabled: false });
    expect(changed).toMatchObject({ created: false, source: { title: 'One', enabled: false, categories: ['AI'], created_by: 'ann' } });
    await save({ feed_id: 'two', url: 'https://two.example/feed' });
    await save({ feed_id: 'one', url: 'https://theirs.example/feed' }, other);

    const ids = async (args: object) =>
      (await stack.ok(ann, 'feed.source.list', args)).sources.map((each: { feed_id: string }) => each.feed_id);
    expect(await ids({})).toEqual(['one', 'two']);
    expect(await ids({ enabled: true })).toEqual(['two']);
    expect(await ids({ category: 'AI' })).toEqual(['one']);
    const first = await stack.call(ann, 'feed.source.list', { limit: 1 });
    expect(first.envelope.metadata).toMatchObject({ result_count: 1, total_count: 2 });
    expect(await ids({ limit: 1, cursor: first.envelope.metadata.next_cursor })).toEqual(['two']);

    expect((await fetchFeed('one')).error).toMatchObject({ code: 'CONFLICT', details: { reason: 'disabled' } });
    const unknown = await stack.call(ann, 'feed.source.remove', { feed_id: 'twoo' });
    expect(unknown.error).toMatchObject({ code: 'NOT_FOUND', alternatives: ['two'] });
    expect(await stack.ok(ann, 'feed.source.remove', { feed_id: 'one' })).toEqual({ removed: true });
    expect((await stack.ok(other, 'feed.source.list')).sources).toMatchObject([{ feed_id: 'one', url: 'https://theirs.example/feed' }]);
  });

  it('refuse addresses that are not fetched, and settings that are none', async () => {
    const refusal = async (args: object) => (await stack.call(ann, 'feed.source.save', { feed_id: 'bad', ...args })).error;
    expect(await refusal({})).toMatchObject({ details: { reason: 'url_missing' } });
    expect(await refusal({ url: 'file:///etc/passwd' })).toMatchObject({ details: { reason: 'scheme' } });
    expect(await refusal({ url: 'https://a:b@one.example/' })).toMatchObject({ details: { reason: 'credentials' } });
    expect(await refusal({ url: 'https://one.example/', settings: { method: 'POST' } })).toMatchObject({ details: { reason: 'settings' } });
    expect(await refusal({ url: 'https://one.example/', kind: 'api' })).toMatchObject({ details: { reason: 'settings' } });
    const missing = {
      url: 'https://one.example/',
      settings: { headers: { Authorization: 'Bearer ${token} ${other}' } },
      credentials: { token: 'x' },
    };
    expect(await refusal(missing)).toMatchObject({ code: 'VALIDATION_ERROR', details: { missing: ['other'] } });
    expect((await stack.call(ann, 'feed.source.get', { feed_id: 'bad' })).error?.code).toBe('NOT_FOUND');
  });

  it('keep credentials sealed, and for the host they are meant for', async () => {
    const secret = 'tok-very-secret-77';
    const { source } = await save({
      feed_id: 'sealed',
      url: 'https://one.example/feed',
      settings: { headers: { Authorization: 'Bearer ${token}' }, query: { key: '${token}' } },
      credentials: { token: secret },
    });
    expect(source.credentials).toEqual(['token']);
    expect(JSON.stringify(source)).not.toContain(secret);
    const stored = await asTenant('acme', () =>
      stack.db.query(`select * from feed_sources where tenant_id = 'acme' and feed_id = 'sealed'`),
    );
    expect(JSON.stringify(stored)).not.toContain(secret);
    const moved = { feed_id: 'sealed', url: 'https://evil.example/feed' };
    expect((await stack.call(ann, 'feed.source.save', moved)).error).toMatchObject({ details: { reason: 'credentials_needed' } });
    // Its settings ask for it: they go together.
    expect((await stack.call(ann, 'feed.source.save', { ...moved, credentials: {} })).error).toMatchObject({
      details: { missing: ['token'] },
    });
    expect((await save({ ...moved, credentials: {}, settings: {} })).source).toMatchObject({
      credentials: [],
      url: 'https://evil.example/feed',
    });
  });

  it('made twice at once are one', async () => {
    const both = await Promise.all([1, 2].map((n) => save({ feed_id: 'race', url: `https://race${n}.example/` })));
    expect(both.filter(({ created }) => created)).toHaveLength(1);
  });
});

describe('fetch_rss_feed', () => {
  it('answers in the shape of perception', async () => {
    const { origin, headers } = await site(
      gives(
        rss(
          item(1),
          item(
            3,
            '<author>jane@news.example (Jane Smith)</author><category>AI</category><description>&lt;p&gt;Said &lt;b&gt;today&lt;/b&gt;&lt;/p&gt;</description>',
          ),
          item(2),
        ),
      ),
    );
    await save({ feed_id: 'techcrunch_ai', url: `${origin}/feed/`, categories: ['Technology'] });
    const { status, body } = await post({ feed_id: 'techcrunch_ai', max_articles: 2 });
    expect(status).toBe(200);
    expect(body).toEqual({
      feed_id: 'techcrunch_ai',
      feed_url: `${origin}/feed/`,
      fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      article_count: 2,
      articles: [
        {
          title: 'Article 3',
          url: 'https://news.example/3',
          published_at: '2026-11-03T10:00:00Z',
          summary: 'Said today',
          author: 'Jane Smith',
          content_snippet: 'Said today',
          raw_content: '<p>Said <b>today</b></p>',
          categories: ['AI'],
        },
        {
          title: 'Article 2',
          url: 'https://news.example/2',
          published_at: '2026-11-02T10:00:00Z',
          summary: '',
          author: null,
          content_snippet: '',
          raw_content: null,
          categories: ['Technology'],
        },
      ],
    });
    expect(headers[0]!.accept).toContain('application/atom+xml');
    expect(await sourceOf('techcrunch_ai')).toMatchObject({
      last_status: 200,
      last_error: null,
      failures: 0,
      last_fetched_at: expect.any(String),
    });
  });

  it('404 for an unknown feed, with similar ids; 400 for an invalid id', async () => {
    const unknown = await post({ feed_id: 'techcrunch_al' });
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { code: 'FEED_NOT_FOUND', feed_id: 'techcrunch_al', details: { alternatives: ['techcrunch_ai'] } } },
    });
    for (const body of [{}, { feed_id: '../x' }, { feed_id: 'techcrunch_ai', max_articles: 0 }]) {
      expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
    }
    const theirs = await stack.call(other, 'fetch_rss_feed', { feed_id: 'techcrunch_ai' });
    expect(theirs.error).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('504 when the site does not answer in time', async () => {
    const { origin } = await site(() => {});
    await save({ feed_id: 'slow', url: origin });
    const { rss: feeds } = stack.services.feeds;
    feeds.timeoutMs = 300;
    onTestFinished(() => void (feeds.timeoutMs = 30_000));
    expect(await post({ feed_id: 'slow' })).toMatchObject({
      status: 504,
      body: { error: { code: 'FEED_FETCH_FAILED', feed_id: 'slow', details: { http_status: 504, timeout_seconds: 0.3 } } },
    });
    // No other limit ends it before the one that is told.
    const fetched = vi.spyOn(stack.web, 'fetch');
    onTestFinished(() => fetched.mockRestore());
    await post({ feed_id: 'slow' });
    expect(fetched.mock.calls[0]![1]).toMatchObject({ timeoutMs: 300, oneTimeout: true });
    expect(await sourceOf('slow')).toMatchObject({ failures: 2, last_status: null, last_error: expect.stringContaining('slow') });
  });

  it('500 when the site, or what it sends, is at fault; failures are counted until one succeeds', async () => {
    let listener: Listener = gives('', {}, 503);
    const { origin } = await site((request, response) => listener(request, response));
    await save({ feed_id: 'faulty', url: origin });
    const failed = async () => (await post({ feed_id: 'faulty' })) as { status: number; body: any };
    expect(await failed()).toMatchObject({ status: 500, body: { error: { code: 'FEED_FETCH_FAILED', details: { http_status: 503 } } } });
    listener = gives('', {}, 404);
    expect(await failed()).toMatchObject({ status: 500, body: { error: { code: 'FEED_FETCH_FAILED', details: { http_status: 404 } } } });
    expect((await fetchFeed('faulty')).error?.retryable).toBe(false);
    listener = gives('<html><link rel="alternate" type="application/rss+xml" href="/real.xml"></html>', { 'content-type': 'text/html' });
    expect(await failed()).toMatchObject({
      status: 500,
      body: { error: { details: { reason: 'not_a_feed', suggestion: expect.stringContaining(`${origin}/real.xml`) } } },
    });
    listener = (request) => request.socket.destroy();
    expect((await failed()).status).toBe(500);
    expect(await sourceOf('faulty')).toMatchObject({ failures: 5, last_error: expect.stringContaining('failed') });
    listener = gives(rss(item(1)));
    expect((await failed()).status).toBe(200);
    expect(await sourceOf('faulty')).toMatchObject({ failures: 0, last_error: null, last_status: 200 });
  });

  it('an abandoned call does not fail others', async () => {
    const { origin, requests } = await site(() => {});
    await save({ feed_id: 'left', url: origin });
    const leaving = new AbortController();
    const call = stack.call(ann, 'feed.rss.fetch', { feed_id: 'left' }, { signal: leaving.signal });
    await eventually('the request', async () => requests.length === 1);
    leaving.abort();
    expect((await call).error).toBeDefined();
    expect(await sourceOf('left')).toMatchObject({ failures: 0, last_fetched_at: null });
  });
});

describe('asking again', () => {
  it('costs nothing when nothing has changed: the answer is the same', async () => {
    let version = 1;
    const { origin, headers } = await site((request, response) => {
      const etag = `"v${version}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { etag, 'last-modified': 'Tue, 10 Nov 2026 10:00:00 GMT' }).end(rss(item(version), item(9)));
    });
    await save({ feed_id: 'conditional', url: origin });
    const first = await fetchFeed('conditional');
    expect(first.data).toMatchObject({ unchanged: false, article_count: 2 });
    const second = await fetchFeed('conditional', { max_articles: 1 });
    expect(second.data).toMatchObject({ unchanged: true, article_count: 1, articles: [(first.data as any).articles[0]] });
    expect(headers[1]).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': 'Tue, 10 Nov 2026 10:00:00 GMT' });
    expect(await sourceOf('conditional')).toMatchObject({ last_status: 304, failures: 0 });
    version = 2;
    expect((await fetchFeed('conditional')).data).toMatchObject({
      unchanged: false,
      articles: [{ title: 'Article 9' }, { title: 'Article 2' }],
    });
    // Of a JSON feed, whatever it is made of.
    const half = '\\ud800\\u0000';
    const json = `{"version":"https://jsonfeed.org/version/1","language":"${half}","items":[{"url":"/1","content_html":"<p>${half}</p>"}]}`;
    const odd = await site(gives(json, { etag: '"1"', 'content-type': 'application/feed+json' }));
    await save({ feed_id: 'odd', url: odd.origin });
    expect((await fetchFeed('odd')).data).toMatchObject({ article_count: 1, articles: [{ raw_content: '<p>\ufffd</p>' }] });
    // Another address: what is known of the old one says nothing.
    await save({ feed_id: 'conditional', url: `${origin}/other` });
    expect((await fetchFeed('conditional')).data).toMatchObject({ unchanged: false });
    expect(headers.at(-1)).not.toHaveProperty('if-none-match');
  });

  it('a feed that moved for good says where to', async () => {
    const { origin } = await site((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end();
      else if (request.url === '/new') response.writeHead(302, { location: '/today' }).end();
      else response.writeHead(200).end(rss(item(1)));
    });
    await save({ feed_id: 'moved', url: `${origin}/old` });
    const { envelope, data } = await fetchFeed('moved');
    expect(envelope.warnings).toEqual([`The feed has moved for good to ${origin}/new: save that as its url.`]);
    expect(data).toMatchObject({ feed_url: `${origin}/old`, article_count: 1 });
    await save({ feed_id: 'moved', url: `${origin}/new` });
    expect((await fetchFeed('moved')).envelope.warnings).toEqual([]);
  });

  it('a site that asks for a pause has it', async () => {
    const { origin, requests } = await site(gives('', { 'retry-after': '120' }, 429));
    await save({ feed_id: 'busy', url: origin });
    for (let call = 0; call < 3; call++) {
      const { error } = await fetchFeed('busy');
      expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', httpStatus: 429, details: { http_status: 429 } });
      expect(error!.retryAfterSeconds).toBeGreaterThan(110);
    }
    expect(requests).toHaveLength(1);
    expect((await post({ feed_id: 'busy' })).body.error.details.retry_after_seconds).toBeGreaterThan(110);
    expect(await sourceOf('busy')).toMatchObject({ failures: 1, last_status: 429, retry_at: expect.any(String) });
    // Whoever gives it another address may try.
    await save({ feed_id: 'busy', url: `${origin}/other` });
    await fetchFeed('busy');
    expect(requests).toHaveLength(2);
  });
});

describe('credentials', () => {
  it('are sent where the settings name them, and stand in no error', async () => {
    const secret = 'tok-very-secret-88';
    const { origin, headers, requests } = await site((request, response) => {
      if (request.url?.startsWith('/ok')) response.end(rss(item(1)));
      else response.writeHead(302, { location: `ftp://host/${secret}` }).end();
    });
    const settings = { headers: { Authorization: 'Bearer ${token}' }, query: { key: '${token}', v: '2' } };
    await save({ feed_id: 'private', url: `${origin}/ok?a=1`, settings, credentials: { token: secret } });
    expect((await fetchFeed('private')).data).toMatchObject({ article_count: 1, feed_url: `${origin}/ok?a=1` });
    expect(headers[0]!.authorization).toBe(`Bearer ${secret}`);
    expect(new URL(requests[0]!.slice(4), origin).searchParams.get('key')).toBe(secret);
    await save({ feed_id: 'private', url: `${origin}/elsewhere` });
    const failed = await fetchFeed('private');
    expect(failed.error?.code).toBe('SERVICE_UNAVAILABLE');
    expect(JSON.stringify([failed.envelope, await sourceOf('private')])).not.toContain(secret);
  });
});

describe('a seed file', () => {
  const seed = (sources: object[], env: Record<string, string> = {}) =>
    stack.services.feeds.seed(readSeedFile(JSON.stringify({ tenant: 'seeded', sources }), env));
  const sources = () => asTenant('seeded', () => stack.services.feeds.sources.list('seeded'));

  it('is taken over, again when it changes, and never over what people did', async () => {
    const a = { feed_id: 'a', url: 'https://a.example/', title: 'A', categories: ['x'] };
    const b = { feed_id: 'b', url: 'https://b.example/', settings: { headers: { Key: '${key}' } }, credentials: { key: '${env:B_KEY}' } };
    const c = { feed_id: 'c', url: 'https://c.example/' };
    const nothing = { made: [], changed: [], left: [], refused: [] };
    expect(await seed([a, b, c], { B_KEY: 'k-1' })).toEqual({ ...nothing, made: ['a', 'b', 'c'] });
    expect(await seed([a, b, c], { B_KEY: 'k-1' })).toEqual(nothing);
    expect(await seed([{ ...a, categories: undefined }, b, c], { B_KEY: 'k-2' })).toEqual({ ...nothing, changed: ['a', 'b'] });
    expect(await sources()).toMatchObject([{ feed_id: 'a', title: 'A', categories: [] }, { credentials: ['key'] }, {}]);

    const eve = await stack.caller({ tenant: 'seeded', name: 'eve' });
    await save({ feed_id: 'a', title: 'Mine' }, eve);
    await asTenant('seeded', () => stack.services.feeds.sources.remove('seeded', 'c'));
    await save({ feed_id: 'd', url: 'https://d.example/' }, eve);
    const changed = [
      { ...a, title: 'Theirs' },
      { ...b, title: 'B' },
      { ...c, title: 'C' },
      { feed_id: 'd', url: 'https://other.example/' },
    ];
    expect(await seed(changed, { B_KEY: 'k-2' })).toEqual({ ...nothing, changed: ['b'], left: ['a', 'c', 'd'] });
    expect(await sources()).toMatchObject([
      { feed_id: 'a', title: 'Mine' },
      { feed_id: 'b', title: 'B' },
      { feed_id: 'd', url: 'https://d.example/' },
    ]);
  });

  it('says what it cannot take', async () => {
    expect(await seed([{ feed_id: 'wrong', url: 'gopher://x/' }])).toMatchObject({ made: [], refused: [{ feed_id: 'wrong' }] });
    expect(() => readSeedFile('[{"feed_id": "a"}]', {})).toThrow('url');
    expect(() => readSeedFile('[{"feed_id": "a", "url": "u"}, {"feed_id": "a", "url": "v"}]', {})).toThrow('twice');
    expect(() => readSeedFile('[{"feed_id": "a", "url": "u", "credentials": {"k": "${env:NOT_SET}"}}]', {})).toThrow('NOT_SET');
    expect(() => readSeedFile('{', {})).toThrow('not JSON');
  });
});

describe('signalbox feeds', () => {
  const run = promisify(execFile);
  const cli = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, SIGNALBOX_URL: door.url, SIGNALBOX_API_KEY: (await clerk()).apiKey, FEED_TOKEN: 'tok-cli-99' };
    return (await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'cli/main.ts', 'feeds', ...args], { env })).stdout;
  };
  let made: Promise<Caller & { apiKey: string }> | undefined;
  const clerk = () => (made ??= stack.caller({ tenant: 'office', name: 'clerk', kind: 'human' }));

  it('adds, imports, lists, fetches and removes', { timeout: 120_000 }, async () => {
    const { origin, headers } = await site(gives(rss(item(1))));
    const id = `127.0.0.1-${new URL(origin).port}-ai-feed.xml`;
    const header = 'Authorization: Bearer ${FEED_TOKEN}';
    expect(await cli('add', `${origin}/ai/feed.xml`, '--category', 'AI,News', '--header', header, '--secret', 'FEED_TOKEN')).toBe(
      `${id} is added.\n`,
    );
    expect(await cli('fetch', id)).toContain('Article 1');
    expect(headers[0]!.authorization).toBe('Bearer tok-cli-99');
    const dir = mkdtempSync(join(tmpdir(), 'opml-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const file = join(dir, 'feeds.opml');
    writeFileSync(
      file,
      `<opml version="2.0"><body><outline text="Tech"><outline text="B" xmlUrl="https://b.example/feed"/></outline></body></opml>`,
    );
    expect(await cli('import', file)).toBe('1 feeds added, 0 changed.\n');
    const listed = JSON.parse(await cli('ls', '--json')) as { sources: { feed_id: string; categories: string[] }[] };
    expect(listed.sources).toMatchObject([
      { feed_id: id, categories: ['AI', 'News'], credentials: ['FEED_TOKEN'] },
      { feed_id: 'b.example-feed', title: 'B', categories: ['Tech'] },
    ]);
    expect(await cli('rm', 'b.example-feed')).toBe('b.example-feed is removed.\n');
    expect(await cli('ls')).toMatch(/ok +http/);
  });
});
