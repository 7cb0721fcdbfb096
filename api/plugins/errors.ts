import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../contracts/errors.ts';
import { newCallId } from '../../contracts/ids.ts';
import type { LimitState } from '../../services/governance/limits.ts';
import { failureOf } from '../../tools/catalogue/answers.ts';
import { isMcpPath, jsonRpcError } from '../mcp/jsonrpc.ts';
import { perceptionRefusal } from '../rest/perception.ts';

const hints: Partial<Record<number, [code: ErrorCode, hint: string]>> = {
  404: ['NOT_FOUND', 'GET /mcp/tools lists the tools, GET / shows what is served where.'],
  405: ['VALIDATION_ERROR', 'This path exists with another method.'],
  408: ['TIMEOUT', 'The request was not received in time.'],
  413: ['PAYLOAD_TOO_LARGE', 'Send less at once, or put the document into a file under INGEST_ROOTS and pass its path.'],
  415: ['VALIDATION_ERROR', 'Send a JSON body with Content-Type: application/json.'],
};

/** The error as an AppError: ours unchanged, Fastify's with a code and a hint, others without details. */
export function understandHttp(error: unknown, request: FastifyRequest): { error: AppError; status: number } {
  if (error instanceof AppError) return { error, status: error.httpStatus };
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    const [code, hint] = hints[statusCode] ?? ['VALIDATION_ERROR', 'The request is malformed.'];
    return { error: new AppError(code, message ?? 'Bad request', { hint }), status: statusCode };
  }
  request.log.error({ err: error }, 'request failed unexpectedly');
  return {
    error: new AppError('INTERNAL', 'Something went wrong inside Signalbox.', {
      hint: `The log has the cause under request id ${request.id}.`,
    }),
    status: 500,
  };
}

/** `RateLimit-*` and `Retry-After`, so that a client can pace itself. */
export function limitHeaders(limit: LimitState | undefined, error?: AppError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (limit) {
    headers['ratelimit-limit'] = String(limit.limit);
    headers['ratelimit-remaining'] = String(limit.remaining);
    headers['ratelimit-reset'] = String(limit.resetSeconds);
  }
  if (error?.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(error.retryAfterSeconds);
    if (error.code === 'RATE_LIMIT_EXCEEDED') {
      headers['ratelimit-limit'] = String(error.details?.limit ?? 0);
      headers['ratelimit-remaining'] = '0';
      headers['ratelimit-reset'] = String(error.retryAfterSeconds);
    }
  }
  return headers;
}

/** Sends a refusal in the path's format: JSON-RPC on /mcp, the envelope elsewhere. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: AppError, status = error.httpStatus): FastifyReply {
  reply.code(status).headers(limitHeaders(undefined, error));
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  const envelope = failureOf(error, newCallId(), reply.elapsedTime, undefined);
  if (isMcpPath(request.url)) return reply.send(jsonRpcError(null, rpcCode(error, status), error.message, envelope.error));
  if (isPerceptionPath(request.url)) return reply.send(perceptionRefusal(error, request.body));
  // devflow's clients read `detail`; the rest is the envelope.
  return reply.send({ ...envelope, detail: error.message });
}

/** POST /mcp/tools/{name}: perception's own error body. */
const isPerceptionPath = (url: string): boolean => url.startsWith('/mcp/tools/');

const rpcCode = (error: AppError, status: number): number => {
  if (status === 400 && /JSON/.test(error.message)) return -32700;
  if (status === 400 || status === 415) return -32600;
  return status === 500 ? -32603 : -32000;
};

/** One handler for all errors of all front ends. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((caught, request, reply) => {
    const { error, status } = understandHttp(caught, request);
    return sendFailure(request, reply, error, status);
  });
  app.setNotFoundHandler((request, reply) =>
    sendFailure(
      request,
      reply,
      new AppError('NOT_FOUND', `There is no ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`, { hint: hints[404]![1] }),
    ),
  );
}
