import type { Outcome } from '../../contracts/outbound/connectors.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../contracts/errors.ts';

/** Pause when a provider limits calls without saying how long, in seconds. */
const defaultPause = 5;

export function providerError(code: ErrorCode, message: string, outcome: Outcome, reason: string, extra: ErrorDetails = {}): AppError {
  return new AppError(code, message, { ...extra, details: { outcome, reason, ...extra.details } });
}

export const rateLimited = (name: string, retryAfterSeconds: number | undefined): AppError =>
  providerError('RATE_LIMIT_EXCEEDED', `${name} limits how often it is called.`, 'not_sent', 'rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds ?? defaultPause)),
    hint: 'Try again after the pause.',
  });

/** A request without an answer: the failing step shows whether it can have arrived. */
export function unanswered(name: string, error: unknown): AppError {
  const reason = causeOf(error);
  return neverSent.has(reason)
    ? providerError('SERVICE_UNAVAILABLE', `${name} is not reachable.`, 'not_sent', reason)
    : providerError('SERVICE_UNAVAILABLE', `${name} did not answer.`, 'unknown', reason);
}

/** Looks for an earlier call. @param refused what is known of it when it may not be looked up */
export async function lookedUp<T, R>(name: string, refused: R, look: () => Promise<T>): Promise<T | R> {
  try {
    return await look();
  } catch (error) {
    const outcome = error instanceof AppError ? error.details?.['outcome'] : undefined;
    if (outcome === 'refused') return refused;
    if (outcome === 'not_sent') throw error;
    throw providerError('SERVICE_UNAVAILABLE', `${name} did not answer.`, 'not_sent', 'lookup_failed', { cause: error });
  }
}

/** The connection was not made, so nothing was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
]);

/** The code of the innermost cause: libraries wrap socket errors. */
function causeOf(error: unknown): string {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 6; depth += 1) {
    const { code, original, cause, errors } = inner as { code?: unknown; original?: unknown; cause?: unknown; errors?: unknown[] };
    const next = original ?? cause ?? errors?.[0];
    if (!(next instanceof Error)) return typeof code === 'string' ? code : inner.name;
    inner = next;
  }
  return 'unknown';
}
