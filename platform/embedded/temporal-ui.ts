/**
 * The proxy through which browsers reach the embedded Temporal's UI. The UI itself answers under every host name, so
 * a web page with DNS rebinding could read it and act through it. This proxy answers only under this machine's names,
 * and only reads.
 */
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isPortFree, portTaken } from './ports.ts';

/**
 * Ports that browsers refuse (the Fetch standard's "bad ports"): no web page can reach a server on them, under any
 * name.
 */
const outOfBrowsers = [6665, 6666, 6667, 6668, 6669, 6679, 6697, 6566, 10080, 5060, 5061, 4190, 4045, 3659, 1719, 1720, 1723];

/** @returns up to `count` free ports of the list */
export async function portsOutOfBrowsers(count: number): Promise<number[]> {
  const found: number[] = [];
  // Random, so that several stacks on a machine do not start with the same port.
  const first = Math.floor(Math.random() * outOfBrowsers.length);
  for (let i = 0; i < outOfBrowsers.length && found.length < count; i += 1) {
    const port = outOfBrowsers[(first + i) % outOfBrowsers.length]!;
    if (await isPortFree(port)) found.push(port);
  }
  return found;
}

/** @throws AppError with the reason `port_taken` */
export async function startUiFront(port: number, upstream: number): Promise<{ stop(): Promise<void> }> {
  const server = createServer((asked, answer) => {
    const refusal = refused(asked);
    if (refusal) return void end(answer, ...refusal);
    pass(asked, answer, upstream);
  });
  await listen(server, port);
  return {
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const ours = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

function refused({ method, headers }: IncomingMessage): [status: number, why: string] | null {
  if (!ours.test(headers.host ?? '')) return [403, 'This page is served under localhost and 127.0.0.1 only.'];
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return [403, 'Other pages may not send requests here.'];
  if (method === 'GET' || method === 'HEAD') return null;
  return [405, "Temporal's UI is read-only: use Signalbox's tools or command line to change anything."];
}

const settings = '/api/v1/settings';

function pass(asked: IncomingMessage, answer: ServerResponse, upstream: number): void {
  const isSettings = asked.url?.split('?', 1)[0] === settings;
  const headers = { ...asked.headers, host: `127.0.0.1:${upstream}`, ...(isSettings ? { 'accept-encoding': 'identity' } : {}) };
  const forwarded = request({ host: '127.0.0.1', port: upstream, method: asked.method, path: asked.url, headers }, (got) => {
    const passed = { ...got.headers, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
    got.on('error', () => answer.destroy());
    if (isSettings && got.statusCode === 200) return void readOnly(got, answer, passed);
    answer.writeHead(got.statusCode ?? 502, passed);
    got.pipe(answer);
  });
  forwarded.on('error', () => end(answer, 502, 'Temporal is not reachable.'));
  answer.on('close', () => forwarded.destroy());
  forwarded.end();
}

/** The UI reads its permissions from its settings, so it hides buttons that this proxy would refuse. */
function readOnly(got: IncomingMessage, answer: ServerResponse, headers: IncomingMessage['headers']): void {
  const chunks: Buffer[] = [];
  got.on('data', (chunk: Buffer) => chunks.push(chunk));
  got.on('end', () => {
    let told: Record<string, unknown>;
    try {
      told = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    } catch {
      return end(answer, 502, 'Temporal gave no settings.');
    }
    const body = Buffer.from(JSON.stringify({ ...told, DisableWriteActions: true }));
    delete headers['transfer-encoding'];
    answer.writeHead(200, { ...headers, 'content-length': body.length });
    answer.end(body);
  });
}

function end(answer: ServerResponse, status: number, why: string): void {
  if (answer.headersSent) return void answer.destroy();
  const allow = status === 405 ? { allow: 'GET, HEAD' } : {};
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...allow });
  answer.end(`${why}\n`);
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'EADDRINUSE'
          ? portTaken(`The proxy of Temporal's UI cannot listen on port ${port}: it is taken.`, 'Set TEMPORAL_UI_PORT to another port.')
          : error,
      ),
    );
    server.listen(port, '127.0.0.1', done);
  });
}
