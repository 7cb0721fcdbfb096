import { afterEach, expect, it } from 'vitest';
import { openPort, type Port, type PortOptions, type Ready } from './port.ts';

let port: Port | undefined;
afterEach(() => port?.close());

const up: Ready = { postgres: { up: true }, temporal: { up: true } };
const open = async (more: Partial<PortOptions> = {}): Promise<Port> =>
  (port = await openPort({
    host: '127.0.0.1',
    port: 0,
    version: '1.2.3',
    token: undefined,
    ready: async () => up,
    metrics: async () => ({ text: 'signalbox_info 1\n', contentType: 'text/plain; version=0.0.4' }),
    ...more,
  }));
const get = async (path: string, headers: Record<string, string> = {}): Promise<[number, any]> => {
  const response = await fetch(`${port!.address}${path}`, { headers });
  const text = await response.text();
  return [response.status, response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text];
};

it('tells probes whether it lives and whether it works', async () => {
  let parts = up;
  await open({ ready: async () => parts });
  expect(await get('/health')).toEqual([200, { status: 'ok', service: 'signalbox-worker', version: '1.2.3', uptime_seconds: 0 }]);
  expect(await get('/ready')).toEqual([200, { ready: true, dependencies: { postgres: { status: 'up' }, temporal: { status: 'up' } } }]);
  parts = { ...up, temporal: { up: false, detail: 'does not answer' } };
  expect(await get('/ready')).toMatchObject([
    503,
    { ready: false, dependencies: { temporal: { status: 'down', detail: 'does not answer' } } },
  ]);
  parts = { ...up, embeddings: { up: false, optional: true } };
  expect((await get('/ready'))[0]).toBe(200);
  port!.drain();
  expect(await get('/ready')).toMatchObject([503, { ready: false, draining: true }]);
  expect((await get('/health'))[0]).toBe(200);
  expect((await get('/else'))[0]).toBe(404);
  expect((await fetch(`${port!.address}/metrics`, { method: 'POST' })).status).toBe(405);
});

it('shows metrics to this machine, and with a token only to those who have it', async () => {
  await open();
  expect(await get('/metrics')).toEqual([200, 'signalbox_info 1\n']);
  await port!.close();
  await open({ token: 'a-token-for-scrapers' });
  expect((await get('/metrics'))[0]).toBe(401);
  expect((await get('/metrics', { authorization: 'Bearer another' }))[0]).toBe(401);
  expect(await get('/metrics', { authorization: 'Bearer a-token-for-scrapers' })).toEqual([200, 'signalbox_info 1\n']);
});

it('answers a scrape that fails, and goes on', async () => {
  await open({ metrics: () => Promise.reject(new Error('secret detail')) });
  const [status, body] = await get('/metrics');
  expect([status, JSON.stringify(body)]).toEqual([500, '{"error":"This could not be read."}']);
  expect((await get('/health'))[0]).toBe(200);
});

it('says which setting to change when its port is taken', async () => {
  await open();
  const taken = Number(new URL(port!.address).port);
  await expect(
    openPort({
      host: '127.0.0.1',
      port: taken,
      version: '',
      token: undefined,
      ready: async () => up,
      metrics: () => Promise.reject(new Error()),
    }),
  ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', hint: expect.stringContaining('WORKER_PORT') as string });
});
