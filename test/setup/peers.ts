/** Other agents as HTTP servers of the test, and an address for the stack's api that is known before the stack starts. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiOf } from './api.ts';
import type { TestStack } from './stack.ts';

export interface Door {
  url: string;
  /** Serves the stack's whole HTTP API behind it. */
  serve(stack: TestStack): Promise<void>;
  close(): Promise<void>;
}

async function listening(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Its address goes into A2A_ENDPOINT_URL before the stack starts. */
export async function openDoor(): Promise<Door> {
  let app: ReturnType<typeof apiOf> | null = null;
  const server = await listening((request, response) => {
    if (app) app.routing(request, response);
    else response.writeHead(503).end();
  });
  return {
    url: server.url,
    async serve(stack) {
      app = apiOf(stack);
      await app.ready();
    },
    async close() {
      await server.close();
      await app?.close();
    },
  };
}

export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, any>;
}

/** A target's answer; undefined: `accepted`. `drop`: closes the connection after reading the request. */
export type Answer = { status?: number; body?: object; headers?: Record<string, string>; drop?: boolean } | undefined;

export interface Target {
  url: string;
  seen: Seen[];
  /** Tasks in the order in which they arrived, repeats included. */
  tasks(): Record<string, any>[];
  close(): Promise<void>;
}

/** An agent with agentic-rag's API. @param answer asked for each request, in order */
export async function openTarget(answer: (seen: Seen, count: number) => Answer | Promise<Answer> = () => undefined): Promise<Target> {
  const seen: Seen[] = [];
  const server = await listening((request: IncomingMessage, response: ServerResponse) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const one: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text ? JSON.parse(text) : {},
      };
      seen.push(one);
      const told = await answer(one, seen.length);
      if (told?.drop) return void request.socket.destroy();
      const body = told?.body ?? (one.method === 'DELETE' ? { status: 'cancelled' } : { status: 'accepted', task_id: one.body.task_id });
      response.writeHead(told?.status ?? 200, { 'content-type': 'application/json', ...told?.headers }).end(JSON.stringify(body));
    })().catch(() => request.socket.destroy());
  });
  return {
    url: server.url,
    seen,
    tasks: () => seen.filter((one) => one.method === 'POST' && one.path === '/a2a/tasks').map((one) => one.body),
    close: server.close,
  };
}

export interface RestAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** A request as another agent makes it. */
export async function rest(
  url: string,
  method: string,
  path: string,
  { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<RestAnswer> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(key ? { 'x-api-key': key } : {}), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
}
