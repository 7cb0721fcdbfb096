import { ServiceError, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { ApplicationFailure, WorkflowNotFoundError } from '@temporalio/common';
import { AppError, errorCodes, type ErrorCode } from '../../contracts/errors.ts';

/** The process does not exist or has ended. The caller decides what that means. */
export const isGone = (error: unknown): boolean => error instanceof WorkflowNotFoundError || grpcCode(error) === 5;

/** The run closed during the update, which was not applied; the same update id may be sent again. */
export const isClosing = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/closing workflow|UnprocessedUpdate|unprocessed update/i.test(`${cause.message} ${(cause as { type?: string }).type ?? ''}`))
      return true;
  }
  return false;
};

/** The call ended without an answer: its effect is unknown. */
export const isUnanswered = (error: unknown): boolean => error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || grpcCode(error) === 4;

/** The process runs, but cannot be asked: its step has failed several times, e.g. because its history does not replay. */
export const isFailing = (error: unknown): boolean =>
  grpcCode(error) === 9 &&
  error instanceof Error &&
  /failed state/.test(`${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`);

/** An update that starts its process fails with gRPC's own error, e.g. while the process's latest step is being retried. */
const isBare = (error: unknown): error is Error & { code: number } =>
  error instanceof Error && typeof (error as { code?: unknown }).code === 'number' && 'details' in error && 'metadata' in error;

/** gRPC's status of a failed call, whether the client wraps its error or not. */
export const grpcCode = (error: unknown): number | undefined =>
  error instanceof ServiceError ? (error.cause as { code?: number } | undefined)?.code : isBare(error) ? error.code : undefined;

/** The AppError of an expected refusal that workflow code threw as `app:CODE`. */
function refusal(error: unknown): AppError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!(cause instanceof ApplicationFailure) || !cause.type?.startsWith('app:')) continue;
    const code = cause.type.slice(4) as ErrorCode;
    const { hint, ...details } = (cause.details?.[0] ?? {}) as { hint?: string; reason?: string };
    return new AppError(errorCodes.includes(code) ? code : 'INTERNAL', cause.message, {
      ...(hint === undefined ? {} : { hint }),
      details: details.reason === undefined ? {} : { reason: details.reason },
    });
  }
  return null;
}

/** gRPC's codes for a server that is unavailable, overloaded, or has not created the namespace yet. */
const awayCodes = new Set([4, 5, 8, 14]);

const unreachable = /No connection established|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Name resolution failed/;

/** The call did not even reach Temporal. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && unreachable.test(`${error.message} ${(error.cause as Error | undefined)?.message ?? ''}`);

/** Temporal is unavailable; the request is not wrong. */
export const isTemporalAway = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TransportError' || awayCodes.has(grpcCode(error) ?? -1));

/**
 * The caller's error for a failed Temporal call. Unknown outcomes (timeouts, a lost connection) become
 * SERVICE_UNAVAILABLE: a repeat under the same update id acts once.
 */
export function asAppError(error: unknown): unknown {
  const refused = error instanceof WorkflowUpdateFailedError || error instanceof ApplicationFailure ? refusal(error) : null;
  if (refused) return refused;
  if (isFailing(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The process of this record stands still: its latest step has failed several times.', {
      hint: 'Repeat the call with the same idempotency key: the process may go on by itself. If it does not, `signalbox doctor --fix` begins it anew from its record.',
      details: { reason: 'process_failing' },
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || error instanceof ServiceError || isBare(error)) {
    return new AppError(
      'SERVICE_UNAVAILABLE',
      `The process engine (Temporal) ${isUnreachable(error) ? 'is not reachable' : 'did not answer in time'}.`,
      {
        hint: 'Reads are answered meanwhile. Whether the call took effect is not known: repeat it with the same idempotency key, or look before you repeat.',
        retryAfterSeconds: 3,
        cause: error,
      },
    );
  }
  return error;
}
