import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '../../contracts/errors.ts';
import { webClient } from './client.ts';
import type { WebClient, WebClientOptions } from './types.ts';

export interface TestSite extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without trailing slash. */
  origin: string;
  port: number;
  /** Method and path of each request, in order. */
  requests: string[];
  /** Headers of each request, in order. */
  headers: IncomingMessage['headers'][];
  /** Number of open connections. */
  open(): number;
}

/** A real server on loopback. */
export async function serve(listener: RequestListener): Promise<TestSite> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let open = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    listener(request, response);
  });
  server.on('connection', (socket) => {
    open++;
    socket.on('close', () => open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    headers,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A server of fixed pages: path → HTML or a handler. All other paths are 404. */
export const servePages = (
  pages: Record<string, string | ((response: ServerResponse, request: IncomingMessage) => void)>,
): Promise<TestSite> =>
  serve((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === 'function') page(response, request);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });

export type TestClient = WebClient & AsyncDisposable;

/** A client that may reach loopback, unless told otherwise. */
export function testClient(options: Partial<WebClientOptions> = {}): TestClient {
  const client = webClient({ allowPrivate: true, userAgent: 'Signalbox/1.0 (+https://example.com/bot)', ...options });
  return { ...client, [Symbol.asyncDispose]: () => client.close() };
}

/** The AppError of the failing work; other errors fail the test. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

export const reasonOf = (error: AppError): unknown => error.details?.['reason'];
