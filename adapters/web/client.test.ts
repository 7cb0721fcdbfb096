import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { failureOf, reasonOf, serve, servePages, testClient } from './testing.ts';
import type { Resolver } from './targets.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('what it fetches', () => {
  test('bytes with what the server says of them', async () => {
    await using site = await serve((_, response) => {
      response.writeHead(200, {
        'content-type': 'Text/HTML; Charset="ISO-8859-1"',
        etag: '"v1"',
        'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
        'x-robots-tag': 'noindex',
      });
      response.end('hello');
    });
    await using web = testClient();
    const { bytes, ...rest } = await web.fetch(`${site.origin}/docs/a%20b.html?q=1#part`, {
      accept: 'text/html',
      headers: { 'x-one': '1' },
    });
    expect(text(bytes)).toBe('hello');
    expect(rest).toEqual({
      url: `${site.origin}/docs/a%20b.html?q=1`,
      status: 200,
      mediaType: 'text/html',
      charset: 'iso-8859-1',
      filename: 'a b.html',
      etag: '"v1"',
      lastModified: 'Wed, 01 Jan 2025 00:00:00 GMT',
      robotsTag: 'noindex',
      redirects: [],
    });
    expect(site.headers[0]).toMatchObject({ accept: 'text/html', 'x-one': '1', 'user-agent': 'Signalbox/1.0 (+https://example.com/bot)' });
  });

  test('a file name never is a path', async () => {
    const given = [
      `attachment; filename="../../etc/pass\\"wd"`,
      `attachment; filename*=UTF-8''%E2%82%AC%2F..%2Frates.pdf`,
      `attachment; filename=plain.txt; size=3`,
      `inline`,
    ];
    await using site = await serve((request, response) => {
      response.setHeader('content-disposition', given[Number(request.url?.slice(1, 2))] ?? '');
      response.end();
    });
    await using web = testClient();
    const names = [];
    for (const path of ['0/', '1/', '2/', '3/', '3/%5c..%2f..', '3/last%00.md', '3/%ff']) {
      names.push((await web.fetch(`${site.origin}/${path}`)).filename);
    }
    expect(names).toEqual(['pass"wd', 'rates.pdf', 'plain.txt', undefined, undefined, 'last.md', undefined]);
  });

  test('nothing new: 304 comes back as such, and only to who asked', async () => {
    await using site = await serve((request, response) => {
      response.writeHead(request.headers['if-none-match'] === '"v1"' || request.url === '/always' ? 304 : 200, { etag: '"v1"' }).end();
    });
    await using web = testClient();
    expect(await web.fetch(site.origin, { etag: '"v1"' })).toMatchObject({ status: 304, etag: '"v1"', bytes: new Uint8Array() });
    expect(await web.fetch(site.origin, { etag: '"v0"', lastModified: 'Wed, 01 Jan 2025 00:00:00 GMT' })).toMatchObject({ status: 200 });
    expect(site.headers[1]).toMatchObject({ 'if-modified-since': 'Wed, 01 Jan 2025 00:00:00 GMT' });
    expect((await failureOf(web.fetch(`${site.origin}/always`))).code).toBe('VALIDATION_ERROR');
  });

  test('a body is posted', async () => {
    await using site = await serve((request, response) => {
      request.pipe(response);
    });
    await using web = testClient();
    const { bytes } = await web.fetch(site.origin, {
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json', host: 'evil.example' },
    });
    expect(text(bytes)).toBe('{"a":1}');
    expect(site.requests).toEqual(['POST /']);
    expect(site.headers[0]).toMatchObject({ 'content-type': 'application/json', host: `127.0.0.1:${site.port}` });
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['x-gzip', gzipSync('packed')],
    ['deflate', deflateSync('packed')],
    ['deflate', deflateRawSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['gzip, br', brotliCompressSync(gzipSync('packed'))],
    ['identity', Buffer.from('packed')],
    ['gzip', Buffer.alloc(0)],
  ])('%s is unpacked', async (coding, body) => {
    await using site = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body));
    await using web = testClient();
    expect(text((await web.fetch(site.origin)).bytes)).toBe(body.byteLength === 0 ? '' : 'packed');
  });
});

describe('an unwanted body', () => {
  const bodies: Record<string, (response: ServerResponse) => void> = {
    'in an unknown encoding': (response) => void response.writeHead(200, { 'content-encoding': 'rot13' }).end('taken'),
    'that never ends': (response) => void response.writeHead(200).write('ta'),
    'that never ends, at speed': (response) => {
      response.writeHead(200);
      const more = (): void => void response.write(Buffer.alloc(65_536), () => setImmediate(more));
      more();
    },
    'longer than it may be': (response) => void response.writeHead(200, { 'content-length': 10_000_000 }).write('ta'),
    'that breaks off': (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('ta', () => response.destroy());
    },
  };
  test.each(Object.keys(bodies))('%s changes nothing', async (kind) => {
    await using site = await serve((_, response) => bodies[kind]!(response));
    await using web = testClient();
    expect(await web.fetch(site.origin, { body: '{}', ignoreBody: true, maxBytes: 10 })).toMatchObject({
      status: 200,
      bytes: new Uint8Array(),
    });
  });

  test('does not hide a refusal', async () => {
    await using site = await serve((_, response) => response.writeHead(410).end('gone'));
    await using web = testClient();
    expect((await failureOf(web.fetch(site.origin, { body: '{}', ignoreBody: true }))).details).toMatchObject({ status: 410 });
  });
});

describe('where it does not go', () => {
  test.each(['127.0.0.1', '[::1]', '0x7f000001', '2130706433', 'localhost', '[::ffff:10.0.0.1]', '[::ffff:127.0.0.1]', '127.1'])(
    '%s',
    async (host) => {
      await using site = await serve((_, response) => response.end('secret'));
      await using web = testClient({ allowPrivate: false });
      const error = await failureOf(web.fetch(`http://${host}:${site.port}/`));
      expect(error).toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
      expect(reasonOf(error)).toBe('private_address');
      expect(error.hint).toContain('ALLOW_PRIVATE_NETWORK');
      expect(site.open()).toBe(0);
      expect(site.requests).toEqual([]);
    },
  );

  test('a name that resolves to a private address, alone or among public ones', async () => {
    await using site = await serve((_, response) => response.end('secret'));
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1']]) {
      const resolve: Resolver = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      await using web = testClient({ allowPrivate: false, resolve });
      for (const scheme of ['http', 'https']) {
        expect(reasonOf(await failureOf(web.fetch(`${scheme}://intranet.example:${site.port}/`)))).toBe('private_address');
      }
    }
    expect(site.open()).toBe(0);
    expect(site.requests).toEqual([]);
  });

  test('a name that changes its address: resolved once a connection, and the connection goes where was checked', async () => {
    await using site = await serve((_, response) => response.setHeader('connection', 'close').end('public'));
    const answers = ['127.0.0.1', '169.254.169.254'];
    const asked: string[] = [];
    const resolve: Resolver = async (hostname) => {
      asked.push(hostname);
      return [{ address: answers[asked.length - 1] ?? '169.254.169.254', family: 4 }];
    };
    await using web = testClient({ resolve });
    const url = `http://rebind.example:${site.port}/`;
    expect(text((await web.fetch(url)).bytes)).toBe('public');
    expect(asked).toEqual(['rebind.example']);
    expect(site.headers[0]?.host).toBe(`rebind.example:${site.port}`);
    expect(reasonOf(await failureOf(web.fetch(url)))).toBe('private_address');
    expect(asked).toHaveLength(2);
    expect(site.requests).toHaveLength(1);
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data/', 'private_address'],
    ['//169.254.169.254/', 'private_address'],
    ['http://0xa9fea9fe/', 'private_address'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://127.0.0.1:70/', 'scheme'],
    ['http://user:pw@127.0.0.1/', 'credentials'],
    ['http://127.0.0.1:6379/', 'port'],
    ['http://[', 'invalid'],
  ])('where a redirect points: %s', async (location, reason) => {
    await using site = await serve((_, response) => response.writeHead(302, { location }).end());
    await using web = testClient();
    expect(reasonOf(await failureOf(web.fetch(site.origin)))).toBe(reason);
    expect(site.requests).toHaveLength(1);
  });
});

describe('redirects', () => {
  const counting = (
    response: { writeHead(status: number, headers?: object): { end(text?: string): void } },
    url: string,
    status = 302,
  ): void => {
    const left = Number(url.slice(1));
    if (left === 0) response.writeHead(200).end('there');
    else response.writeHead(status, { location: `/${left - 1}` }).end('an ignored body');
  };

  test('five are followed, six are not', async () => {
    await using site = await serve((request, response) => counting(response, request.url ?? ''));
    await using web = testClient();
    const fetched = await web.fetch(`${site.origin}/5`);
    expect(fetched.url).toBe(`${site.origin}/0`);
    expect(fetched.redirects).toEqual([4, 3, 2, 1, 0].map((left) => `${site.origin}/${left}`));
    expect(reasonOf(await failureOf(web.fetch(`${site.origin}/6`)))).toBe('redirect');
    expect(site.requests).toHaveLength(12);
  });

  test('a loop ends', async () => {
    await using site = await serve((_, response) => response.writeHead(301, { location: '/' }).end());
    await using web = testClient();
    expect(await failureOf(web.fetch(site.origin))).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'redirect' } });
    expect(site.requests).toHaveLength(6);
  });

  test('secrets stay with their origin', async () => {
    await using other = await serve((_, response) => response.end());
    await using site = await serve((request, response) =>
      response.writeHead(307, { location: request.url === '/same' ? '/away' : `${other.origin}/` }).end(),
    );
    await using web = testClient();
    await web.fetch(`${site.origin}/same`, {
      headers: { Authorization: 'Bearer s', cookie: 'a=b', 'x-api-key': 'k', 'accept-language': 'de' },
    });
    expect(site.headers[1]).toMatchObject({ authorization: 'Bearer s', cookie: 'a=b', 'x-api-key': 'k' });
    expect(other.headers[0]).toMatchObject({ 'accept-language': 'de', 'user-agent': web.userAgent });
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(other.headers[0]).not.toHaveProperty(name);
  });

  test('what was posted: to GET after 302, again after 307, never to another origin', async () => {
    await using other = await serve((_, response) => response.end());
    await using site = await serve((request, response) => {
      if (request.url === '/end') return void request.pipe(response);
      const [, status, to] = (request.url ?? '').split('/');
      response.writeHead(Number(status), { location: to === 'end' ? '/end' : other.origin }).end();
    });
    await using web = testClient();
    expect(text((await web.fetch(`${site.origin}/307/end`, { body: 'posted' })).bytes)).toBe('posted');
    expect(text((await web.fetch(`${site.origin}/302/end`, { body: 'posted' })).bytes)).toBe('');
    expect(site.requests).toEqual(['POST /307/end', 'POST /end', 'POST /302/end', 'GET /end']);
    expect(reasonOf(await failureOf(web.fetch(`${site.origin}/308/away`, { body: 'posted' })))).toBe('redirect');
    expect(other.requests).toEqual([]);
  });

  test('the caller may object', async () => {
    await using site = await serve((request, response) => counting(response, request.url ?? ''));
    await using web = testClient();
    const onRedirect = (to: URL): void => {
      if (to.pathname === '/1') throw new RangeError('not there');
    };
    await expect(web.fetch(`${site.origin}/3`, { onRedirect })).rejects.toThrow(RangeError);
    expect(site.requests).toEqual(['GET /3', 'GET /2']);
  });
});

describe('size', () => {
  test('an endless body ends at the limit, and so does the connection', async () => {
    let sent = 0;
    await using site = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    await using web = testClient();
    expect(await failureOf(web.fetch(site.origin, { maxBytes: 1_000_000 }))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      details: { reason: 'too_large', maxBytes: 1_000_000 },
    });
    await vi.waitFor(() => expect(site.open()).toBe(0), { timeout: 20_000 });
    expect(sent).toBeLessThan(20_000_000);
  });

  test('a body that is announced as too large is not read', async () => {
    await using site = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '5000000000' });
      response.write('first');
    });
    await using web = testClient();
    expect((await failureOf(web.fetch(site.origin))).code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('exactly the limit is allowed', async () => {
    await using site = await serve((_, response) => response.end(Buffer.alloc(200_000, 7)));
    await using web = testClient();
    const { bytes } = await web.fetch(site.origin, { maxBytes: 200_000 });
    expect(bytes.byteLength).toBe(200_000);
    expect(bytes.every((byte) => byte === 7)).toBe(true);
    expect((await failureOf(web.fetch(site.origin, { maxBytes: 199_999 }))).code).toBe('PAYLOAD_TOO_LARGE');
  });

  test.each([
    ['gzip', () => gzipSync(Buffer.alloc(300_000_000))],
    ['br', () => brotliCompressSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(100_000_000)))],
  ])('a bomb of %s costs no more than the limit', async (coding, make) => {
    const bomb = make();
    await using site = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(bomb));
    await using web = testClient();
    const before = process.memoryUsage().rss;
    expect((await failureOf(web.fetch(site.origin, { maxBytes: 1_000_000 }))).code).toBe('PAYLOAD_TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
  });

  test.each([
    ['gzip', Buffer.from('not gzip')],
    ['gzip', gzipSync('cut short').subarray(0, 15)],
    ['br', Buffer.from([255, 255, 255])],
    ['zstd', Buffer.from('x')],
    ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
  ])('bad %s is told', async (coding, body) => {
    await using site = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body));
    await using web = testClient();
    expect(await failureOf(web.fetch(site.origin))).toMatchObject({ code: 'VALIDATION_ERROR', details: { reason: 'encoding' } });
  });

  test('a media type that is not wanted is not read', async () => {
    await using site = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write('endless');
    });
    await using web = testClient();
    const error = await failureOf(
      web.fetch(`${site.origin}/film.mp4`, { acceptsType: (type, name) => type === 'text/html' && name === 'film.mp4' }),
    );
    expect(error.details).toMatchObject({ reason: 'media_type', mediaType: 'video/mp4' });
    await vi.waitFor(() => expect(site.open()).toBe(0), { timeout: 20_000 });
  });
});

describe('time', () => {
  test('headers that do not come', async () => {
    await using site = await serve(() => {});
    await using web = testClient({ limits: { headersTimeoutMs: 100 } });
    expect(await failureOf(web.fetch(site.origin))).toMatchObject({ code: 'TIMEOUT', retryable: true, details: { reason: 'timeout' } });
  });

  test('a body that falls silent', async () => {
    await using site = await serve((_, response) => void response.write('first'));
    await using web = testClient({ limits: { idleTimeoutMs: 100 } });
    expect((await failureOf(web.fetch(site.origin))).code).toBe('TIMEOUT');
  });

  test('one for all, where the caller wants it: no shorter limit ends what may take longer', async () => {
    const held: ServerResponse[] = [];
    await using site = await serve((_, response) => void held.push(response));
    await using web = testClient({ limits: { headersTimeoutMs: 100, idleTimeoutMs: 100 } });
    const patient = web.fetch(`${site.origin}/patient`, { timeoutMs: 30_000, oneTimeout: true });
    const failed = async (path: string) => (await failureOf(web.fetch(site.origin + path))).code;
    // The limits of two abandoned requests do not affect this one.
    expect([await failed('/a'), await failed('/b')]).toEqual(['TIMEOUT', 'TIMEOUT']);
    const mine = held[site.requests.indexOf('GET /patient')]!;
    mine.write('late ');
    expect([await failed('/c'), await failed('/d')]).toEqual(['TIMEOUT', 'TIMEOUT']);
    mine.end('but here');
    expect(text((await patient).bytes)).toBe('late but here');
    expect((await failureOf(web.fetch(`${site.origin}/never`, { timeoutMs: 300, oneTimeout: true }))).code).toBe('TIMEOUT');
  });

  test('a body that drips', async () => {
    await using site = await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    await using web = testClient();
    const started = performance.now();
    expect((await failureOf(web.fetch(site.origin, { timeoutMs: 300 }))).code).toBe('TIMEOUT');
    expect(performance.now() - started).toBeLessThan(20_000);
    await vi.waitFor(() => expect(site.open()).toBe(0), { timeout: 20_000 });
  });

  test('redirects share one time limit', async () => {
    await using site = await serve((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 150);
    });
    await using web = testClient();
    expect((await failureOf(web.fetch(site.origin, { timeoutMs: 300 }))).code).toBe('TIMEOUT');
    expect(site.requests.length).toBeLessThan(4);
  });

  test('the caller gives up, with its own reason', async () => {
    await using site = await serve((_, response) => void response.write('first'));
    await using web = testClient();
    const controller = new AbortController();
    const fetching = web.fetch(site.origin, { signal: controller.signal });
    await vi.waitFor(() => expect(site.requests).toHaveLength(1), { timeout: 20_000 });
    const reason = new Error('cancelled by its owner');
    controller.abort(reason);
    await expect(fetching).rejects.toBe(reason);
    await expect(web.fetch(site.origin, { signal: controller.signal })).rejects.toBe(reason);
    await vi.waitFor(() => expect(site.open()).toBe(0), { timeout: 20_000 });
  });
});

describe('politeness', () => {
  test('two at once for a host, the others in order; who waits may leave', async () => {
    const answers: (() => void)[] = [];
    let most = 0;
    await using site = await serve((request, response) => {
      answers.push(() => response.end(request.url));
      most = Math.max(most, answers.length);
    });
    await using web = testClient();
    const leaver = new AbortController();
    const all = ['/1', '/2', '/3', '/4'].map((path) =>
      web.fetch(`${site.origin}${path}`, path === '/3' ? { signal: leaver.signal } : {}).catch((error: unknown) => error),
    );
    await vi.waitFor(() => expect(answers).toHaveLength(2), { timeout: 20_000 });
    leaver.abort(new Error('left'));
    expect(await all[2]).toEqual(new Error('left'));
    answers.shift()!();
    await vi.waitFor(() => expect(site.requests).toEqual(['GET /1', 'GET /2', 'GET /4']), { timeout: 20_000 });
    while (answers.length > 0) answers.shift()!();
    for (const one of [0, 1, 3]) expect(await all[one]).toMatchObject({ status: 200 });
    expect(most).toBe(2);
  });

  test('a failure gives its place back', async () => {
    await using site = await serve((_, response) => response.writeHead(500).end());
    await using web = testClient({ limits: { perHost: 1 } });
    for (let i = 0; i < 4; i++) expect((await failureOf(web.fetch(site.origin))).code).toBe('SERVICE_UNAVAILABLE');
    expect(site.requests).toHaveLength(4);
  });
});

describe('what failures mean', () => {
  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'FORBIDDEN'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [410, 'NOT_FOUND'],
    [418, 'VALIDATION_ERROR'],
    [429, 'SERVICE_UNAVAILABLE'],
    [451, 'FORBIDDEN'],
    [500, 'SERVICE_UNAVAILABLE'],
    [503, 'SERVICE_UNAVAILABLE'],
    [302, 'VALIDATION_ERROR'],
  ])('status %i is %s', async (status, code) => {
    await using site = await serve((_, response) => response.writeHead(status).end('details'));
    await using web = testClient();
    const error = await failureOf(web.fetch(`${site.origin}/page?token=hunter2`));
    expect(error).toMatchObject({ code, details: { reason: 'http_status', status } });
    expect(error.hint).toBeTruthy();
    expect(error.message).toContain('/page');
    expect(error.message).not.toContain('hunter2');
  });

  test('Retry-After is passed on, as seconds or as a date', async () => {
    const values = ['120', new Date(Date.now() + 60_000).toUTCString(), 'soon', '99999999', 'Wed, 01 Jan 2020 00:00:00 GMT'];
    await using site = await serve((request, response) =>
      response.writeHead(429, { 'retry-after': values[Number(request.url?.slice(1))] }).end(),
    );
    await using web = testClient();
    const seconds = [];
    for (const i of values.keys()) seconds.push((await failureOf(web.fetch(`${site.origin}/${i}`))).retryAfterSeconds);
    expect(seconds).toEqual([120, expect.any(Number), undefined, 86_400, 0]);
    expect(seconds[1]).toBeGreaterThan(55);
    expect(seconds[1]).toBeLessThan(62);
  });

  test('a body shorter than announced', async () => {
    await using site = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('only this');
      setImmediate(() => response.destroy());
    });
    await using web = testClient();
    expect(await failureOf(web.fetch(site.origin))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { reason: 'network' } });
  });

  test('a body longer than announced is cut, and does not leak into the next answer', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil'),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await using web = testClient();
    for (let i = 0; i < 2; i++) expect(text((await web.fetch(`http://127.0.0.1:${port}/`)).bytes)).toBe('hello');
    server.close();
  });

  test('no server, no HTTP, no TLS, no such name, no end of headers', async () => {
    const talker = createServer((socket) => {
      socket.on('error', () => {});
      socket.resume().end('220 mail.example ESMTP\r\n');
    });
    talker.listen(0, '127.0.0.1');
    await once(talker, 'listening');
    const { port } = talker.address() as { port: number };
    await using site = await servePages({ '/': (response) => response.writeHead(200, { 'x-big': 'x'.repeat(20_000) }).end() });
    const resolve: Resolver = async (hostname) => {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    };
    await using web = testClient({ resolve });
    const meant = async (url: string): Promise<unknown[]> => {
      const error = await failureOf(web.fetch(url));
      return [error.code, reasonOf(error)];
    };
    expect(await meant(`http://127.0.0.1:${port}/`)).toEqual(['SERVICE_UNAVAILABLE', 'protocol']);
    expect(await meant(`https://127.0.0.1:${site.port}/`)).toEqual(['SERVICE_UNAVAILABLE', 'tls']);
    expect(await meant('http://no-such-name.example/')).toEqual(['SERVICE_UNAVAILABLE', 'dns']);
    expect(await meant(site.origin)).toEqual(['SERVICE_UNAVAILABLE', 'protocol']);
    talker.close();
    await once(talker, 'close');
    expect(await meant(`http://127.0.0.1:${port}/`)).toEqual(['SERVICE_UNAVAILABLE', 'network']);
  });

  test('closing ends what runs', async () => {
    await using site = await serve(() => {});
    const web = testClient();
    const fetching = failureOf(web.fetch(site.origin));
    await vi.waitFor(() => expect(site.requests).toHaveLength(1), { timeout: 20_000 });
    await web.close();
    expect((await fetching).code).toBe('SERVICE_UNAVAILABLE');
  });
});
