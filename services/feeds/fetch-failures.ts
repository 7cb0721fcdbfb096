import { AppError } from '../../contracts/errors.ts';
import { asksToWait, type Failed } from './fetch-records.ts';

/** Pause for a rate-limiting site that does not say how long. */
const pauseSeconds = 60;

/** A failed fetch as an error for the caller, and as state of the source. Undefined for a defect of ours. */
export function fetchFailure(error: unknown, feedId: string, timeoutMs: number): (Failed & { error: AppError }) | undefined {
  if (!(error instanceof AppError) || error.code === 'INTERNAL') return undefined;
  const reason = String(error.details?.['reason'] ?? 'unavailable');
  const status = typeof error.details?.['status'] === 'number' ? error.details['status'] : null;
  const failed = (known: AppError, retryAfterSeconds?: number): Failed & { error: AppError } => ({
    status,
    message: known.message,
    retryAfterSeconds,
    error: known,
  });
  if (status === 429 || error.retryAfterSeconds !== undefined) {
    const seconds = error.retryAfterSeconds ?? pauseSeconds;
    return failed(asksToWait(feedId, status ?? 429, seconds), seconds);
  }
  const isTimeout = error.code === 'TIMEOUT';
  return failed(
    new AppError(isTimeout ? 'TIMEOUT' : 'SERVICE_UNAVAILABLE', `The feed "${feedId}" could not be fetched: ${error.message}`, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      details: {
        reason,
        feed_id: feedId,
        ...(isTimeout ? { http_status: 504, timeout_seconds: timeoutMs / 1000 } : status === null ? {} : { http_status: status }),
      },
      // Not retryable if the site or its feed must change first.
      retryable: error.retryable,
      cause: error,
    }),
  );
}
