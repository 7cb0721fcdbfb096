import { describe, expect, test } from 'vitest';
import { robots } from './robots.ts';
import { serve, servePages, testClient } from './testing.ts';

const verdictsFor = async (file: string, paths: string[]): Promise<string[]> => {
  await using site = await servePages({ '/robots.txt': (response) => response.end(file) });
  await using web = testClient();
  const rules = robots(web);
  const verdicts = [];
  for (const path of paths) verdicts.push((await rules.rulesFor(`${site.origin}${path}`)).verdict);
  expect(site.requests).toEqual(['GET /robots.txt']);
  return verdicts;
};

describe('rules', () => {
  test('the longest one counts, allow before disallow', async () => {
    const file = 'User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.pdf$\nDisallow: /same\nAllow: /same\n';
    expect(await verdictsFor(file, ['/', '/private/x', '/private/open/x', '/a.pdf', '/a.pdf?x', '/same'])).toEqual([
      'allowed',
      'forbidden',
      'allowed',
      'forbidden',
      'allowed',
      'allowed',
    ]);
  });

  test('our own group replaces the general one, at any place and in parts', async () => {
    const file = [
      'User-agent: otherbot',
      'User-agent: SignalBox/2.0 # us',
      'Disallow: /a',
      '',
      'User-agent: *',
      'Disallow: /',
      'User-agent: signalbox',
      'Disallow: /b',
      'User-agent: third',
      'Disallow: /c',
    ].join('\r\n');
    expect(await verdictsFor(file, ['/', '/a', '/b', '/c'])).toEqual(['allowed', 'forbidden', 'forbidden', 'allowed']);
  });

  test('an empty Disallow allows everything; rules without an agent are ignored; HTML is not a robots.txt', async () => {
    expect(await verdictsFor('User-agent: signalbox\nDisallow:\n\nUser-agent: *\nDisallow: /', ['/x'])).toEqual(['allowed']);
    expect(await verdictsFor('Disallow: /', ['/x'])).toEqual(['allowed']);
    expect(await verdictsFor('<!doctype html><p>Welcome: all</p>', ['/x'])).toEqual(['allowed']);
  });

  test('a wish for slowness is heard, up to a bound', async () => {
    await using site = await serve((request, response) =>
      response.end(`User-agent: *\nCrawl-delay: ${request.headers['host']?.startsWith('127') ? '0.25' : '3600'}`),
    );
    await using web = testClient();
    const rules = robots(web);
    expect(await rules.rulesFor(`${site.origin}/`)).toEqual({ verdict: 'allowed', delayMs: 250 });
    expect(await rules.rulesFor(`http://localhost:${site.port}/`)).toEqual({ verdict: 'allowed', delayMs: 5_000 });
  });
});

describe('a file that is not there', () => {
  test.each([
    [404, 'allowed'],
    [401, 'allowed'],
    [403, 'allowed'],
    [410, 'allowed'],
    [429, 'unknown'],
    [500, 'unknown'],
    [503, 'unknown'],
  ])('status %i: %s', async (status, verdict) => {
    await using site = await serve((_, response) => response.writeHead(status, { 'retry-after': '7' }).end());
    await using web = testClient();
    const rules = robots(web);
    expect(await rules.rulesFor(`${site.origin}/x`)).toMatchObject({ verdict, delayMs: 0 });
    expect(await rules.allowed(`${site.origin}/x`)).toBe(verdict === 'allowed');
    expect(site.requests).toEqual(['GET /robots.txt']);
  });

  test('a server that is down tells nothing', async () => {
    const site = await serve(() => {});
    await site[Symbol.asyncDispose]();
    await using web = testClient();
    const { verdict, failure } = await robots(web).rulesFor(`${site.origin}/x`);
    expect(verdict).toBe('unknown');
    expect(failure?.details).toMatchObject({ reason: 'network' });
  });

  test('askers share one request, and one that leaves does not spoil it', async () => {
    let answer = (): void => {};
    await using site = await serve((_, response) => {
      answer = () => response.end('User-agent: *\nDisallow: /no');
    });
    await using web = testClient();
    const rules = robots(web);
    const leaver = new AbortController();
    const left = rules.rulesFor(`${site.origin}/no`, leaver.signal);
    const stays = rules.rulesFor(`${site.origin}/no`);
    leaver.abort(new Error('left'));
    while (site.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answer();
    await expect(left).rejects.toThrow('left');
    expect((await stays).verdict).toBe('forbidden');
    expect(site.requests).toHaveLength(1);
  });
});

describe('hostile files', () => {
  test('agents times rules would not fit into memory', async () => {
    const agents = Array.from({ length: 17_000 }, (_, i) => `User-agent: a${i}\n`).join('');
    const file = `${agents}${'User-agent: *\n'.repeat(5_000)}${'Allow: /a\n'.repeat(9_000)}Disallow: /b\n`;
    const before = process.memoryUsage().heapUsed;
    expect(await verdictsFor(file, ['/a', '/b'])).toEqual(['allowed', 'forbidden']);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  test.each([
    ['wildcards', `User-agent: *\n${`Disallow: ${'*a'.repeat(900)}b\n`.repeat(250)}`],
    ['stars in a row', `User-agent: *\n${`Disallow: /${'*'.repeat(1_900)}b\n`.repeat(250)}`],
    ['more rules than anybody needs', `User-agent: *\n${'Disallow: /a\n'.repeat(30_000)}`],
    ['one line without end', `User-agent: *\nDisallow: /${'*a'.repeat(240_000)}`],
  ])('%s cost no time', async (_, file) => {
    const started = performance.now();
    await verdictsFor(
      file,
      Array.from({ length: 20 }, (_none, i) => `/${'a'.repeat(900)}${i}`),
    );
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('what is too long is cut at a line, what is far too long tells nothing', async () => {
    const long = `User-agent: *\nDisallow: /no\n${`# ${'x'.repeat(98)}\n`.repeat(6_000)}`;
    expect(await verdictsFor(long, ['/no', '/yes'])).toEqual(['forbidden', 'allowed']);
    expect(await verdictsFor('#'.repeat(3_000_000), ['/'])).toEqual(['unknown']);
  });
});
