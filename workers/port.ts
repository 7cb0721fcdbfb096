/** The port of a worker, for probes and scrapers: /health, /ready, /metrics. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashOf } from '../contracts/ids.ts';
import { AppError } from '../contracts/errors.ts';

/** As the api's routes of the same names: state of each part. */
export type Ready = Record<string, { up: boolean; optional?: boolean; detail?: string }>;

export interface PortOptions {
  host: string;
  port: number;
  version: string;
  /** What a scraper sends. Without one, only this machine may scrape. */
  token: string | undefined;
  ready(): Promise<Ready>;
  /** Prometheus text. */
  metrics(): Promise<{ text: string; contentType: string }>;
}

export interface Port {
  address: string;
  /** From now on /ready answers 503. */
  drain(): void;
  close(): Promise<void>;
}

/** @throws AppError when the port cannot be listened on */
export async function openPort(options: PortOptions): Promise<Port> {
  const { host, port, version } = options;
  const started = Date.now();
  let draining = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://worker').pathname;
    if (request.method !== 'GET') return json(response, 405, { error: 'Only GET is served here.' }, { allow: 'GET' });
    if (path === '/health') {
      const uptime_seconds = Math.round((Date.now() - started) / 1_000);
      return json(response, 200, { status: 'ok', service: 'signalbox-worker', version, uptime_seconds });
    }
    if (path === '/ready') {
      const parts = await options.ready();
      const ready = !draining && Object.values(parts).every(({ up, optional }) => up || optional);
      const dependencies = Object.fromEntries(
        Object.entries(parts).map(([name, { up, ...more }]) => [name, { status: up ? 'up' : 'down', ...more }]),
      );
      return json(response, ready ? 200 : 503, { ready, ...(draining ? { draining } : {}), dependencies });
    }
    if (path !== '/metrics') return json(response, 404, { error: 'A worker serves /health, /ready and /metrics.' });
    if (!mayScrape(request)) {
      const hint = options.token ? 'Send "Authorization: Bearer" with METRICS_TOKEN.' : 'Set METRICS_TOKEN to scrape from another machine.';
      return json(response, 401, { error: 'Metrics are not public.', hint }, { 'www-authenticate': 'Bearer' });
    }
    const { text, contentType } = await options.metrics();
    response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
  }

  function mayScrape({ headers, socket }: IncomingMessage): boolean {
    if (options.token === undefined) return isLoopback(socket.remoteAddress);
    const [, given = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    return hashOf(given) === hashOf(options.token);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) json(response, 500, { error: 'This could not be read.' });
      else response.destroy();
    });
  });
  await listening(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    address: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    drain: () => {
      draining = true;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const isLoopback = (address = ''): boolean => address === '::1' || /^(::ffff:)?127\./.test(address);

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
    .end(`${JSON.stringify(body)}\n`);
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  try {
    await promise;
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', `The worker cannot listen on ${host}:${port}: ${(error as Error).message}.`, {
      hint: 'Set WORKER_PORT to a free port, or to 0 for none. Several workers on one machine need one each.',
      cause: error,
    });
  }
}
