import { AppError } from '../../contracts/errors.ts';

/** Connection classes of SQLSTATE, and Node's socket errors: Postgres is unavailable, the statement is not wrong. */
const away = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|P1001|P1002|P1008|P1017)/;

export function isDatabaseAway(error: unknown): boolean {
  if (isLost(error)) return true;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && away.test(code)) return true;
  return (
    typeof message === 'string' &&
    /Connection terminated|connection error and is not queryable|Cannot use a pool after calling end|timeout exceeded when trying to connect|Can't reach database|Code: `?(08|57P0|53300)/i.test(
      message,
    )
  );
}

/** A connection gave no answer, although the server's own timeout had passed: it is dead, and nobody else may use it. */
export const isLost = (error: unknown): boolean => (error as Error).message === 'Query read timeout';

/** Another transaction wrote a row with this key first. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

/** A deadlock, a lock timeout or a statement timeout: a retry may succeed. */
const isPassing = (error: unknown): boolean => ['40P01', '55P03', '57014'].includes(String((error as { code?: unknown }).code));

/**
 * A migration added columns to what a prepared statement returns. Postgres refuses the statement before it runs, on each
 * connection that had prepared it; a new connection prepares it anew.
 */
export const isOutdated = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '0A000' && /cached plan must not change result type/.test(String(message));
};

/** NUL, which Postgres stores neither in text nor in JSON. */
const isNul = (error: unknown): boolean => ['22021', '22P05'].includes(String((error as { code?: unknown }).code));

/** The caller's error when Postgres is unavailable or busy, or refuses a character; other errors are unchanged. */
export function translate(error: unknown): unknown {
  if (isDatabaseAway(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) is not reachable.', {
      hint: 'Nothing was lost; try again in a few seconds.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  if (isOutdated(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) was upgraded during this call.', {
      hint: 'Nothing was changed; try again.',
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  if (isPassing(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) was too busy with the same records.', {
      hint: 'Nothing was changed; try again.',
      retryAfterSeconds: 2,
      cause: error,
    });
  }
  return isNul(error)
    ? new AppError('VALIDATION_ERROR', 'A text contains NUL, which cannot be kept or looked for.', { cause: error })
    : error;
}
