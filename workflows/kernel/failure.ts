import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/**
 * The failure of a stage that used all attempts. `final`: a retry cannot help.
 * @param process what failed, as the start of a sentence: "Ingestion"
 */
export function failureOf(error: unknown, process: string): { code: string; message: string; final: boolean } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const expected = cause instanceof ApplicationFailure ? /^app:(.+)$/.exec(cause.type ?? '')?.[1] : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  const final = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return expected ? { code: expected, message, final } : { code: 'INTERNAL', message: `${process} failed: ${message}`, final };
}
