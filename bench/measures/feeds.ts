/**
 * perception's seven tools over plain HTTP, as its clients call them, with fake servers on loopback. Compared with
 * perception's targets and with the minimum: a plain fetch and parse, or a raw statement.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { openDatabase, type Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { Context } from '../context.ts';
import { ms, spreadText, type Line, type Section } from '../report.ts';
import { spread, takeTurns } from '../stats.ts';

const tenant = 'feeds';
const batch = 500;

/** perception's targets in ms. */
const targets: Record<string, { p50: number; p95: number }> = {
  fetch_rss_feed: { p50: 1_000, p95: 3_000 },
  fetch_api_feed: { p50: 2_000, p95: 5_000 },
  fetch_webpage: { p50: 2_000, p95: 6_000 },
  store_articles: { p50: 500, p95: 2_000 },
  generate_brief: { p50: 10_000, p95: 30_000 },
  log_ingestion_run: { p50: 200, p95: 1_000 },
  send_notification: { p50: 1_000, p95: 3_000 },
};

const sentence = 'A company announced a product, and people who follow such things said what they think of it.';
const paragraphs = (count: number): string => `<p>${sentence} ${sentence}</p>`.repeat(count);

/** Answers of the fake servers: 50 entries, 100 items, a page of 60 kB. */
const answers: Record<string, { type: string; body: string }> = {
  '/feed': {
    type: 'application/rss+xml',
    body: `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>https://news.example/</link>${Array.from(
      { length: 50 },
      (_, n) =>
        `<item><title>Entry ${n}</title><link>https://news.example/${n}</link><pubDate>Fri, 14 Nov 2025 10:30:00 GMT</pubDate><category>AI</category><description><![CDATA[${paragraphs(5)}]]></description></item>`,
    ).join('')}</channel></rss>`,
  },
  '/api': {
    type: 'application/json',
    body: JSON.stringify({
      articles: Array.from({ length: 100 }, (_, n) => ({
        title: `Item ${n}`,
        url: `https://news.example/${n}`,
        publishedAt: '2025-11-14T09:00:00Z',
        description: sentence,
        content: sentence.repeat(10),
        author: 'John Doe',
        source: { name: 'TechCrunch' },
      })),
    }),
  },
  '/page': {
    type: 'text/html',
    body: `<!doctype html><html><head><title>Page</title><meta name="description" content="${sentence}"></head><body><nav>${'<a href="/x">Link</a>'.repeat(100)}</nav><article><h1>Page</h1>${paragraphs(300)}</article></body></html>`,
  },
};

async function startDoubles(): Promise<{ origin: string; server: Server }> {
  const server = createServer((incoming, response) => {
    const answer = answers[(incoming.url ?? '').split('?', 1)[0]!];
    incoming.resume();
    // Accepts a webhook; any other request gets a document.
    if (answer === undefined) response.writeHead(200).end('{}');
    else response.writeHead(200, { 'content-type': answer.type }).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

interface Article {
  title: string;
  url: string;
  [more: string]: unknown;
}

let made = 0;
/** Articles that are not stored yet. */
const newArticles = (count: number): Article[] =>
  Array.from({ length: count }, () => {
    made += 1;
    return {
      title: `Article ${made}`,
      url: `https://news.example/stored/${made}`,
      source_id: 'bench',
      published_at: '2025-11-14T10:30:00Z',
      summary: sentence,
      content: sentence.repeat(20),
      ai_summary: sentence,
      ai_tags: ['AI', 'OpenAI'],
      relevance_score: 9.5,
      categories: ['AI'],
    };
  });

type Post = <T = Record<string, unknown>>(tool: string, body: object) => Promise<T>;

function poster(api: string, key: string): { post: Post; close(): Promise<void> } {
  const agent = new Agent({ connections: 4 });
  return {
    async post<T>(tool: string, body: object) {
      const answer = await request(`${api}/mcp/tools/${tool}`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${tool}: HTTP ${answer.statusCode} ${text.slice(0, 300)}`);
      return JSON.parse(text) as T;
    },
    close: () => agent.close(),
  };
}

/** The same document without the product. */
function bareFetch(origin: string): { get(path: string): Promise<string>; close(): Promise<void> } {
  const agent = new Agent({ connections: 4 });
  return {
    get: async (path) => (await request(`${origin}${path}`, { dispatcher: agent })).body.text(),
    close: () => agent.close(),
  };
}

/** Writes a batch's rows in one statement, for a separate tenant. */
const rawStore = (db: Database, articles: Article[]): Promise<unknown> =>
  asTenant('feeds-floor', () =>
    db.query(
      `insert into articles (tenant_id, run_id, stored_by, id, canonical_url, url, title, summary, content, relevance_score)
       select 'feeds-floor', 'run', 'bench', a.url, a.url, a.url, a.title, a.summary, a.content, a.relevance_score
       from json_to_recordset($1::json) as a(url text, title text, summary text, content text, relevance_score double precision)
       on conflict do nothing`,
      [JSON.stringify(articles)],
    ),
  );

export async function measureFeeds({ stack, quick, say }: Context): Promise<Section> {
  const { origin, server } = await startDoubles();
  const { post, close } = poster(
    new URL(stack.runtime.api).origin,
    await stack.key({ tenant, role: 'admin', kind: 'human', name: 'bench' }),
  );
  const bare = bareFetch(origin);
  const db = await openDatabase(stack.runtime.database_url, { max: 2 });
  const turns = quick ? { rounds: 3, block: 10, warmUp: 5 } : { rounds: 10, block: 20, warmUp: 20 };
  const few = quick ? { rounds: 2, block: 5, warmUp: 1 } : { rounds: 5, block: 10, warmUp: 3 };
  const lines: Line[] = [];
  const measure = async (
    tool: string,
    path: string,
    product: () => Promise<unknown>,
    floor?: () => Promise<unknown>,
    { times = turns, goal = targets[tool]! } = {},
  ): Promise<void> => {
    say(path);
    const taken = await takeTurns({ product, floor: floor ?? (async () => {}) }, times);
    const [mine, theirs] = [spread(taken.product), spread(taken.floor)];
    lines.push({
      path,
      product: spreadText(mine),
      floor: floor ? spreadText(theirs) : '',
      ...(floor ? { ratio: mine.p50 / theirs.p50 } : {}),
      goal: `p50 ≤ ${goal.p50} ms, p95 ≤ ${goal.p95} ms`,
      met: mine.p50 <= goal.p50 && mine.p95 <= goal.p95,
      figures: { product: mine, ...(floor ? { floor: theirs } : {}) },
    });
  };
  try {
    const fields = {
      title: '$.title',
      url: '$.url',
      published_at: '$.publishedAt',
      summary: '$.description',
      content: '$.content',
      author: '$.author',
      source: '$.source.name',
    };
    await post('feed.source.save', { feed_id: 'rss', url: `${origin}/feed` });
    await post('feed.source.save', { feed_id: 'api', kind: 'api', url: `${origin}/api`, settings: { fields } });
    const fetched = async (tool: string, id: string, count: number): Promise<void> => {
      const answer = await post<{ article_count: number }>(tool, { feed_id: id });
      if (answer.article_count !== count) throw new Error(`${tool}: ${answer.article_count} articles instead of ${count}`);
    };
    await measure(
      'fetch_rss_feed',
      'fetch_rss_feed, 50 entries',
      () => fetched('fetch_rss_feed', 'rss', 50),
      () => bare.get('/feed'),
    );
    await measure(
      'fetch_api_feed',
      'fetch_api_feed, 100 items',
      () => fetched('fetch_api_feed', 'api', 100),
      async () => JSON.parse(await bare.get('/api')) as unknown,
    );
    await measure(
      'fetch_webpage',
      'fetch_webpage, 60 kB',
      () => post('fetch_webpage', { url: `${origin}/page` }),
      () => bare.get('/page'),
    );
    // perception's own target, and the platform's: p95 ≤ 500 ms of 500.
    const goal = { p50: 500, p95: 500 };
    const store = (articles: Article[]): Promise<{ storage_stats: { firestore_writes: number } }> =>
      post('store_articles', { run_id: 'run_1731585600', articles });
    await measure(
      'store_articles',
      `store_articles, ${batch} new`,
      () => store(newArticles(batch)),
      () => rawStore(db, newArticles(batch)),
      { times: few, goal },
    );
    const known = newArticles(batch);
    await store(known);
    let writes = 0;
    const again = async (): Promise<void> => void (writes += (await store(known)).storage_stats.firestore_writes);
    await measure('store_articles', `  the same ${batch} again`, again, undefined, { times: few, goal });
    lines.push({ path: '  writes of those', product: String(writes), floor: '', goal: '0', met: writes === 0, figures: { writes } });
    let n = 0;
    await measure('log_ingestion_run', 'log_ingestion_run', () =>
      post('log_ingestion_run', { run_id: `run_${(n += 1) % 50}`, status: 'running', stats: { sources_checked: n, errors: [] } }),
    );
    const top = newArticles(20).map(({ title, url, ai_summary, relevance_score, categories }) => ({
      title,
      url,
      ai_summary,
      relevance_score,
      categories,
    }));
    await measure(
      'generate_brief',
      'generate_brief, 20 articles, no model',
      () => post('generate_brief', { run_id: `run_${(n += 1)}`, date: '2025-11-14', top_articles: top }),
      undefined,
      { times: few },
    );
    const message = () => ({ title: `Brief ${(n += 1)}`, body: 'It is ready.', url: 'https://news.example/brief' });
    await measure(
      'send_notification',
      'send_notification, webhook, dry run',
      () => post('send_notification', { channel: 'webhook', recipient: `${origin}/hook`, message: message() }),
      undefined,
      { times: few },
    );
  } finally {
    await bare.close();
    await close();
    await db.close();
    server.close();
  }
  const slowest = lines.map((line) => (line.figures['product'] as { p95?: number } | undefined)?.p95 ?? 0);
  return {
    title: "perception's tools over HTTP, on doubles over loopback",
    lines,
    notes: [
      "Goals are perception's latency targets; of store_articles the platform's own p95 of 500 ms for 500 articles.",
      'Floors: a plain fetch (of JSON: parsed); the same rows in one statement without tags and checks.',
      `The slowest p95 is ${ms(Math.max(...slowest))} ms.`,
    ],
  };
}
