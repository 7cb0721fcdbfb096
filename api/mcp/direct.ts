import { ProtocolError } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerParts } from '../parts.ts';
import { limitHeaders } from '../plugins/errors.ts';
import { mcpCall } from './call.ts';
import { modesOf, type Elicitor, type Question, type Said } from './elicit.ts';
import { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { jsonRpcError, jsonRpcResult, type RpcRequest } from './jsonrpc.ts';
import type { Session } from './sessions.ts';

/**
 * `tools/call` of the 2025 revisions without the SDK, which costs several times as much as the call and sends headers
 * before the outcome is known. One JSON body with a matching status; if there is progress to report or the call takes
 * long, the answer is a stream.
 */
export async function answerCall(
  parts: ServerParts,
  exchange: Exchange,
  body: RpcRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session | null,
): Promise<void> {
  const abort = new AbortController();
  let cancelled = false;
  let stream: EventStream | null = null;
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort(new Error('The client closed the connection.'));
  });
  if (session && body.id !== null) {
    session.inUse += 1;
    session.calls.set(body.id, abort);
  }
  abort.signal.addEventListener('abort', () => (cancelled = true));

  const mayStream = request.headers.accept?.includes('text/event-stream') ?? false;
  const asStream = (): EventStream | null => {
    if (!mayStream || cancelled) return stream;
    if (!stream) {
      stream = new EventStream(reply);
      stream.every(15_000, () => stream?.comment('keepalive'));
    }
    return stream;
  };
  const elicitor = (): Elicitor | undefined => {
    const modes = session && mayStream ? modesOf(session.mcp.server.getClientCapabilities()) : null;
    if (!session || !modes) return undefined;
    const ask = async (question: Question): Promise<Said | null> => {
      const to = asStream();
      return to ? await session.questions.ask((message) => to.event('message', message), question, abort.signal) : null;
    };
    return { modes, ask };
  };
  const patience = setTimeout(asStream, parts.patienceMs ?? 10_000);

  let answer: Record<string, unknown>;
  try {
    const result = await mcpCall(parts, exchange, body.params, {
      requestId: body.id,
      signal: abort.signal,
      notify: (method, params) => asStream()?.event('message', { jsonrpc: '2.0', method, params }),
      elicitor: elicitor(),
    });
    answer = jsonRpcResult(body.id, result);
  } catch (error) {
    answer = rpcFailure(parts, body, error);
  } finally {
    clearTimeout(patience);
    if (session && body.id !== null) {
      session.inUse -= 1;
      session.calls.delete(body.id);
    }
  }
  // A cancelled request gets no answer, but its HTTP exchange must end.
  if (stream) {
    if (!cancelled) (stream as EventStream).event('message', answer);
    (stream as EventStream).end();
  } else if (cancelled) await reply.code(202).send();
  else {
    await reply
      .code(exchange.refusal?.httpStatus ?? 200)
      .headers(limitHeaders(exchange.limit, exchange.refusal))
      .send(answer);
  }
}

function rpcFailure(parts: ServerParts, body: RpcRequest, error: unknown): Record<string, unknown> {
  if (error instanceof ProtocolError) return jsonRpcError(body.id, error.code, error.message, error.data);
  parts.log.error({ err: error }, 'tools/call failed unexpectedly');
  return jsonRpcError(body.id, -32603, 'Something went wrong inside Signalbox.');
}
