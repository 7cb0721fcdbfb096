import {
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { watchKey } from '../plugins/key-watch.ts';
import { answerCall } from './direct.ts';
import { authInfoOf, exchangeIn, exchangeOf, inMcpSession, type Exchange } from './exchange.ts';
import { isAboutCall, isOurAnswer, take } from './hand-over.ts';
import { ListChanges } from './list-changes.ts';
import { listeningBus } from './listen.ts';
import { isRecord, isRpcRequest, jsonRpcError, type RpcRequest } from './jsonrpc.ts';
import { SignalboxMcpServer } from './server.ts';
import { Sessions, isInitialize, type Session } from './sessions.ts';

/** How soon a stream ends after its key has expired, in ms; it ends at once when the key is revoked. */
const checkKeyMs = 30_000;
/** A session this young has just opened its first stream, in ms. */
const newMs = 60_000;

/** State of the MCP front end. */
export interface McpFront {
  /** Notifies clients of changes by any process. */
  changes: ListChanges;
  /** Notifies every connected client that its tool list changed. */
  toolsChanged(): void;
  close(): Promise<void>;
}

/**
 * MCP over Streamable HTTP at /mcp and /mcp/p/{profile}: 2026-07-28 by the SDK's stateless handler, the 2025
 * revisions with sessions, and plain JSON-RPC posts without either.
 */
export function installMcp(app: FastifyInstance, parts: ServerParts): McpFront {
  const changes = new ListChanges(parts);
  const sessions = new Sessions(parts, changes);
  const { bus, listening } = listeningBus(changes);
  const modern = createMcpHandler(({ authInfo }) => new SignalboxMcpServer(parts, exchangeIn(authInfo)), {
    legacy: 'reject',
    bus,
    onerror: (error) => parts.log.debug({ err: error }, 'MCP'),
  });

  if (parts.fixtures) parts.fixtures.onChanged = (list) => (list === 'tools' ? toolsChanged() : modern.notify.promptsChanged());

  for (const url of ['/mcp', '/mcp/p/:profile']) {
    for (const method of ['GET', 'POST', 'DELETE']) app.route({ method, url, handler: serve });
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const exchange = exchangeOf(request, parts);
    const { body } = request;
    if (request.method === 'POST' && (body === undefined || body === null)) {
      return reply.code(400).send(jsonRpcError(null, -32600, 'The request has no body.'));
    }
    // agentic-rag's clients may send `id: null`, which the SDK refuses as invalid JSON-RPC.
    const plainNull = isRpcRequest(body) && body.id === null;
    if (!plainNull && !(await isLegacyRequest(headOf(request), body))) {
      if (isListen(body)) request.leave?.();
      exchange.client = modernClient(body);
      const gone = new AbortController();
      const web = webRequest(request, reply, gone);
      if (isListen(body)) watchStream(request, reply, () => gone.abort());
      const answer = await listening(exchange, () => modern.fetch(web, { parsedBody: body, authInfo: authInfoOf(exchange) }));
      return await sendWeb(reply, exchange, answer);
    }
    const sessionId = request.headers['mcp-session-id'];
    if (typeof sessionId === 'string') {
      const session = await sessions.find(sessionId, exchange);
      if (!session) return reply.code(404).send(jsonRpcError(idOf(body), -32001, 'Session not found. Send initialize to start a new one.'));
      return await inSession(session, exchange, request, reply);
    }
    if (request.method !== 'POST') {
      return reply.code(400).send(jsonRpcError(null, -32000, 'Bad Request: Mcp-Session-Id header is required.'));
    }
    if (isInitialize(body)) exchange.client = body.params.clientInfo.name;
    if (isInitialize(body)) return await sendWeb(reply, exchange, await sessions.open(webRequest(request, reply), body, exchange));
    return await plain(exchange, request, reply);
  }

  async function inSession(session: Session, exchange: Exchange, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { body } = request;
    const refused = badVersion(request) ?? badBatch(body, session.mcp.server.getNegotiatedProtocolVersion());
    if (refused) return reply.code(400).send(refused);
    exchange.caller = inMcpSession(exchange.caller, session.id, session.mcp.server.getClientVersion()?.name);
    if (isAboutCall(body) && !take(session, body)) await parts.sessions?.send(session.tenant, session.id, body);
    if (isOurAnswer(body)) return await reply.code(202).send();
    exchange.client = session.mcp.server.getClientVersion()?.name;
    if (direct(body)) return await answerCall(parts, exchange, body, request, reply, session);
    session.inUse += 1;
    reply.raw.once('close', () => (session.inUse -= 1));
    const web = webRequest(request, reply);
    const response = await session.transport.handleRequest(web, { parsedBody: body, authInfo: authInfoOf(exchange) });
    if (request.method === 'GET' && response.ok) {
      watchStream(request, reply, () => void sessions.drop(session));
      // It connects again, perhaps to a newer version of this server: what changed meanwhile is not known.
      if (Date.now() - session.openedAt > newMs) session.follower.tell();
    }
    return await sendWeb(reply, exchange, request.method === 'GET' ? opened(response) : response);
  }

  /** Ends a stream with its key. */
  function watchStream(request: FastifyRequest, reply: FastifyReply, over: () => void): void {
    const closed = new AbortController();
    reply.raw.once('close', () => closed.abort());
    watchKey(parts, { request, signal: closed.signal, everyMs: checkKeyMs, over });
  }

  /** A post without session or handshake: a server for one request, answered as JSON. */
  async function plain(exchange: Exchange, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { body } = request;
    const refused = badVersion(request) ?? badBatch(body, request.headers['mcp-protocol-version']);
    if (refused) return reply.code(400).send(refused);
    if (direct(body)) return await answerCall(parts, exchange, body, request, reply, null);
    const nullId = isRecord(body) && body.id === null;
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const mcp = new SignalboxMcpServer(parts, exchange);
    const web = webRequest(request, reply);
    await mcp.connect(transport);
    web.signal.addEventListener('abort', () => void mcp.close());
    const response = await transport.handleRequest(web, {
      parsedBody: nullId ? { ...(body as object), id: 0 } : body,
      authInfo: authInfoOf(exchange),
    });
    const answer = (await response.text()) || undefined;
    await mcp.close();
    reply.code(exchange.refusal?.httpStatus ?? response.status).headers(limitHeaders(exchange.limit, exchange.refusal));
    if (answer === undefined) return reply.send();
    const json: unknown = JSON.parse(answer);
    if (nullId) return reply.send({ ...(json as object), id: null });
    return reply.send(Array.isArray(body) && !Array.isArray(json) ? [json] : json);
  }

  const direct = (body: unknown): body is RpcRequest =>
    isRpcRequest(body) && body.method === 'tools/call' && !parts.fixtures?.isInteractive(body.params?.name);

  function toolsChanged(): void {
    modern.notify.toolsChanged();
    sessions.each((session) => void session.mcp.server.sendToolListChanged().catch(() => {}));
  }

  return {
    changes,
    toolsChanged,
    async close() {
      changes.close();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** In 2026 each request names its client. */
function modernClient(body: unknown): string | undefined {
  const meta = isRecord(body) && isRecord(body.params) && isRecord(body.params._meta) ? body.params._meta : {};
  const info = meta['io.modelcontextprotocol/clientInfo'];
  return isRecord(info) && typeof info.name === 'string' ? info.name : undefined;
}

const isListen = (body: unknown): boolean => isRecord(body) && body.method === 'subscriptions/listen';

const idOf = (body: unknown): string | number | null => (isRpcRequest(body) ? body.id : null);

function badVersion(request: FastifyRequest): object | undefined {
  const version = request.headers['mcp-protocol-version'];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version as string)) return undefined;
  return jsonRpcError(null, -32000, `Bad Request: Unsupported protocol version: ${String(version).slice(0, 40)}`, {
    supported: SUPPORTED_PROTOCOL_VERSIONS,
  });
}

/** Batches exist in 2025-03-26 and before; later revisions removed them. */
function badBatch(body: unknown, version: string | string[] | undefined): object | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length === 0) return jsonRpcError(null, -32600, 'Invalid Request: empty batch.');
  if (typeof version === 'string' && version >= '2025-06-18')
    return jsonRpcError(null, -32600, `Invalid Request: ${version} has no batches.`);
  return undefined;
}

/** The parts of a request that the SDK reads to detect its revision; a full web Request costs a tenth of a small call. */
const headOf = ({ method, headers }: FastifyRequest): Request =>
  ({ method, headers: { get: (name: string) => headers[name] ?? null } }) as unknown as Request;

/** The SDK's transports need a web Request with both Accept types; its signal fires when the client disconnects. */
function webRequest(request: FastifyRequest, reply: FastifyReply, gone = new AbortController()): Request {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
  headers.delete('authorization');
  headers.delete('x-api-key');
  headers.delete('cookie');
  headers.delete('x-plain-accept');
  if (request.method === 'POST') {
    if (!headers.get('accept')?.includes('text/event-stream')) headers.set('x-plain-accept', '1');
    headers.set('accept', 'application/json, text/event-stream');
  }
  return new Request(`http://localhost${request.url}`, { method: request.method, headers, signal: gone.signal });
}

/** A stream whose headers are sent at once; without a first line they would wait for the first event. */
function opened(response: Response): Response {
  if (!response.ok || !response.body) return response;
  const first = new TransformStream<Uint8Array, Uint8Array>({ start: (out) => out.enqueue(new TextEncoder().encode(': open\n\n')) });
  return new Response(response.body.pipeThrough(first), response);
}

async function sendWeb(reply: FastifyReply, exchange: Exchange, response: Response): Promise<FastifyReply> {
  reply.headers(limitHeaders(exchange.limit, exchange.refusal));
  if (!exchange.refusal) return reply.send(response);
  // The 2026 handler sets no HTTP status for a refused call.
  return reply.send(new Response(response.body, { status: exchange.refusal.httpStatus, headers: response.headers }));
}
