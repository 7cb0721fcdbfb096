import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpStatus } from '../../contracts/errors.ts';
import type { CallAnswer } from '../../tools/catalogue/pipeline.ts';
import { idempotencyKeyOf } from '../plugins/auth.ts';
import { limitHeaders } from '../plugins/errors.ts';

/** Shared by all calls over plain HTTP; the signal fires when the client disconnects. */
export function calling(request: FastifyRequest, reply: FastifyReply) {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('The client closed the connection.'));
  });
  return {
    caller: request.caller,
    idempotencyKey: idempotencyKeyOf(request),
    front: 'rest' as const,
    requestId: request.id,
    signal: gone.signal,
  };
}

/** The envelope with its HTTP status and the state of the key's limit. */
export const sendEnvelope = (reply: FastifyReply, answer: CallAnswer): FastifyReply =>
  reply.code(statusOf(answer)).headers(limitHeaders(answer.limit, answer.error)).send(answer.envelope);

const successes = { success: 200, partial: 207, accepted: 202, pending_approval: 202 } as const;

export function statusOf({ envelope, error }: CallAnswer): number {
  if (error) return error.httpStatus;
  // An approved call may have failed by the time the client asks for it.
  return envelope.status === 'error' ? httpStatus[envelope.error?.code ?? 'INTERNAL'] : successes[envelope.status];
}
