import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { ServerParts } from '../parts.ts';
import { withWorker } from '../plugins/auth.ts';
import type { Drain } from '../plugins/drain.ts';
import { watchKey } from '../plugins/key-watch.ts';
import { executeResponse, readExecute, type ExecuteRequest } from '../rest/devflow.ts';
import { EventStream } from './event-stream.ts';
import { authInfoOf, exchangeOf, inMcpSession, listingFor, type Exchange } from './exchange.ts';
import { listen } from './hand-over.ts';
import { isRecord } from './jsonrpc.ts';
import type { ListChanges } from './list-changes.ts';
import { SignalboxMcpServer } from './server.ts';

interface Connection {
  caller: Caller;
  profile: string;
  /** That of the request that opened it. */
  exchange: Exchange;
  stream: EventStream;
  mcp: SignalboxMcpServer;
  transport: SseTransport;
  gone: AbortController;
}

export interface SseFront {
  /** Sends on the caller's own open stream, at any api. @throws AppError NOT_FOUND */
  stream(id: string, caller: Caller): Promise<(event: string, data: unknown) => Promise<void>>;
  toolsChanged(): void;
  close(): void;
}

/** The 2024-11-05 transport: answers as `message` events, requests by POST to the announced `endpoint`. */
class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  private readonly stream: EventStream;

  constructor(id: string, stream: EventStream) {
    this.sessionId = id;
    this.stream = stream;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.stream.event('message', message);
  }

  async close(): Promise<void> {
    this.stream.end();
    this.onclose?.();
  }
}

/** An ordinary client keeps one; more would be a leak. */
const maxPerKey = 100;
/** How soon a stream ends after its key has expired, in ms; it ends at once when the key is revoked. */
const checkKeyMs = 30_000;

/** What another api got for a stream of this one: a post of its client, or an event to send. */
type Forwarded =
  { post: unknown; worker: string | undefined; idempotencyKey: string | undefined; requestId: string } | { event: string; data: unknown };

/**
 * GET /mcp/sse for three kinds of client at once: agentic-rag's read `tools` and `ping`, devflow's get
 * `tool_response`, old MCP clients use `endpoint` and `message`. Their posts differ.
 */
export function installSse(app: FastifyInstance, parts: ServerParts, drain: Drain, changes: ListChanges): SseFront {
  const open = new Map<string, Connection>();

  app.get('/mcp/sse', async (request, reply) => {
    const exchange = exchangeOf(request, parts, 'sse');
    const { caller, profile } = exchange;
    const tools = await parts.pipeline.list(caller, profile, listingFor(parts, exchange));
    const id = randomUUID();
    const leave = await enter(id, caller);
    if (reply.raw.destroyed) {
      leave();
      return reply.hijack();
    }
    const stream = new EventStream(reply, { 'x-connection-id': id });
    const mcp = new SignalboxMcpServer(parts, exchange);
    const connection: Connection = {
      caller,
      profile,
      exchange,
      stream,
      mcp,
      transport: new SseTransport(id, stream),
      gone: new AbortController(),
    };
    open.set(id, connection);
    const tell = (): void => void mcp.server.sendToolListChanged().catch(() => {});
    const unfollow = changes.follow({ tenant: caller.tenant, profile, session: caller.access?.session?.id, tell });
    watchKey(parts, { request, signal: connection.gone.signal, everyMs: checkKeyMs, over: () => stream.end() });
    void listen(parts, {
      tenant: caller.tenant,
      id,
      signal: connection.gone.signal,
      inUse: () => true,
      async take(messages) {
        if (messages.length === 0) return;
        // First, so that no call is made twice.
        await parts.sessions?.taken(
          caller.tenant,
          messages.map((message) => message.id),
        );
        for (const { body } of messages) forwarded(connection, body as Forwarded);
      },
    });
    stream.onClose(() => {
      open.delete(id);
      leave();
      unfollow();
      connection.gone.abort(new Error('The client closed the stream.'));
      void mcp.close();
    });
    await mcp.connect(connection.transport);
    stream.event(
      'tools',
      tools.map((tool) => ({ ...tool, parameters: tool.inputSchema })),
    );
    stream.event('endpoint', `/mcp/sse/messages?connection_id=${id}`);
    stream.event('ping', {});
    stream.every(parts.pingMs ?? 30_000, () => stream.event('ping', {}));
  });

  app.post('/mcp/sse/messages', async (request, reply) => {
    const id = String((request.query as { connection_id?: unknown }).connection_id ?? '');
    const { body, caller } = request;
    if (isRecord(body) && 'jsonrpc' in body) assertMessage(body);
    else readExecute(body);
    const connection = here(id, caller);
    const exchange = exchangeOf(request, parts, 'sse');
    if (connection) received(connection, { ...exchange, profile: connection.profile }, body, request.id);
    else {
      const { idempotencyKey } = exchange;
      await forward(id, caller, { post: body, worker: caller.worker, idempotencyKey, requestId: request.id });
    }
    return await reply.code(202).type('text/plain').send('Accepted');
  });

  function received(connection: Connection, exchange: Exchange, body: unknown, requestId: string): void {
    if (isRecord(body) && 'jsonrpc' in body) {
      const { transport, mcp } = connection;
      exchange.caller = inMcpSession(exchange.caller, transport.sessionId, mcp.server.getClientVersion()?.name);
      transport.onmessage?.(body as unknown as JSONRPCMessage, { authInfo: authInfoOf(exchange) });
    } else void execute(connection, exchange, readExecute(body), requestId);
  }

  /** Its key and rights are those of the stream, which ends when they change. */
  function forwarded(connection: Connection, message: Forwarded): void {
    if ('event' in message) return connection.stream.event(message.event, message.data);
    const { worker, idempotencyKey, requestId } = message;
    const exchange: Exchange = { ...connection.exchange, caller: withWorker(connection.caller, worker), idempotencyKey };
    received(connection, exchange, message.post, requestId);
  }

  /** devflow: continues after its POST was accepted, and answers on the stream. */
  async function execute({ gone, stream }: Connection, exchange: Exchange, wanted: ExecuteRequest, requestId: string): Promise<void> {
    const { caller, idempotencyKey } = exchange;
    const release = drain.hold();
    const answer = await parts.pipeline.call({
      name: wanted.tool,
      arguments: wanted.args,
      caller,
      idempotencyKey,
      requestId,
      front: 'sse',
      signal: gone.signal,
    });
    stream.event('tool_response', executeResponse(wanted, answer));
    release();
  }

  function here(id: string, caller: Caller): Connection | null {
    const connection = open.get(id);
    return connection?.caller.keyId === caller.keyId && connection.caller.tenant === caller.tenant ? connection : null;
  }

  /** Whether another api holds it. */
  async function known(id: string, { tenant, keyId }: Caller): Promise<boolean> {
    const streams = parts.sessions && parts.services?.().governance.streams;
    return streams !== undefined && id.length <= 64 && (await streams.has({ tenant, id, kind: 'sse', holder: keyId }));
  }

  /** To the api that holds the stream. @throws AppError NOT_FOUND */
  async function forward(id: string, caller: Caller, message: Forwarded): Promise<void> {
    if (!(await known(id, caller))) throw noStream(id);
    await parts.sessions!.send(caller.tenant, id, message);
  }

  /** @throws AppError RATE_LIMIT_EXCEEDED */
  async function enter(id: string, { tenant, keyId }: Caller): Promise<() => void> {
    const streams = parts.services?.().governance.streams;
    const refusal = (): AppError =>
      new AppError('RATE_LIMIT_EXCEEDED', `This key already has ${maxPerKey} open streams.`, { retryAfterSeconds: 30 });
    return streams ? await streams.enter({ tenant, id, kind: 'sse', holder: keyId }, maxPerKey, refusal) : () => {};
  }

  return {
    async stream(id, caller) {
      const connection = here(id, caller);
      if (connection) return async (event, data) => connection.stream.event(event, data);
      if (!(await known(id, caller))) throw noStream(id);
      return async (event, data) => await forward(id, caller, { event, data });
    },
    toolsChanged() {
      for (const { mcp } of open.values()) void mcp.server.sendToolListChanged().catch(() => {});
    },
    close() {
      for (const { stream } of open.values()) stream.end();
    },
  };
}

const noStream = (id: string): AppError =>
  notFound('open stream', id.slice(0, 64), 'GET /mcp/sse opens one; its endpoint event names where to post.');

function assertMessage(body: unknown): void {
  if (isJSONRPCRequest(body) || isJSONRPCNotification(body) || isJSONRPCResponse(body)) return;
  throw new AppError('VALIDATION_ERROR', 'This is not a JSON-RPC message.');
}
