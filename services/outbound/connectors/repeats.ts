import type { ConnectorAttempt, ConnectorError } from '../../../contracts/activities/connector.ts';
import { AppError } from '../../../contracts/errors.ts';

/** Pause after the first request that was not received, in ms: doubled with each attempt. */
const firstPause = 500;

interface Repeating {
  /** The longest pause of our own, in ms. */
  longest: number;
  /** The longest that the other side may impose, in ms. */
  mostImposed: number;
  /** What of an error may stand in a history. */
  brief(error: AppError): ConnectorError;
}

/** When something that did not arrive is sent again. */
export function repeats({ longest, mostImposed, brief }: Repeating) {
  const pauseAfter = (attempt: number): number => Math.min(firstPause * 2 ** (attempt - 1), longest);
  return {
    /** The other side has not taken it, and may say when to come back. */
    again(error: AppError, attempt: number): ConnectorAttempt {
      const { retryAfterSeconds: imposed } = error;
      const afterMs = imposed === undefined ? pauseAfter(attempt) : Math.min(imposed * 1_000, mostImposed);
      return { kind: 'again', afterMs, error: brief(error) };
    },
    /** For what fails before anything is sent: our own stores were away. @throws any other error */
    unsent:
      (attempt: number) =>
      (error: unknown): ConnectorAttempt => {
        if (!(error instanceof AppError) || !error.retryable) throw error;
        return { kind: 'again', afterMs: pauseAfter(attempt), error: brief(error) };
      },
  };
}
