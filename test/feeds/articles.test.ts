/** API feeds, web pages, stored articles and the log of runs (perception), with fake servers on loopback. */
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { serve, servePages, type TestSite } from '../../adapters/web/testing.ts';
import { perceptionError } from '../../api/rest/perception.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { KeptArticle, ListedRunLog, RunLog } from '../../contracts/feeds/feeds.ts';
import { ToolDirectory } from '../../tools/catalogue/directory.ts';
import { Metrics } from '../../tools/catalogue/metrics.ts';
import { Pipeline } from '../../tools/catalogue/pipeline.ts';
import { eventually, testStack, type TestStack } from '../setup/stack.ts';

let stack: TestStack;
let agent: Caller;
let other: Caller;
beforeAll(async () => {
  stack = await testStack({ workers: false, model: false, env: { ALLOW_PRIVATE_NETWORK: 'true' } });
  agent = await stack.caller({ name: 'harvester' });
  other = await stack.caller({ tenant: 'globex', name: 'hank' });
});
afterAll(() => stack?.stop());

/** As `POST /mcp/tools/{name}` answers. */
async function post(name: string, body: Record<string, unknown>, caller = agent): Promise<{ status: number; body: any }> {
  const answer = await stack.call(caller, name, body);
  if (answer.error) return perceptionError(answer, name, body);
  return { status: answer.envelope.status === 'partial' ? 207 : 200, body: answer.data };
}

const save = (feedId: string, url: string, settings: Record<string, unknown>, more: object = {}, caller = agent) =>
  asTenant(caller.tenant, () =>
    stack.services.feeds.sources.save(caller.tenant, { feed_id: feedId, kind: 'api', url, settings, ...more }, caller.principal),
  );
const sourceOf = (feedId: string) => asTenant(agent.tenant, () => stack.services.feeds.sources.get(agent.tenant, feedId));

const newsSettings = {
  headers: { 'X-Api-Key': '${api_key}' },
  query: { q: '{keywords}', from: '{date_range.from}', language: '{language}', pageSize: '100', token: '${api_key}' },
  params: {
    keywords: { type: 'list', join: ' OR ', required: true },
    date_range: { type: 'date_range', default: 'last_24h' },
    language: { type: 'text', allowed: ['en', 'de'] },
  },
  fields: {
    title: '$.title',
    url: '$.url',
    published_at: '$.publishedAt',
    summary: '$.description',
    author: '$.author',
    content: '$.content',
    source: '$.source.name',
  },
};
const newsItem = (n: number) => ({
  source: { id: null, name: 'TechCrunch' },
  author: 'John Doe',
  title: `Article ${n}`,
  description: `What <b>happened</b> ${n}`,
  url: `https://example.com/${n}`,
  publishedAt: '2025-11-14T09:00:00Z',
  content: 'A long text. '.repeat(60),
});

describe('fetch_api_feed', () => {
  it('asks as the source says and answers in the shape of perception', async () => {
    const asked: URL[] = [];
    await using site = await serve((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://double'));
      const body = JSON.stringify({ status: 'ok', totalResults: 2, articles: [newsItem(1), newsItem(2)] });
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync(body));
    });
    const more = { title: 'NewsAPI', categories: ['AI', 'Microsoft'], credentials: { api_key: 'hunter2' } };
    await save('newsapi_tech', `${site.origin}/v2/everything`, newsSettings, more);
    const { status, body } = await post('fetch_api_feed', {
      feed_id: 'newsapi_tech',
      api_params: { keywords: ['AI', 'OpenAI'], date_range: 'last_24h' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      feed_id: 'newsapi_tech',
      api_url: `${site.origin}/v2/everything`,
      fetched_at: expect.stringMatching(/^\d{4}-.*Z$/),
      article_count: 2,
      articles: [1, 2].map((n) => ({
        title: `Article ${n}`,
        url: `https://example.com/${n}`,
        published_at: '2025-11-14T09:00:00.000Z',
        summary: `What happened ${n}`,
        author: 'John Doe',
        content_snippet: expect.stringMatching(/^A long text\. .{470,490}$/),
        source: 'TechCrunch',
        categories: ['AI', 'Microsoft'],
      })),
    });
    expect(site.headers[0]).toMatchObject({ 'x-api-key': 'hunter2' });
    expect(asked[0]!.searchParams.get('q')).toBe('AI OR OpenAI');
    expect(asked[0]!.searchParams.has('language')).toBe(false);
    const from = Date.now() - Date.parse(asked[0]!.searchParams.get('from')!);
    expect(Math.abs(from - 24 * 3_600_000)).toBeLessThan(60_000);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(await sourceOf('newsapi_tech')).toMatchObject({ last_status: 200, failures: 0, credentials: ['api_key'] });
  });

  it('refuses unknown sources, foreign ones and parameters that are not declared', async () => {
    await save('mine', 'https://api.example/x', { ...newsSettings }, { credentials: { api_key: 'k' } });
    const at = (body: Record<string, unknown>, caller = agent) => post('fetch_api_feed', body, caller);
    expect(await at({ feed_id: 'nobody' })).toMatchObject({ status: 404, body: { error: { code: 'FEED_NOT_FOUND', feed_id: 'nobody' } } });
    expect((await at({ feed_id: 'mine', api_params: { keywords: ['x'] } }, other)).status).toBe(404);
    expect(await at({ feed_id: 'mine', api_params: { keywords: ['x'], topic: 'y' } })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'INVALID_REQUEST',
          feed_id: 'mine',
          details: { param: 'topic', declared: expect.arrayContaining(['keywords', 'date_range', 'language']) },
        },
      },
    });
    expect((await at({ feed_id: 'mine' })).status).toBe(400);
    expect((await at({ feed_id: '../mine' })).status).toBe(400);
  });

  it.each([
    [401, {}, 401, { http_status: 401 }],
    [403, {}, 401, { http_status: 403 }],
    [429, { 'retry-after': '60' }, 429, { http_status: 429, retry_after_seconds: 60 }],
    [500, {}, 500, { http_status: 500 }],
    [400, {}, 500, { http_status: 400 }],
    [404, {}, 500, { http_status: 404 }],
  ])('an API that answers %i %j: %i', async (upstream, headers, status, details) => {
    await using site = await serve((_, response) => response.writeHead(upstream, headers).end('{"message":"key hunter2 is wrong"}'));
    const feedId = `failing_${upstream}`;
    await save(feedId, `${site.origin}/v2`, newsSettings, { credentials: { api_key: 'hunter2' } });
    const answer = await post('fetch_api_feed', { feed_id: feedId, api_params: { keywords: ['x'] } });
    expect(answer).toMatchObject({ status, body: { error: { code: 'API_FETCH_FAILED', feed_id: feedId, details } } });
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect(await sourceOf(feedId)).toMatchObject({ failures: 1, last_status: upstream });
    if (upstream !== 429) return;
    // The site asked for a pause, and gets one.
    expect((await post('fetch_api_feed', { feed_id: feedId, api_params: { keywords: ['x'] } })).status).toBe(429);
    expect(site.requests).toHaveLength(1);
  });

  it('an API that says nothing, or no JSON', async () => {
    await using site = await serve((request, response) => {
      if (request.url?.startsWith('/html')) response.end('<html>Sign in</html>');
    });
    await save('silent', `${site.origin}/silent`, { fields: newsSettings.fields, timeout_seconds: 1 });
    await save('html', `${site.origin}/html`, { fields: newsSettings.fields });
    expect(await post('fetch_api_feed', { feed_id: 'silent' })).toMatchObject({
      status: 500,
      body: { error: { code: 'API_FETCH_FAILED', details: { http_status: 504, timeout_seconds: 1 } } },
    });
    expect(await post('fetch_api_feed', { feed_id: 'html' })).toMatchObject({
      status: 500,
      body: { error: { code: 'API_FETCH_FAILED', details: { reason: 'not_json' } } },
    });
  });

  it('turns pages, by number or by cursor, and keeps what came before one that fails', async () => {
    await using site = await serve((request, response) => {
      const url = new URL(request.url ?? '', 'http://double');
      const page = Number(url.searchParams.get('page') ?? url.searchParams.get('after') ?? 1);
      if (url.pathname === '/broken' && page === 3) return void response.writeHead(503).end();
      const hits = page > 4 ? [] : [newsItem(page * 10), newsItem(page * 10 + 1)];
      response.end(JSON.stringify({ articles: hits, next: page < 4 ? page + 1 : null }));
    });
    const { fields } = newsSettings;
    await save('numbered', `${site.origin}/numbered`, { fields, paging: { kind: 'page', param: 'page', max_pages: 10 }, max_articles: 7 });
    await save('cursors', `${site.origin}/cursors`, { fields, paging: { kind: 'cursor', param: 'after', next: '$.next', max_pages: 10 } });
    await save('broken', `${site.origin}/broken`, { fields, paging: { kind: 'page', param: 'page', max_pages: 10 } });
    expect((await post('fetch_api_feed', { feed_id: 'numbered' })).body.article_count).toBe(7);
    expect((await post('fetch_api_feed', { feed_id: 'cursors' })).body.article_count).toBe(8);
    expect(site.requests.filter((one) => one.includes('/cursors'))).toHaveLength(4);
    const broken = await stack.call(agent, 'feed.api.fetch', { feed_id: 'broken' });
    expect(broken.envelope).toMatchObject({ status: 'success', data: { article_count: 4 }, warnings: [expect.stringContaining('Page 3')] });
  });

  it('posts a body, and says what an answer has when nothing was found in it', async () => {
    const bodies: string[] = [];
    await using site = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        response.end('{"results":[],"error":null}');
      });
    });
    await save('posted', `${site.origin}/{topic}/search`, {
      method: 'POST',
      body: { any: '{keywords}', since: '{range.from_unix}' },
      params: { topic: { type: 'text', required: true }, keywords: { type: 'list' }, range: { type: 'date_range' } },
      fields: { title: '$.t', url: '$.u' },
    });
    const answer = await stack.call(agent, 'feed.api.fetch', { feed_id: 'posted', api_params: { topic: 'ai/ml', keywords: 'x' } });
    expect(answer.envelope).toMatchObject({ data: { article_count: 0 }, warnings: [expect.stringContaining('results, error')] });
    expect(site.requests).toEqual(['POST /ai%2Fml/search']);
    expect(bodies).toEqual(['{"any":["x"]}']);
  });
});

describe('fetch_webpage', () => {
  const page = `<!doctype html><html lang="en"><head><title>The title | Site</title>
    <meta name="description" content="What it is about"><meta name="keywords" content="AI, Technology">
    <meta name="author" content="Jane Smith"><meta property="og:image" content="/image.jpg">
    <link rel="canonical" href="/articles/1?utm_source=x">
    <script type="application/ld+json">{"@graph":[{"@type":"NewsArticle","headline":"The title","datePublished":"2025-11-14T10:00:00+00:00"}]}</script>
    </head><body><nav>Home</nav><article><h1>The title</h1>${'<p>A paragraph of the article, which is long enough to be one, and then some.</p>'.repeat(12)}</article></body></html>`;
  let site: TestSite;
  beforeAll(async () => {
    site = await servePages({
      '/a': page,
      '/moved': (response) => response.writeHead(301, { location: '/a' }).end(),
      '/file.pdf': (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7'),
      '/plain': (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('just words'),
      '/broken': (response) => response.writeHead(500).end(),
      '/closed': (response) => response.writeHead(403).end(),
      '/deep': '<div>'.repeat(20_000) + 'at the bottom',
      '/nothing': '<html><head><title>Only a title</title></head><body></body></html>',
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('answers the article and its metadata in the shape of perception', async () => {
    const { status, body } = await post('fetch_webpage', { url: `${site.origin}/a` });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: `${site.origin}/a`,
      fetched_at: expect.any(String),
      status_code: 200,
      title: 'The title | Site',
      content: expect.stringMatching(/^(The title\n\n)?A paragraph of the article/),
      metadata: {
        description: 'What it is about',
        keywords: ['AI', 'Technology'],
        author: 'Jane Smith',
        published_at: '2025-11-14T10:00:00.000Z',
        og_image: `${site.origin}/image.jpg`,
      },
      word_count: expect.any(Number),
    });
    expect(body.content).not.toContain('Home');
    expect(body.word_count).toBe(body.content.split(/\s+/).length);
  });

  it('leaves out what is not wanted, and follows redirects', async () => {
    const { data } = await stack.call(agent, 'feed.webpage.fetch', {
      url: `${site.origin}/moved`,
      extract_content: false,
      extract_metadata: false,
    });
    expect(data).toMatchObject({
      url: `${site.origin}/moved`,
      final_url: `${site.origin}/a`,
      canonical_url: `${site.origin}/articles/1`,
      title: 'The title | Site',
      content: '',
      word_count: 0,
      metadata: { description: null, keywords: [], author: null, published_at: null, og_image: null },
    });
  });

  it.each([
    ['/missing', 404, 'WEBPAGE_FETCH_FAILED', { http_status: 404 }],
    ['/broken', 500, 'WEBPAGE_FETCH_FAILED', { http_status: 500 }],
    ['/closed', 500, 'WEBPAGE_FETCH_FAILED', { http_status: 403 }],
    ['/file.pdf', 500, 'WEBPAGE_FETCH_FAILED', { reason: 'media_type', suggestion: expect.stringContaining('ingest.url.submit') }],
  ])('%s: %i', async (path, status, code, details) => {
    const url = `${site.origin}${path}`;
    expect(await post('fetch_webpage', { url })).toMatchObject({ status, body: { error: { code, url, details } } });
  });

  it('refuses invalid web addresses', async () => {
    for (const url of ['no url', 'ftp://example.com/', 'file:///etc/passwd', 'http://169.254.169.254/latest'])
      expect(await post('fetch_webpage', { url }), url).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST', url } } });
  });

  it('reads plain text, pages without text and pages without a bottom', async () => {
    expect((await post('fetch_webpage', { url: `${site.origin}/plain` })).body).toMatchObject({
      title: '',
      content: 'just words',
      word_count: 2,
    });
    expect((await post('fetch_webpage', { url: `${site.origin}/nothing` })).body).toMatchObject({ title: 'Only a title', content: '' });
    expect((await post('fetch_webpage', { url: `${site.origin}/deep` })).body.content).toContain('at the bottom');
  });
});

describe('store_articles', () => {
  const article = (n: number, more: object = {}) => ({
    title: `Article ${n}`,
    url: `https://news.example/${n}`,
    source_id: 'techcrunch_ai',
    published_at: '2025-11-14T10:30:00Z',
    summary: 'A summary',
    content: `Full text ${n}. `.repeat(200),
    ai_summary: 'One. Two. Three.',
    ai_tags: ['AI', 'AI', 'GPT'],
    relevance_score: 9.5,
    categories: ['AI'],
    ...more,
  });
  const rows = async () =>
    await asTenant(agent.tenant, () =>
      stack.db.query<{ id: string; at: string }>(
        "select id, ctid::text || ' ' || xmin::text as at from articles where tenant_id = $1 order by id",
        [agent.tenant],
      ),
    );
  const versions = async () => {
    await asTenant(agent.tenant, () => stack.db.query('select pg_stat_force_next_flush()'));
    const [row] = await stack.db.query<{ n: number }>(
      "select (n_tup_ins + n_tup_upd + n_tup_del)::int as n from pg_stat_user_tables where relname = 'articles'",
    );
    return row!.n;
  };

  it('stores a batch, once: again it writes nothing', async () => {
    const batch = Array.from({ length: 500 }, (_, n) => article(n));
    const first = await post('store_articles', { run_id: 'run_1731585600', articles: batch });
    expect(first).toEqual({
      status: 200,
      body: {
        run_id: 'run_1731585600',
        stored_count: 500,
        failed_count: 0,
        failed_urls: [],
        storage_stats: { firestore_writes: 500, duplicates_skipped: 0, latency_ms: expect.any(Number) },
      },
    });
    const before = await rows();
    const written = await eventually('what was written is counted', async () => {
      const counted = await versions();
      return counted >= 500 && counted;
    });
    const again = await post('store_articles', { run_id: 'run_1731672000', articles: batch.map((one) => ({ ...one, title: 'Changed' })) });
    expect(again.body).toMatchObject({ stored_count: 0, failed_count: 0, storage_stats: { firestore_writes: 0, duplicates_skipped: 500 } });
    expect(await rows()).toEqual(before);
    expect(await versions()).toBe(written);
  });

  it('knows an article by its canonical address, in its tenant alone', async () => {
    const spellings = ['https://NEWS.example/7?utm_source=rss', 'https://news.example:443/7/', 'https://news.example/7#top'];
    const again = await post('store_articles', { run_id: 'r', articles: spellings.map((url) => article(7, { url })) });
    expect(again.body.storage_stats).toMatchObject({ firestore_writes: 0, duplicates_skipped: 3 });
    expect((await post('store_articles', { run_id: 'r', articles: [article(7)] }, other)).body.stored_count).toBe(1);
  });

  it('judges each on its own: some stored is 207, none is 500', async () => {
    const bad = [
      { title: 'no url' },
      'no article',
      article(900, { url: 'ftp://x/y' }),
      article(901, { relevance_score: 11 }),
      article(902, { published_at: 'soon' }),
      // Of the year 0, and of a year in five digits, once in UTC.
      article(904, { published_at: '0001-01-01T00:00:00+01:00' }),
      article(905, { published_at: '9999-12-31T23:59:59-01:00' }),
    ];
    const some = await post('store_articles', {
      run_id: 'r2',
      articles: [...bad, article(903, { content: 'NUL \u0000 in it' })],
    });
    expect(some.status).toBe(207);
    expect(some.body).toMatchObject({
      stored_count: 1,
      failed_count: 7,
      failed_urls: ['articles[0]', 'articles[1]', 'ftp://x/y', ...[901, 902, 904, 905].map((n) => `https://news.example/${n}`)],
    });
    const none = await post('store_articles', { run_id: 'r2', articles: bad });
    expect(none).toMatchObject({
      status: 500,
      body: {
        error: {
          code: 'STORAGE_FAILED',
          run_id: 'r2',
          details: { failed_count: 7, failed_urls: some.body.failed_urls, firestore_error: 'INVALID_ARGUMENT' },
        },
      },
    });
    for (const body of [{ articles: [article(1)] }, { run_id: 'r', articles: [] }, { run_id: 'r', articles: 'x' }, { run_id: 'r' }])
      expect(await post('store_articles', body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
  });

  it('keeps what a page cut in the middle of a character', async () => {
    const cut = article(904, { title: 'Half \ud83d', content: 'a\ud83d' });
    const outcome = await asTenant(agent.tenant, () => stack.services.feeds.articles.store(agent.tenant, 'cut', [cut]));
    expect(outcome.stored_count).toBe(1);
    const { articles } = await stack.ok<{ articles: KeptArticle[] }>(agent, 'feed.article.list', { run_id: 'cut' });
    expect(articles[0]!.title).toBe('Half \ufffd');
  });

  it('is taken by many callers at once with overlapping sets, each article once', async () => {
    const counts = await Promise.all(
      Array.from({ length: 8 }, async (_, caller) => {
        const mine = Array.from({ length: 200 }, (_, n) => article(2_000 + ((n + caller * 50) % 400)));
        const shuffled = caller % 2 === 0 ? mine : mine.toReversed();
        const { status, body } = await post('store_articles', { run_id: `many_${caller}`, articles: shuffled });
        expect(status).toBe(200);
        expect(body.stored_count + body.storage_stats.duplicates_skipped).toBe(200);
        return body.stored_count as number;
      }),
    );
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(400);
  });

  it('lists what was stored, by filters and in pages', async () => {
    await post('store_articles', {
      run_id: 'listed',
      articles: [
        article(5_001, { title: 'Löwen und Tiger', source_id: 'zoo', relevance_score: 3, published_at: '2025-11-01' }),
        article(5_002, { title: 'Only tigers', source_id: 'zoo', relevance_score: 8, published_at: null, ai_tags: undefined }),
        article(5_003, { title: 'Nothing', source_id: 'zoo', relevance_score: undefined }),
      ],
    });
    const list = (args: object, caller = agent) =>
      stack.ok<{ articles: KeptArticle[]; next_cursor: string | null }>(caller, 'feed.article.list', args);
    const titles = async (args: object) => (await list({ source_id: 'zoo', ...args })).articles.map((one) => one.title).sort();
    expect(await titles({})).toEqual(['Löwen und Tiger', 'Nothing', 'Only tigers']);
    expect(await titles({ q: 'TIGER' })).toEqual(['Löwen und Tiger', 'Only tigers']);
    expect(await titles({ q: 'tiger löwen' })).toEqual(['Löwen und Tiger']);
    expect(await titles({ min_relevance: 5 })).toEqual(['Only tigers']);
    expect(await titles({ until: '2025-11-01' })).toEqual(['Löwen und Tiger']);
    expect(await titles({ since: '2025-11-02', until: '2025-11-15' })).toEqual(['Nothing']);
    expect((await list({ run_id: 'listed' }, other)).articles).toEqual([]);
    const { articles } = await list({ source_id: 'zoo', q: 'only', include_content: true });
    expect(articles[0]).toMatchObject({ content: expect.stringContaining('Full text'), ai_tags: [], published_at: null, run_id: 'listed' });
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await list({ run_id: 'run_1731585600', limit: 100, ...(cursor ? { cursor } : {}) });
      for (const one of page.articles) seen.add(one.article_id);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen.size).toBe(500);
    expect((await stack.call(agent, 'feed.article.list', { cursor: 'made up' })).error?.code).toBe('VALIDATION_ERROR');
  });

  it('says what was done in the log, and nothing of what the articles say', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    const tools = new ToolDirectory(stack.pipeline.catalogue, new Map(), null);
    const pipeline = new Pipeline({ tools, services: stack.services, metrics: new Metrics(), log, logRequests: true });
    await using site = await servePages({ '/v2': JSON.stringify({ articles: [newsItem(1)] }) });
    await save('logged', `${site.origin}/v2`, { fields: newsSettings.fields });
    const call = (name: string, args: object) => pipeline.call({ name, arguments: args, caller: agent, front: 'rest' });
    await call('fetch_api_feed', { feed_id: 'logged' });
    await call('fetch_api_feed', { feed_id: 'unknown_one' });
    await call('store_articles', { run_id: 'logged', articles: [article(6_000)] });
    // A call does not wait for its line.
    await eventually('all stand in the log', async () => lines.length === 3);
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(parsed).toMatchObject([
      { mcp_tool: 'fetch_api_feed', feed_id: 'logged', article_count: 1, latency_ms: expect.any(Number) },
      { mcp_tool: 'fetch_api_feed', feed_id: 'unknown_one', code: 'NOT_FOUND' },
      { mcp_tool: 'store_articles', run_id: 'logged', article_count: 1, articles_stored: 1 },
    ]);
    expect(lines.join('')).not.toMatch(/Full text|Article 1|127\.0\.0\.1/);
    expect(Object.keys((pipeline.metrics.json({ names: true }) as { tools: object }).tools)).toEqual(['fetch_api_feed', 'store_articles']);
  });
});

describe('log_ingestion_run', () => {
  const stats = { sources_checked: 15, articles_fetched: 47, articles_stored: 45, duplicates_skipped: 2, brief_generated: true };
  const log = (body: Record<string, unknown>, caller = agent) => post('log_ingestion_run', body, caller);
  const get = (run_id: string, caller = agent) => stack.ok<RunLog>(caller, 'ingest.run.get', { run_id });

  it('makes a record and goes on with it, later values winning one by one', async () => {
    expect(
      await log({ run_id: 'run_1', status: 'running', stats: { sources_checked: 3, errors: ['a'] }, started_at: '2025-11-14T12:00:00Z' }),
    ).toEqual({
      status: 200,
      body: { run_id: 'run_1', logged_at: expect.any(String), firestore_path: '/ingestion_runs/run_1' },
    });
    await log({ run_id: 'run_1', status: 'running', stats: { articles_fetched: 10, errors: ['b', 'a', { feed: 'x' }] } });
    expect(await get('run_1')).toMatchObject({
      status: 'running',
      stats: { sources_checked: 3, articles_fetched: 10, errors: ['a', 'b', { feed: 'x' }] },
      started_at: '2025-11-14T12:00:00.000Z',
      completed_at: null,
    });
    await log({ run_id: 'run_1', status: 'completed', stats: { ...stats, errors: [] }, completed_at: '2025-11-14T12:05:00Z' });
    const ended = await get('run_1');
    expect(ended).toMatchObject({
      status: 'completed',
      stats: { ...stats, errors: ['a', 'b', { feed: 'x' }] },
      started_at: '2025-11-14T12:00:00.000Z',
      completed_at: '2025-11-14T12:05:00.000Z',
    });
    // Late: it ended meanwhile.
    await log({ run_id: 'run_1', status: 'running', stats: { sources_checked: 1, errors: ['c'] }, started_at: '2025-11-14T11:00:00Z' });
    expect(await get('run_1')).toMatchObject({
      ...ended,
      stats: { ...ended.stats, errors: ['a', 'b', { feed: 'x' }, 'c'] },
      logged_at: expect.any(String),
    });
    await log({ run_id: 'run_1', status: 'failed' });
    expect(await get('run_1')).toMatchObject({ status: 'failed', completed_at: '2025-11-14T12:05:00.000Z', stats });
  });

  it('is one record whoever writes it at once, and its tenant alone sees it', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        log({ run_id: 'run_2', status: n === 7 ? 'completed' : 'running', stats: { errors: [`e${n}`] } }),
      ),
    );
    const record = await get('run_2');
    expect(record.status).toBe('completed');
    expect(record.stats.errors).toHaveLength(20);
    expect(record.completed_at).not.toBeNull();
    expect((await stack.call(other, 'ingest.run.get', { run_id: 'run_2' })).error?.code).toBe('NOT_FOUND');
    const { runs } = await stack.ok<{ runs: RunLog[] }>(agent, 'ingest.run.list', { status: 'completed' });
    expect(runs.map((run) => run.run_id)).toEqual(['run_2']);
  });

  it('keeps times as Postgres can, and refuses those that it cannot', async () => {
    await log({
      run_id: 'run_far',
      status: 'completed',
      started_at: '2025-11-14T12:00:00+23:00',
      completed_at: '2025-11-14T12:00:00-18:30',
    });
    expect(await get('run_far')).toMatchObject({ started_at: '2025-11-13T13:00:00.000Z', completed_at: '2025-11-15T06:30:00.000Z' });
    for (const started_at of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])
      expect(await log({ run_id: 'run_odd', status: 'running', started_at })).toMatchObject({ status: 400 });
  });

  it('takes no endless errors, and lists the first ones of each run', async () => {
    expect(await log({ run_id: 'run_3', status: 'running', stats: { errors: [{ text: 'x'.repeat(4_000) }] } })).toMatchObject({
      status: 400,
    });
    const errors = [...Array.from({ length: 6 }, (_, n) => `e${n}`), { feed: 'x\u0000\ud800' }];
    await log({ run_id: 'run_3', status: 'failed', stats: { errors } });
    const record = await get('run_3');
    expect(record.stats.errors).toEqual([...errors.slice(0, 6), { feed: 'x\ufffd\ufffd' }]);
    const { runs } = await stack.ok<{ runs: ListedRunLog[] }>(agent, 'ingest.run.list', { status: 'failed' });
    const listed = runs.find(({ run_id }) => run_id === 'run_3');
    expect(listed).toMatchObject({ error_count: 7, stats: { errors: errors.slice(0, 5) } });
  });

  it('refuses invalid records', async () => {
    for (const body of [
      { status: 'running' },
      { run_id: 'x', status: 'done' },
      { run_id: 'x', status: 'running', stats: { sources_checked: -1 } },
      { run_id: 'x\n', status: 'running' },
    ])
      expect(await log(body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } });
  });
});
