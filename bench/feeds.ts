/**
 * Feeds on loopback, in a separate process: `node bench/feeds.ts ARTICLES`. Serves /{n}.xml on any address of
 * 127.0.0.0/8; ?hang, ?drip and ?endless simulate faulty servers. Prints its port.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const articles = Number(process.argv[2] ?? 20);
const things = [
  'language model',
  'data breach',
  'cloud region',
  'night train',
  'chip plant',
  'museum wing',
  'bond sale',
  'harvest',
  'vaccine',
  'port',
];
const deeds = ['opens', 'delays', 'doubles', 'sells', 'reviews', 'closes', 'wins', 'repairs'];
const started = Date.now();

function feed(n: number): string {
  const items = Array.from({ length: articles }, (_, i) => {
    const thing = things[(n + i) % things.length]!;
    const title = `House ${n} ${deeds[(n * 7 + i) % deeds.length]!} ${thing} number ${i}`;
    const text = `House ${n} said on Friday that it ${deeds[(n * 7 + i) % deeds.length]!} ${thing} number ${i} with ${n * 31 + i} people. Customers will have to wait until Monday for more. The plan costs $${n + i} million.`;
    return `<item><title>${title}</title><link>https://house-${n}.test/${i}</link><description>${text} ${text}</description><category>${thing}</category><pubDate>${new Date(started - i * 1_800_000).toUTCString()}</pubDate></item>`;
  });
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>House ${n}</title><link>https://house-${n}.test</link><description>news</description>${items.join('')}</channel></rss>`;
}

function misbehave(how: string, response: ServerResponse): void {
  if (how === 'hang') return;
  response.writeHead(200, { 'content-type': 'application/rss+xml' });
  const send = (): void => void response.write(how === 'drip' ? ' ' : ' '.repeat(16_384));
  const timer = setInterval(send, how === 'drip' ? 1_000 : 250);
  response.once('close', () => clearInterval(timer));
  send();
}

const server = createServer((request, response) => {
  const [, n, how] = /^\/(\d+)\.xml(?:\?(\w+))?/.exec(request.url ?? '') ?? [];
  if (n === undefined) return void response.writeHead(404).end();
  if (how) return misbehave(how, response);
  response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feed(Number(n)));
});
server.listen(0, '0.0.0.0', () => console.log((server.address() as AddressInfo).port));
// Ends when its parent ends.
process.stdin.resume().once('end', () => process.exit());
