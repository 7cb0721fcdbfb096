import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type MessageExtraInfo,
  type Transport,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { ServerParts } from '../parts.ts';
import type { Drain } from '../plugins/drain.ts';
import { executeResponse, readExecute, type ExecuteRequest } from '../rest/devflow.ts';
import { EventStream } from './event-stream.ts';
import { authInfoOf, exchangeOf, inMcpSession, listingFor, type Exchange } from './exchange.ts';
import { isRecord } from './jsonrpc.ts';
import type { ListChanges } from './list-changes.ts';
import { SignalboxMcpServer } from './server.ts';

interface Connection {
  caller: Caller;
  profile: string;
  stream: EventStream;
  mcp: SignalboxMcpServer;
  transport: SseTransport;
  gone: AbortController;
}

export interface SseFront {
  /** The caller's own open stream. @throws AppError NOT_FOUND */
  stream(id: string, caller: Caller): EventStream;
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
    // No await between counting and adding: a concurrent request would not be counted.
    const mine = [...open.values()].filter((connection) => connection.caller.keyId === caller.keyId).length;
    if (mine >= maxPerKey) {
      throw new AppError('RATE_LIMIT_EXCEEDED', `This key already has ${maxPerKey} open streams.`, { retryAfterSeconds: 30 });
    }
    const id = randomUUID();
    const stream = new EventStream(reply, { 'x-connection-id': id });
    const mcp = new SignalboxMcpServer(parts, exchange);
    const connection: Connection = { caller, profile, stream, mcp, transport: new SseTransport(id, stream), gone: new AbortController() };
    open.set(id, connection);
    const tell = (): void => void mcp.server.sendToolListChanged().catch(() => {});
    const unfollow = changes.follow({ tenant: caller.tenant, profile, session: caller.access?.session?.id, tell });
    stream.onClose(() => {
      open.delete(id);
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
    const connection = find(String((request.query as { connection_id?: unknown }).connection_id ?? ''), request.caller);
    const exchange: Exchange = { ...exchangeOf(request, parts, 'sse'), profile: connection.profile };
    if (isRecord(request.body) && 'jsonrpc' in request.body) {
      const { transport, mcp } = connection;
      exchange.caller = inMcpSession(exchange.caller, transport.sessionId, mcp.server.getClientVersion()?.name);
      transport.onmessage?.(message(request), { authInfo: authInfoOf(exchange) });
    } else void execute(connection, exchange, readExecute(request.body), request.id);
    return await reply.code(202).type('text/plain').send('Accepted');
  });

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

  function find(id: string, caller: Caller): Connection {
    const connection = open.get(id);
    if (connection?.caller.keyId === caller.keyId && connection.caller.tenant === caller.tenant) return connection;
    throw notFound('open stream', id.slice(0, 64), 'GET /mcp/sse opens one; its endpoint event names where to post.');
  }

  return {
    stream: (id, caller) => find(id, caller).stream,
    toolsChanged() {
      for (const { mcp } of open.values()) void mcp.server.sendToolListChanged().catch(() => {});
    },
    close() {
      for (const { stream } of open.values()) stream.end();
    },
  };
}

function message(request: FastifyRequest): JSONRPCMessage {
  const { body } = request;
  if (isJSONRPCRequest(body) || isJSONRPCNotification(body) || isJSONRPCResponse(body)) return body;
  throw new AppError('VALIDATION_ERROR', 'This is not a JSON-RPC message.');
}
