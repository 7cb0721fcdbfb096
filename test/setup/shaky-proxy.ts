/** A proxy before an api that loses answers and refuses connections when it is told to. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ShakyProxy {
  url: string;
  /** Calls that reached the api, by tool. */
  calls: { tool: string; key: string | undefined; worker: string | undefined; status: number }[];
  /** The api gets the next calls of this tool, the client gets no answer. */
  loseAnswers(tool: string, count: number): void;
  /** Answers the next calls of this tool without asking the api. */
  answerInstead(tool: string, answers: { status: number; headers?: Record<string, string>; body: string }[]): void;
  /** Breaks all connections, and each new one. */
  away: boolean;
  close(): Promise<void>;
}

export async function shakyProxy(target: () => string): Promise<ShakyProxy> {
  const lost = new Map<string, number>();
  const instead = new Map<string, { status: number; headers?: Record<string, string>; body: string }[]>();

  function serve(incoming: IncomingMessage, response: ServerResponse): void {
    if (proxy.away) return void incoming.socket.destroy();
    const tool = /^\/api\/tools\/([^/?]+)$/.exec(incoming.url ?? '')?.[1] ?? '';
    const other = instead.get(tool)?.shift();
    if (other) {
      incoming.resume();
      response.writeHead(other.status, other.headers).end(other.body);
      return;
    }
    const { hostname, port } = new URL(target());
    const outgoing = request({ hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers, agent: false });
    incoming.pipe(outgoing);
    outgoing.on('error', () => response.destroy());
    outgoing.on('response', (answer) => {
      const { 'idempotency-key': key, 'x-agent-id': worker } = incoming.headers;
      proxy.calls.push({ tool, key: key as string | undefined, worker: worker as string | undefined, status: answer.statusCode ?? 0 });
      const losing = lost.get(tool) ?? 0;
      if (losing > 0 || proxy.away) {
        lost.set(tool, Math.max(0, losing - 1));
        answer.resume();
        answer.on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.once('close', () => outgoing.destroy());
  }

  const server = createServer(serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  let away = false;
  const proxy: ShakyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    loseAnswers: (tool, count) => void lost.set(tool, count),
    answerInstead: (tool, answers) => void instead.set(tool, [...answers]),
    get away() {
      return away;
    },
    set away(now) {
      away = now;
      if (now) server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}
