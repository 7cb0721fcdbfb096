import { expect, test } from 'vitest';
import { guardedFetch, type GuardedFetchLimits } from './guarded-fetch.ts';
import { failureOf, reasonOf, serve } from './testing.ts';
import type { WebClientOptions } from './types.ts';

function open(options: Partial<WebClientOptions> = {}, limits: Partial<GuardedFetchLimits> = {}) {
  const guarded = guardedFetch({ allowPrivate: true, userAgent: 'Signalbox/1.0', ...options, limits });
  return { fetch: guarded.fetch, [Symbol.asyncDispose]: () => guarded.close() };
}

test('any status comes back with headers and body', async () => {
  await using site = await serve((request, response) => {
    response.writeHead(418, { 'content-type': 'application/json' });
    request.pipe(response);
  });
  await using web = open();
  const answer = await web.fetch(site.origin, { method: 'POST', body: '{"a":1}', headers: { 'X-Api-Key': 'k' } });
  expect(answer.status).toBe(418);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toEqual({ a: 1 });
  expect(site.headers[0]).toMatchObject({ 'x-api-key': 'k', 'accept-encoding': 'identity', 'user-agent': 'Signalbox/1.0' });
});

test('a body streams while it is being written, and giving up closes the connection', async () => {
  let proceed = (): void => {};
  await using site = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    proceed = () => response.write('data: 2\n\n');
  });
  await using web = open();
  const answer = await web.fetch(site.origin, { headers: { accept: 'text/event-stream' } });
  const reader = answer.body!.getReader();
  const text = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await text()).toBe('data: 1\n\n');
  proceed();
  expect(await text()).toBe('data: 2\n\n');
  await reader.cancel();
  await expect.poll(() => site.open()).toBe(0);
});

test('private addresses, written out or by name, are not connected to', async () => {
  await using site = await serve((_, response) => response.end('secret'));
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
  await using web = open({ allowPrivate: false, resolve });
  for (const host of ['127.0.0.1', '[::1]', 'agent.example']) {
    expect(reasonOf(await failureOf(web.fetch(`http://${host}:${site.port}/`)))).toBe('private_address');
  }
  expect(reasonOf(await failureOf(web.fetch('http://169.254.169.254/latest')))).toBe('private_address');
  expect(site.requests).toEqual([]);
});

test('redirects are refused', async () => {
  await using site = await serve((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  await using web = open();
  expect(reasonOf(await failureOf(web.fetch(site.origin, { method: 'POST', body: 'x' })))).toBe('redirect');
  expect(site.requests).toEqual(['POST /']);
});

test('an answer that is too large, packed, late or cut short fails', async () => {
  await using site = await serve((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(2_000));
    else if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (request.url === '/silent') response.write('x');
    else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '10' });
      response.write('x', () => response.destroy());
    }
  });
  await using web = open({}, { maxBytes: 1_000, idleTimeoutMs: 1_500, headersTimeoutMs: 2_000 });
  const read = async (path: string) => (await web.fetch(`${site.origin}${path}`)).text();
  expect((await failureOf(read('/large'))).code).toBe('PAYLOAD_TOO_LARGE');
  expect(reasonOf(await failureOf(read('/packed')))).toBe('encoding');
  expect((await failureOf(read('/silent'))).code).toBe('TIMEOUT');
  expect((await failureOf(read('/never'))).code).toBe('TIMEOUT');
  expect((await failureOf(read('/cut'))).code).toBe('SERVICE_UNAVAILABLE');
});

test('aborts with the caller, before and while reading', async () => {
  await using site = await serve((request, response) => {
    if (request.url === '/body') response.write('x');
  });
  await using web = open();
  const controller = new AbortController();
  const waiting = web.fetch(site.origin, { signal: controller.signal });
  const answer = await web.fetch(`${site.origin}/body`, { signal: controller.signal });
  const reading = answer.text();
  controller.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
  await expect(reading).rejects.toThrow('stop');
});

test('takes no Request and no stream as a body', async () => {
  await using web = open();
  await expect(web.fetch(new Request('http://127.0.0.1/'))).rejects.toThrow(TypeError);
  await expect(web.fetch('http://127.0.0.1/', { method: 'POST', body: new Blob(['x']) })).rejects.toThrow(TypeError);
});
