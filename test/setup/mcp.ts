/** Other MCP servers, on the official SDKs, as HTTP servers of the test. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, vi } from 'vitest';

export interface FixtureTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: { type: 'object'; properties?: Record<string, object>; [key: string]: unknown };
  outputSchema?: { type: 'object'; [key: string]: unknown };
  annotations?: Record<string, unknown>;
}

export interface FixtureCall {
  name: string;
  args: Record<string, any>;
  headers: IncomingMessage['headers'];
  progress(done: number, total?: number): void;
}

/** What the server offers; changed by tests while it runs. */
export interface Fixture {
  tools: FixtureTool[];
  /** Tools on one page of tools/list. */
  pageSize: number;
  answer(call: FixtureCall): Promise<CallToolResult> | CallToolResult;
  /** Every call that has arrived. */
  calls: FixtureCall[];
  /** Asked before anything else; true: it has answered the request itself. */
  intercept: ((request: IncomingMessage, response: ServerResponse, body: any) => boolean) | null;
}

export interface Upstream extends Fixture {
  url: string;
  /** Sessions open now, of the transports that have them. */
  sessions: Map<string, { close(): Promise<void> }>;
  requests: { method: string; headers: IncomingMessage['headers']; body: any }[];
  /** Tells every client that the list of tools has changed. */
  changed(): Promise<void>;
  /** Ends the server as a crash would: its port refuses, its sessions are forgotten. */
  stop(): Promise<void>;
  /** On the same port again. */
  start(): Promise<void>;
}

export const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

export const echo: FixtureTool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};

export async function openUpstream(kind: '2025' | '2026' | 'sse', given: Partial<Fixture> = {}): Promise<Upstream> {
  const sessions: Upstream['sessions'] = new Map();
  const servers = new Set<LegacyServer>();
  const sockets = new Set<Socket>();
  /** Streams by which clients hear of changes. */
  const listening = new Set<ServerResponse>();
  const transports = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  let port = 0;

  const upstream: Upstream = {
    tools: [echo],
    pageSize: 1_000,
    answer: ({ args }) => text(String(args['text'])),
    calls: [],
    intercept: null,
    ...given,
    url: '',
    sessions,
    requests: [],
    async changed() {
      // Clients open them after the handshake, and miss what was told before.
      const open = (): boolean => [...listening].some((response) => response.headersSent);
      if (kind !== 'sse') await vi.waitFor(() => expect(open()).toBe(true), { timeout: 60_000 });
      await Promise.allSettled([...servers].map((server) => server.sendToolListChanged()));
      if (kind === '2026') modern.notify.toolsChanged();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => http.close(() => done()));
      transports.clear();
      sessions.clear();
      servers.clear();
    },
    start: () => new Promise<void>((done) => http.listen(port, '127.0.0.1', () => done())),
  };

  function handlers(server: LegacyServer): void {
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => page(params?.cursor));
    server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
      called(request.params, (extra.requestInfo?.headers ?? {}) as IncomingMessage['headers'], (progress, total) => {
        const token = request.params._meta?.progressToken;
        if (token !== undefined) {
          void extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken: token, progress, ...(total ? { total } : {}) },
          });
        }
      }),
    );
    server.setRequestHandler(ListResourcesRequestSchema, () => ({
      resources: [{ uri: 'note://one', name: 'One', mimeType: 'text/plain' }],
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
      contents: [
        { uri: params.uri, mimeType: 'text/plain', text: `the note ${params.uri}` },
        { uri: `${params.uri}.png`, mimeType: 'image/png', blob: Buffer.from('not really a picture').toString('base64') },
      ],
    }));
    server.setRequestHandler(ListPromptsRequestSchema, () => ({
      prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }] }],
    }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Say hello to ${params.arguments?.['who']}` } }],
    }));
  }

  function page(cursor?: string) {
    const from = Number(cursor ?? 0);
    const tools = upstream.tools.slice(from, from + upstream.pageSize);
    return { tools, ...(from + tools.length < upstream.tools.length ? { nextCursor: String(from + tools.length) } : {}) };
  }

  async function called(
    params: { name: string; arguments?: Record<string, unknown> | undefined },
    headers: IncomingMessage['headers'],
    progress: FixtureCall['progress'],
  ): Promise<CallToolResult> {
    const call: FixtureCall = { name: params.name, args: params.arguments ?? {}, headers, progress };
    upstream.calls.push(call);
    return await upstream.answer(call);
  }

  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
  const legacy = (): LegacyServer => {
    const server = new LegacyServer({ name: `fixture-${kind}`, version: '1.0.0' }, { capabilities });
    handlers(server);
    servers.add(server);
    return server;
  };

  const modern = createMcpHandler(() => {
    const mcp = new McpServer({ name: 'fixture-2026', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    mcp.server.setRequestHandler('tools/list', (request) => page(request.params?.cursor) as never);
    mcp.server.setRequestHandler(
      'tools/call',
      async (request, ctx) => (await called(request.params, Object.fromEntries(ctx.http?.req?.headers ?? []), () => {})) as never,
    );
    return mcp;
  });

  async function streamable(request: IncomingMessage, response: ServerResponse, body: any): Promise<void> {
    const id = request.headers['mcp-session-id'] as string | undefined;
    let transport = id === undefined ? undefined : (transports.get(id) as StreamableHTTPServerTransport | undefined);
    if (id !== undefined && !transport) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (fresh) => {
          transports.set(fresh, transport!);
          sessions.set(fresh, { close: async () => void (transports.delete(fresh), sessions.delete(fresh), await transport!.close()) });
        },
        onsessionclosed: (ended) => void (transports.delete(ended), sessions.delete(ended)),
      });
      await legacy().connect(transport);
    }
    // Done at the end of the stream.
    if (request.method === 'GET') listens(response);
    await transport.handleRequest(request, response, body);
  }

  function listens(response: ServerResponse): void {
    listening.add(response);
    response.on('close', () => listening.delete(response));
  }

  async function sse(request: IncomingMessage, response: ServerResponse, body: any): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    if (request.method === 'GET' && url.pathname === '/mcp') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      sessions.set(transport.sessionId, { close: () => transport.close() });
      response.on('close', () => sessions.delete(transport.sessionId));
      await legacy().connect(transport);
      return;
    }
    const transport = transports.get(url.searchParams.get('sessionId') ?? '') as SSEServerTransport | undefined;
    if (request.method === 'POST' && url.pathname === '/messages' && transport)
      return await transport.handlePostMessage(request, response, body);
    response.writeHead(url.pathname === '/mcp' ? 405 : 404).end();
  }

  async function stateless(request: IncomingMessage, response: ServerResponse, body: any): Promise<void> {
    const headers = new Headers(Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]));
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const answer = await modern.fetch(
      new Request(`http://127.0.0.1:${port}/mcp`, {
        method: request.method!,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: gone.signal,
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (body?.method === 'subscriptions/listen') listens(response);
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }

  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
      upstream.requests.push({ method: request.method ?? '', headers: request.headers, body });
      if (upstream.intercept?.(request, response, body)) return;
      await { 2025: streamable, 2026: stateless, sse }[kind](request, response, body);
    })().catch(() => response.destroy());
  });
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  port = (http.address() as AddressInfo).port;
  upstream.url = `http://127.0.0.1:${port}/mcp`;
  return upstream;
}
