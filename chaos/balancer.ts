/** A load balancer before several apis, as simple as they come: the next ready one gets each request, and none is repeated. */
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { count } from './journal.ts';

export interface Backend {
  name: string;
  url: string;
}

export interface Balancer {
  url: string;
  /** Requests by the api that answered. */
  served: Record<string, number>;
  /** What clients saw and had to repeat, by the reason: an answer 5xx, a connection that broke, no api ready. */
  failed: { at: number; what: string }[];
  add(backend: Backend): void;
  close(): void;
}

/** How often each api is asked for /ready, in ms. */
const probeEvery = 200;
/** Probes in a row that may time out. */
const slowest = 3;

export async function startBalancer(): Promise<Balancer> {
  const backends: (Backend & { ready: boolean })[] = [];
  // A connection for each request: what an api does with idle ones is not the balancer's luck.
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  let turn = 0;
  let closed = false;

  async function watch(backend: Backend & { ready: boolean }): Promise<void> {
    let slow = 0;
    while (!closed) {
      const answer = await fetch(`${backend.url}/ready`, { signal: AbortSignal.timeout(2_000) }).catch((error: Error) => error);
      // A slow answer on a busy machine means nothing yet; a refusal does.
      const late = answer instanceof Error && answer.name === 'TimeoutError';
      slow = late ? slow + 1 : 0;
      if (answer instanceof Response) await answer.arrayBuffer().catch(() => {});
      if (!late || slow >= slowest) backend.ready = answer instanceof Response && answer.ok;
      await new Promise((done) => setTimeout(done, probeEvery));
    }
  }

  function serve(incoming: IncomingMessage, response: ServerResponse, tried: ReadonlySet<string> = new Set()): void {
    const ready = backends.filter(({ ready, name }) => ready && !tried.has(name));
    const backend = ready[(turn += 1) % Math.max(1, ready.length)];
    const fail = (what: string): void => {
      balancer.failed.push({ at: Date.now(), what });
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-type': 'text/plain' }).end('no api is ready');
    };
    if (!backend) return fail('no api is ready');
    const { hostname, port } = new URL(backend.url);
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers, agent });
    let connected = false;
    outgoing.on('socket', (socket) => socket.once('connect', () => ((connected = true), incoming.pipe(outgoing))));
    outgoing.on('error', () => {
      // Nothing was sent: another api may have it.
      if (!connected) {
        backend.ready = false;
        serve(incoming, response, new Set([...tried, backend.name]));
      } else if (!response.destroyed) fail(`${backend.name} broke the connection`);
    });
    outgoing.on('response', (answer) => {
      count(balancer.served, backend.name);
      if ((answer.statusCode ?? 0) >= 500) balancer.failed.push({ at: Date.now(), what: `${backend.name} answered ${answer.statusCode}` });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('aborted', () => fail(`${backend.name} broke an answer`));
    });
    response.once('close', () => outgoing.destroy());
  }

  const server = createServer((incoming, response) => serve(incoming, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served: {},
    failed: [],
    add(backend) {
      const added = { ...backend, ready: false };
      backends.push(added);
      void watch(added);
    },
    close() {
      closed = true;
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
  return balancer;
}
