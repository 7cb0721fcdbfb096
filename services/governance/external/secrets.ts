import { AppError } from '../../../contracts/errors.ts';

const removed = '[removed]';

/** Removes credentials from a text: servers and their launchers often repeat their input. */
export const withoutValuesIn = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((clean, secret) => (clean.includes(secret) ? clean.replaceAll(secret, removed) : clean), text);

/** The same error without credentials in its visible fields. */
export function withoutValues(error: AppError, secrets: readonly string[]): AppError {
  if (secrets.length === 0) return error;
  const details = error.details && (JSON.parse(withoutValuesIn(JSON.stringify(error.details), secrets)) as Record<string, unknown>);
  return new AppError(error.code, withoutValuesIn(error.message, secrets), {
    ...(error.hint === undefined ? {} : { hint: withoutValuesIn(error.hint, secrets) }),
    ...(error.alternatives ? { alternatives: error.alternatives } : {}),
    ...(details ? { details } : {}),
    retryable: error.retryable,
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  });
}
