import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { AppError, ErrorCode } from '../../contracts/errors.ts';
import { limitHeaders, understandHttp } from '../plugins/errors.ts';

const titles: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'Bad request',
  UNAUTHORIZED: 'No valid API key',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  AMBIGUOUS_ENTITY: 'Ambiguous name',
  CONFLICT: 'Conflict',
  GONE: 'Gone',
  TIMEOUT: 'Not over in time',
  PAYLOAD_TOO_LARGE: 'Too large',
  RATE_LIMIT_EXCEEDED: 'Too many requests',
  SERVICE_UNAVAILABLE: 'Not available at the moment',
  INTERNAL: 'Internal error',
};

const correlationShape = /^[\x21-\x7e]{1,128}$/;

/** The request's correlation id: from its header, its body, or generated; stable per request. */
export function correlationOf(request: FastifyRequest): string {
  const known = request as FastifyRequest & { correlationId?: string };
  const fits = (value: unknown): value is string => typeof value === 'string' && correlationShape.test(value);
  const inBody = (request.body as { correlation_id?: unknown } | null | undefined)?.correlation_id;
  const header = request.headers['x-correlation-id'];
  known.correlationId ??= fits(header) ? header : fits(inBody) ? inBody : randomUUID();
  return known.correlationId;
}

/** RFC 9457, with the additional fields of the platform's errors. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError, status = error.httpStatus): FastifyReply {
  const correlation = correlationOf(request);
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  return reply
    .code(status)
    .headers({ ...limitHeaders(undefined, error), 'x-correlation-id': correlation, 'content-type': 'application/problem+json' })
    .send(
      JSON.stringify({
        type: `urn:signalbox:problem:${error.code.toLowerCase()}`,
        title: titles[error.code],
        status,
        detail: error.message,
        instance: request.url.split('?')[0]?.slice(0, 300),
        code: error.code,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        ...(error.details === undefined ? {} : { details: error.details }),
        ...(error.alternatives?.length ? { alternatives: error.alternatives } : {}),
        correlation_id: correlation,
      }),
    );
}

/** Handles all errors before and in a route. */
export function problemHandler(caught: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { error, status } = understandHttp(caught, request);
  return sendProblem(request, reply, error, status);
}
