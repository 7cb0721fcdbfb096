import { AppError } from '../../contracts/errors.ts';

/** Connection classes of SQLSTATE, and Node's socket errors: Postgres is away, not the statement wrong. */
const away = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|P1001|P1002|P1008|P1017)/;

export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && away.test(code)) return true;
  return (
    typeof message === 'string' &&
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|Can't reach database|Code: `?(08|57P0|53300)/i.test(
      message,
    )
  );
}

/** Somebody else wrote a row of this key first. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';

/** Whom a deadlock was broken at, who waited for a lock for too long, or whose time was over: it may go better now. */
const isPassing = (error: unknown): boolean => ['40P01', '55P03', '57014'].includes(String((error as { code?: unknown }).code));

/** NUL, which Postgres keeps neither in text nor in JSON. */
const isNul = (error: unknown): boolean => ['22021', '22P05'].includes(String((error as { code?: unknown }).code));

/** What a caller is told when Postgres is away or busy, or takes a character of the caller's never; anything else unchanged. */
export function translate(error: unknown): unknown {
  if (isDatabaseAway(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The record store (Postgres) is not reachable.', {
      hint: 'Nothing was lost; try again in a few seconds.',
      retryAfterSeconds: 2,
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
