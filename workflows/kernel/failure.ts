import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';

/**
 * What a stage that has used its attempts tells. `final`: repeating cannot help.
 * @param process what failed, as a sentence begins: "Ingestion"
 */
export function failureOf(error: unknown, process: string): { code: string; message: string; final: boolean } {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const expected = cause instanceof ApplicationFailure ? /^app:(.+)$/.exec(cause.type ?? '')?.[1] : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  const final = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return expected ? { code: expected, message, final } : { code: 'INTERNAL', message: `${process} failed: ${message}`, final };
}
