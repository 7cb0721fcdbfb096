import { AppError } from '../../contracts/errors.ts';
import { PeerFailure } from '../../contracts/agents/delegations.ts';

/** Maps a failed request to its meaning for the task. */
export function asPeerFailure(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { reason, status } = (error.details ?? {}) as { reason?: string; status?: number };
  const more = {
    cause: error,
    ...(status === undefined ? {} : { status }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  };
  if (reason === 'http_status') {
    const again = status === undefined || status >= 500 || status === 408 || status === 425 || status === 429;
    return new PeerFailure(again ? 'not_sent' : 'refused', `The agent answered with HTTP ${status ?? 'an error'}.`, more);
  }
  if (reason === 'dns' || reason === 'tls' || refusedConnection(error)) return new PeerFailure('not_sent', error.message, more);
  if (reason === 'network' || reason === 'protocol' || reason === 'timeout' || reason === 'too_large' || reason === 'encoding') {
    return new PeerFailure('unknown', error.message, more);
  }
  return new PeerFailure('refused', error.message, more);
}

const refusedConnection = (error: AppError): boolean => {
  const cause = error.cause instanceof AggregateError ? error.cause.errors[0] : error.cause;
  return ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'].includes(String((cause as NodeJS.ErrnoException | undefined)?.code));
};
