import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { crawl, type CrawlRequest, type CrawlState, type CrawlStep } from './crawl.ts';
import { failureOf, reasonOf, serve, servePages, testClient, type TestSite } from './testing.ts';

const page = (links: string[], head = ''): string =>
  `<html><head>${head}</head><body>${links.map((link) => `<a href="${link}">x</a>`).join('')}</body></html>`;

async function walk(site: TestSite, more: Partial<CrawlRequest> = {}): Promise<CrawlStep[]> {
  await using web = testClient();
  const steps = [];
  for await (const step of crawl(web, { url: `${site.origin}/`, depth: 1, maxPages: 50, profile: 'auto', ...more })) steps.push(step);
  return steps;
}

/** `/path` of each page, `/path: code` of each that was skipped. */
const told = (steps: CrawlStep[]): string[] =>
  steps.map((step) => {
    const { pathname, search } = new URL(step.url);
    return step.kind === 'page' ? `${pathname}${search}` : `${pathname}${search}: ${step.code}`;
  });

const withoutRobots = (site: TestSite): string[] => site.requests.filter((request) => request !== 'GET /robots.txt');

describe('which pages', () => {
  test('breadth first down to the depth, each once', async () => {
    await using site = await servePages({
      '/': page(['/a', '/b', '/a#part', './a?utm_source=x', 'https://elsewhere.example/', 'mailto:x@y.z']),
      '/a': page(['/a/1', '/', '/b']),
      '/b': page(['/b/1', '/a/1']),
      '/a/1': page(['/deep']),
      '/b/1': page([]),
      '/deep': page([]),
    });
    const steps = await walk(site, { depth: 2 });
    expect(told(steps)).toEqual(['/', '/a', '/b', '/a/1', '/b/1']);
    expect(steps.map((step) => step.depth)).toEqual([0, 1, 1, 2, 2]);
    expect(site.requests).toEqual(['GET /robots.txt', 'GET /', 'GET /a', 'GET /b', 'GET /a/1', 'GET /b/1']);
    expect(told(await walk(site, { depth: 0 }))).toEqual(['/']);
  });

  test('no deeper than three, no more than fifty, whatever is asked', async () => {
    await using site = await serve((request, response) => {
      const path = request.url === '/' ? '' : request.url!;
      response.writeHead(200, { 'content-type': 'text/html' }).end(page([`${path}/d${path.length}`]));
    });
    expect(told(await walk(site, { depth: 99 }))).toHaveLength(4);
    await using wide = await servePages({
      '/': page(Array.from({ length: 80 }, (_, i) => `/p${i}`)),
      ...Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`/p${i}`, page([])])),
    });
    expect(told(await walk(wide, { maxPages: 10_000 }))).toHaveLength(50);
    expect(told(await walk(wide, { maxPages: 3 }))).toEqual(['/', '/p0', '/p1']);
  });

  test('one page under many names is read once', async () => {
    await using site = await servePages({
      '/': page([
        '/p?b=2&a=1',
        '/p?a=1&b=2',
        '/p?a=1&b=2&fbclid=z&utm_medium=m',
        '/p?a=1&b=2#x',
        '/q;jsessionid=1',
        '/q',
        '/q?PHPSESSID=3',
      ]),
      '/p?a=1&b=2': page([]),
      '/q': page([]),
    });
    expect(told(await walk(site))).toEqual(['/', '/p?a=1&b=2', '/q']);
  });

  test('canonical links and redirects to pages that are known', async () => {
    let origin = '';
    const moved = (to: string) => (response: ServerResponse) => void response.writeHead(301, { location: to }).end();
    await using site = await servePages({
      '/': page(['/a', '/a-print', '/moved', '/new', '/copy']),
      '/a': page([]),
      '/a-print': page([], '<link rel=canonical href="/a">'),
      '/moved': moved('/new'),
      '/new': page([]),
      // A canonical address on another site does not rename our page.
      '/copy': page([], '<link rel=canonical href="https://original.example/x">'),
    });
    origin = site.origin;
    const steps = await walk(site);
    expect(told(steps)).toEqual(['/', '/a', '/a-print: duplicate', '/new', '/copy']);
    expect(steps[3]).toMatchObject({ url: `${origin}/new`, fetched: { redirects: [`${origin}/new`] } });
    expect(withoutRobots(site).filter((request) => request === 'GET /new')).toHaveLength(1);
  });

  test('a page is known by its canonical address, also when that is met later', async () => {
    await using site = await servePages({
      '/': page(['/x?view=print', '/x'], '<link rel=canonical href="/home">'),
      '/x?view=print': page(['/home'], '<link rel=canonical href="/x">'),
      '/x': page([]),
      '/home': page([]),
    });
    expect(told(await walk(site, { depth: 2 }))).toEqual(['/home', '/x']);
  });

  test('the same site only, where a redirect leads, too', async () => {
    await using other = await servePages({ '/': page([]) });
    await using site = await servePages({
      '/': page([`${other.origin}/`, '/away', '/ok']),
      '/away': (response) => response.writeHead(302, { location: `${other.origin}/` }).end(),
      '/ok': page([]),
    });
    expect(told(await walk(site))).toEqual(['/', '/away: off_site', '/ok']);
    expect(other.requests).toEqual([]);
  });

  test('www and the bare name are one site; the first page may redirect to another', async () => {
    await using site = await serve((request, response) => {
      const host = request.headers.host!;
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (host.startsWith('short.example')) response.writeHead(301, { location: `http://www.long.example:${site.port}/` }).end();
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(page([`http://long.example:${site.port}/a`, `//sub.long.example:${site.port}/b`, '/a']));
    });
    await using web = testClient({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const urls = [];
    for await (const step of crawl(web, { url: `http://short.example:${site.port}/`, depth: 1, maxPages: 9, profile: 'auto' }))
      urls.push(step.url);
    expect(urls).toEqual([`http://www.long.example:${site.port}/`, `http://long.example:${site.port}/a`]);
  });
});

describe('what sites ask for', () => {
  test('robots.txt is kept, for links and redirects', async () => {
    await using site = await servePages({
      '/robots.txt': (response) => response.end('User-agent: *\nDisallow: /no\n'),
      '/': page(['/no/1', '/yes', '/hop']),
      '/yes': page([]),
      '/no/1': page([]),
      '/hop': (response) => response.writeHead(302, { location: '/no/2' }).end(),
    });
    expect(told(await walk(site))).toEqual(['/', '/no/1: robots', '/yes', '/hop: robots']);
    expect(withoutRobots(site)).toEqual(['GET /', 'GET /yes', 'GET /hop']);
    const error = await failureOf(walk(site, { url: `${site.origin}/no/1` }));
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'robots' } });
  });

  test('no robots.txt to be had, no crawl for now', async () => {
    await using site = await servePages({
      '/robots.txt': (response) => response.writeHead(503, { 'retry-after': '9' }).end(),
      '/': page([]),
    });
    expect(await failureOf(walk(site))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 9, details: { reason: 'robots' } });
    expect(withoutRobots(site)).toEqual([]);
  });

  test('nofollow and noindex', async () => {
    await using site = await servePages({
      '/': `<a rel="nofollow" href="/ad">x</a><a href="/hidden">x</a><a href="/leaf">x</a><a href="/header.txt">x</a>`,
      '/ad': page([]),
      '/hidden': page(['/behind'], '<meta name=robots content=noindex>'),
      '/leaf': page(['/not-followed'], '<meta name=robots content=nofollow>'),
      '/header.txt': (response) => response.writeHead(200, { 'content-type': 'text/plain', 'x-robots-tag': 'noindex' }).end('text'),
      '/behind': page([]),
      '/not-followed': page([]),
    });
    expect(told(await walk(site, { depth: 2 }))).toEqual(['/', '/hidden: noindex', '/leaf', '/header.txt: noindex', '/behind']);
  });

  test('the pace that robots.txt wants', async () => {
    const at: number[] = [];
    await using site = await serve((request, response) => {
      if (request.url === '/robots.txt') return void response.end('User-agent: *\nCrawl-delay: 0.2');
      at.push(performance.now());
      response.writeHead(200, { 'content-type': 'text/html' }).end(page(['/a', '/b']));
    });
    await walk(site);
    expect(at).toHaveLength(3);
    expect(at[1]! - at[0]!).toBeGreaterThan(180);
    expect(at[2]! - at[1]!).toBeGreaterThan(180);
  });
});

describe('which documents', () => {
  const pages = {
    '/': page(['/a.pdf', '/b.docx', '/c.txt', '/photo.JPG', '/app.js', '/data', '/film', '/huge', '/download?id=1']),
    '/a.pdf': typed('application/pdf'),
    '/b.docx': typed('application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
    '/c.txt': typed('text/plain'),
    '/photo.JPG': typed('image/jpeg'),
    '/data': typed('application/json'),
    '/film': typed('video/mp4'),
    '/huge': (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(2_500_000, 'x')),
    '/download?id=1': typed('application/octet-stream', { 'content-disposition': 'attachment; filename="report.pdf"' }),
  };

  function typed(type: string, headers = {}) {
    return (response: ServerResponse): void => void response.writeHead(200, { 'content-type': type, ...headers }).end('content');
  }

  test('HTML, text, PDF and Office; the rest is not even asked for, or not read', async () => {
    await using site = await servePages(pages);
    const steps = await walk(site);
    expect(told(steps)).toEqual(['/', '/a.pdf', '/b.docx', '/c.txt', '/data: media_type', '/film: media_type', '/huge', '/download?id=1']);
    expect(withoutRobots(site)).not.toContain('GET /photo.JPG');
    expect(steps.find((step) => step.url.endsWith('/c.txt'))).toMatchObject({ fetched: { mediaType: 'text/plain', filename: 'c.txt' } });
  });

  test('fast: only text, and small', async () => {
    await using site = await servePages(pages);
    expect(told(await walk(site, { profile: 'fast' }))).toEqual([
      '/',
      '/a.pdf: media_type',
      '/b.docx: media_type',
      '/c.txt',
      '/data: media_type',
      '/film: media_type',
      '/huge: too_large',
      '/download?id=1: media_type',
    ]);
  });

  test('thorough: a page that failed is tried again', async () => {
    const failing = () => {
      let tries = 0;
      return (response: ServerResponse): void => {
        response.setHeader('content-type', 'text/html');
        if (++tries === 1) response.writeHead(503).end();
        else response.writeHead(200).end('better');
      };
    };
    await using site = await servePages({ '/': page(['/a']), '/a': failing() });
    expect(told(await walk(site, { profile: 'thorough' }))).toEqual(['/', '/a']);
    await using again = await servePages({ '/': page(['/a']), '/a': failing() });
    expect(told(await walk(again, { profile: 'auto' }))).toEqual(['/', '/a: unavailable']);
  });
});

describe('failures', () => {
  test('of the first page are thrown', async () => {
    await using site = await servePages({ '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end() });
    expect((await failureOf(walk(site))).code).toBe('NOT_FOUND');
    expect(reasonOf(await failureOf(walk(site, { url: `${site.origin}/image` })))).toBe('media_type');
    expect(reasonOf(await failureOf(walk(site, { url: 'no url' })))).toBe('invalid');
    expect(reasonOf(await failureOf(walk(site, { url: 'http://169.254.169.254/' })))).toBe('private_address');
  });

  test('of later pages are reported and skipped', async () => {
    await using site = await servePages({
      '/': page(['/gone', '/locked', '/broken', '/loop', '/bad', '/fine']),
      '/locked': (response) => response.writeHead(403).end(),
      '/broken': (response) => response.writeHead(500).end(),
      '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
      '/bad': (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      '/fine': page([]),
    });
    const steps = await walk(site);
    expect(told(steps)).toEqual([
      '/',
      '/gone: not_found',
      '/locked: forbidden',
      '/broken: unavailable',
      '/loop: refused',
      '/bad: refused',
      '/fine',
    ]);
    for (const step of steps) if (step.kind === 'skipped') expect(step.reason).toMatch(/^[A-Z1].+\.$/);
  });

  test('a site that goes down is left alone', async () => {
    const links = Array.from({ length: 30 }, (_, i) => `/p${i}`);
    await using site = await servePages({
      '/': page(links),
      ...Object.fromEntries(links.map((link) => [link, (response) => response.writeHead(503).end()])),
    });
    const steps = await walk(site);
    expect(steps).toHaveLength(31);
    expect(steps.slice(1, 6).every((step) => step.kind === 'skipped' && step.code === 'unavailable')).toBe(true);
    expect(steps.slice(6).every((step) => step.kind === 'skipped' && step.code === 'given_up')).toBe(true);
    expect(withoutRobots(site)).toHaveLength(6);
  });

  test('cancellation stops it, also in a pause', async () => {
    await using site = await servePages({
      '/robots.txt': (response) => response.end('User-agent: *\nCrawl-delay: 5'),
      '/': page(['/a']),
      '/a': page([]),
    });
    await using web = testClient();
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const steps = crawl(web, { url: `${site.origin}/`, depth: 1, maxPages: 9, profile: 'auto', signal: controller.signal });
    expect((await steps.next()).value).toMatchObject({ kind: 'page' });
    const next = steps.next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});

describe('traps', () => {
  test('endless nesting, endless queries, endless names', async () => {
    await using site = await serve((request, response) => {
      const [path = '', query = ''] = request.url!.split('?');
      const nested = `${path.replace(/\/$/, '')}/deeper/deeper`;
      const month = Number(new URLSearchParams(query).get('month') ?? 0);
      const calendar = Array.from({ length: 40 }, (_, i) => `/calendar?month=${month + i + 1}`);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        page([nested, `/${'long'.repeat(400)}`, `/many?${Array.from({ length: 20 }, (_, i) => `p${i}=1`).join('&')}`, ...calendar]),
      );
    });
    const paths = told(await walk(site, { depth: 3 }));
    expect(paths.filter((path) => path.startsWith('/calendar?'))).toHaveLength(10);
    expect(paths.filter((path) => path.includes('/deeper/deeper/deeper'))).toEqual([]);
    expect(paths.filter((path) => path.length > 1_000 || path.startsWith('/many'))).toEqual([]);
  });

  test('a maze of ever new pages that cannot be had ends, and its state stays small', async () => {
    let room = 0;
    await using site = await serve((request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (request.url === '/' || request.url!.includes('open')) {
        const links = Array.from({ length: 300 }, () => `/${room % 7 === 0 ? 'open' : 'shut'}${room++}/${'x'.repeat(900)}`);
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(links));
      } else response.writeHead(404).end();
    });
    const steps = await walk(site, { depth: 3 });
    expect(withoutRobots(site).length).toBeLessThanOrEqual(200);
    const largest = Math.max(...steps.map((step) => JSON.stringify(step.state).length));
    expect(largest).toBeLessThan(250_000);
  });
});

describe('going on after a kill', () => {
  test('at each step: nothing is lost and nothing is read twice', async () => {
    await using site = await servePages({
      '/': page(['/a', '/b', '/missing']),
      '/a': page(['/a/1', '/b']),
      '/b': page(['/a/1', '/b/1']),
      '/a/1': page([]),
      '/b/1': page([]),
    });
    const whole = told(await walk(site, { depth: 2 }));
    expect(whole).toEqual(['/', '/a', '/b', '/missing: not_found', '/a/1', '/b/1']);
    for (let kill = 1; kill <= whole.length; kill++) {
      await using web = testClient();
      const request: CrawlRequest = { url: `${site.origin}/`, depth: 2, maxPages: 50, profile: 'auto' };
      const steps: CrawlStep[] = [];
      for await (const step of crawl(web, request)) {
        steps.push(step);
        if (steps.length === kill) break;
      }
      // Stored like in a heartbeat.
      const state = JSON.parse(JSON.stringify(steps.at(-1)!.state)) as CrawlState;
      const before = JSON.stringify(state);
      for await (const step of crawl(web, { ...request, state })) steps.push(step);
      expect(told(steps)).toEqual(whole);
      expect(JSON.stringify(state)).toBe(before);
    }
  });

  test('the number of pages holds over both parts', async () => {
    await using site = await servePages({ '/': page(['/a', '/b', '/c']), '/a': page([]), '/b': page([]), '/c': page([]) });
    const [first] = await walk(site, { maxPages: 1 });
    expect(first!.state.pages).toBe(1);
    expect(told(await walk(site, { maxPages: 3, state: first!.state }))).toEqual(['/a', '/b']);
  });
});
