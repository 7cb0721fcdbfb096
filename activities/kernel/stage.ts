import { Context } from '@temporalio/activity';
import { ApplicationFailure, type RetryPolicy } from '@temporalio/common';
import { isDatabaseAway } from '../../adapters/postgres/errors.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { failureType, recordsAway, stampFor, stampOf, type Stamp } from '../../contracts/temporal.ts';

export const beat = (): void => Context.current().heartbeat();

/**
 * Heartbeats with the state for the next attempt: sealed, because anybody with access to Temporal's port can
 * heartbeat.
 */
export function beatWith(state: unknown): void {
  const { heartbeat, info } = Context.current();
  heartbeat({ signalboxStamp: stampFor.heartbeat(info.activityType), state } satisfies Stamp & { state: unknown });
}

/** State that the previous attempt passed to `beatWith`. */
export function beatenWith(): unknown {
  const { heartbeatDetails, activityType } = Context.current().info;
  const stamp: (Stamp & { state?: unknown }) | null = stampOf([heartbeatDetails]);
  return stamp?.sealed === true && stamp.signalboxStamp === stampFor.heartbeat(activityType) ? stamp.state : undefined;
}

/** Runs a stage as its tenant. Permanent errors are marked as not retryable for Temporal. */
export async function stage<T>(tenant: string, work: () => Promise<T>): Promise<T> {
  try {
    return await asTenant(tenant, work);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw ApplicationFailure.create({
      type: failureType(error.code),
      message: error.message,
      nonRetryable: !error.retryable,
      ...nextDelay(error),
      ...(isDatabaseAway(error.cause ?? {}) ? { details: [recordsAway] } : {}),
      cause: error,
    });
  }
}

/** Longest delay that an error may request, in ms: a failing stage must be parked on the same day. */
const longestDelay = 600_000;

/** An error's retry-after is respected; the backoff of the stage's policy is the minimum. */
function nextDelay({ retryAfterSeconds, retryable }: AppError): { nextRetryDelay?: number } {
  if (retryAfterSeconds === undefined || !retryable) return {};
  const { attempt, retryPolicy } = Context.current().info;
  const wanted = Math.min(retryAfterSeconds * 1_000, longestDelay);
  return wanted > backoff(attempt, retryPolicy) ? { nextRetryDelay: wanted } : {};
}

/** Temporal's backoff after this attempt, in ms, from the retry policy, with Temporal's defaults. */
function backoff(attempt: number, { initialInterval = 1_000, backoffCoefficient = 2, maximumInterval }: RetryPolicy = {}): number {
  const first = Number(initialInterval);
  return Math.min(first * backoffCoefficient ** (attempt - 1), Number(maximumInterval ?? 100 * first));
}

/** How long a stage works before it gives its slot to others in the queue, in ms. */
const sliceMs = 10_000;

/** @returns whether to give up the slot; the next call continues */
export function slice(milliseconds = sliceMs): () => boolean {
  const until = Date.now() + milliseconds;
  return () => Date.now() >= until;
}

/** Heartbeats while it works, every 3 s by default: for work that cannot report progress. */
export async function beating<T>(
  work: () => Promise<T>,
  { everyMs = 3_000, tick = beat }: { everyMs?: number; tick?: () => void } = {},
): Promise<T> {
  const timer = setInterval(tick, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** As `stage`, with its own heartbeats. */
export const longStage = <T>(tenant: string, work: () => Promise<T>): Promise<T> => stage(tenant, () => beating(work));

/**
 * As `longStage`, with long retries for unavailable services; a defect of ours ends after a limited number of
 * attempts.
 */
export const patientStage = <T>(tenant: string, work: () => Promise<T>, attempts = 5): Promise<T> =>
  longStage(tenant, async () => {
    try {
      return await work();
    } catch (error) {
      const { info, cancellationSignal } = Context.current();
      if (error instanceof AppError || error instanceof ApplicationFailure || cancellationSignal.aborted || info.attempt < attempts)
        throw error;
      throw ApplicationFailure.create({
        message: error instanceof Error ? error.message : String(error),
        nonRetryable: true,
        cause: error as Error,
      });
    }
  });
