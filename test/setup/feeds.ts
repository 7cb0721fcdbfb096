/** Feeds on loopback that can be slow, broken, endless or gone. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FeedItem {
  title: string;
  path: string;
  summary: string;
  /** ISO 8601; left out: none. */
  at?: string;
  categories?: string[];
}

/** `hang` says nothing, `drip` sends a byte a second, `endless` sends as much as is taken. */
export type FeedMode = 'fine' | 'hang' | 'drip' | 'endless' | 'broken' | 'busy';

export interface FeedsDouble {
  url: string;
  /** Where a feed stands. */
  feed(name: string): string;
  items: Map<string, FeedItem[]>;
  modes: Map<string, FeedMode>;
  /** Text of a page by its path; others are 404. */
  pages: Map<string, string>;
  /** Requests by path. */
  asked: Map<string, number>;
  close(): Promise<void>;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export async function feedsDouble(): Promise<FeedsDouble> {
  const double: Omit<FeedsDouble, 'url' | 'feed' | 'close'> = { items: new Map(), modes: new Map(), pages: new Map(), asked: new Map() };
  let url = '';
  const rss = (name: string): string => {
    const items = (double.items.get(name) ?? []).map(
      ({ title, path, summary, at, categories = [] }) =>
        `<item><title>${escape(title)}</title><link>${path.startsWith('http') ? path : url + path}</link><description>${escape(summary)}</description>${at ? `<pubDate>${new Date(at).toUTCString()}</pubDate>` : ''}${categories.map((each) => `<category>${escape(each)}</category>`).join('')}</item>`,
    );
    return `<?xml version="1.0"?><rss version="2.0"><channel><title>${name}</title><link>${url}</link><description>news</description>${items.join('')}</channel></rss>`;
  };
  const misbehave = (mode: FeedMode, response: ServerResponse): boolean => {
    if (mode === 'fine') return false;
    if (mode === 'hang') return true;
    if (mode === 'broken' || mode === 'busy') {
      response.writeHead(mode === 'busy' ? 429 : 500, mode === 'busy' ? { 'retry-after': '120' } : {}).end();
      return true;
    }
    response.writeHead(200, { 'content-type': 'application/rss+xml' });
    const send = (): void => void response.write(mode === 'drip' ? ' ' : ' '.repeat(65_536));
    const timer = setInterval(send, mode === 'drip' ? 1_000 : 5);
    response.once('close', () => clearInterval(timer));
    send();
    return true;
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    double.asked.set(path, (double.asked.get(path) ?? 0) + 1);
    const name = /^\/feeds\/(.+)\.xml$/.exec(path)?.[1];
    if (name !== undefined) {
      if (misbehave(double.modes.get(name) ?? 'fine', response)) return;
      response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(rss(name));
      return;
    }
    const page = double.pages.get(path);
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html><head><title>Page</title></head><body><article>${page
        .split('\n')
        .map((line) => `<p>${escape(line)}</p>`)
        .join('')}</article></body></html>`,
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...double,
    url,
    feed: (name) => `${url}/feeds/${name}.xml`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
