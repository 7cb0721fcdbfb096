import { Context } from '@temporalio/activity';
import { ApplicationFailure, type RetryPolicy } from '@temporalio/common';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { failureType, stampFor, stampOf, type Stamp } from '../../contracts/temporal.ts';

export const beat = (): void => Context.current().heartbeat();

/** Heartbeats with what the next attempt goes on from: sealed, because anybody who reaches Temporal's port can heartbeat. */
export function beatWith(state: unknown): void {
  const { heartbeat, info } = Context.current();
  heartbeat({ signalboxStamp: stampFor.heartbeat(info.activityType), state } satisfies Stamp & { state: unknown });
}

/** What the attempt before told by `beatWith`. */
export function beatenWith(): unknown {
  const { heartbeatDetails, activityType } = Context.current().info;
  const stamp: (Stamp & { state?: unknown }) | null = stampOf([heartbeatDetails]);
  return stamp?.sealed === true && stamp.signalboxStamp === stampFor.heartbeat(activityType) ? stamp.state : undefined;
}

/** Runs a stage as its tenant. What cannot get better by repeating is said so to Temporal. */
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
      cause: error,
    });
  }
}

/** The longest that a stage is put off by what it met, in ms: it must come to be parked on the same day. */
const longestDelay = 600_000;

/** Whoever says when to come back is not asked before; the backoff of the stage's own policy stays the least. */
function nextDelay({ retryAfterSeconds, retryable }: AppError): { nextRetryDelay?: number } {
  if (retryAfterSeconds === undefined || !retryable) return {};
  const { attempt, retryPolicy } = Context.current().info;
  const wanted = Math.min(retryAfterSeconds * 1_000, longestDelay);
  return wanted > backoff(attempt, retryPolicy) ? { nextRetryDelay: wanted } : {};
}

/** What Temporal would wait after this attempt, in ms, as the worker tells a policy; its defaults where that says nothing. */
function backoff(attempt: number, { initialInterval = 1_000, backoffCoefficient = 2, maximumInterval }: RetryPolicy = {}): number {
  const first = Number(initialInterval);
  return Math.min(first * backoffCoefficient ** (attempt - 1), Number(maximumInterval ?? 100 * first));
}

/** How long a stage works at a time, in ms, before it lets others of its queue have its place. */
const sliceMs = 10_000;

/** @returns whether it is time to let others have the place; what is left is done by the next call */
export function slice(milliseconds = sliceMs): () => boolean {
  const until = Date.now() + milliseconds;
  return () => Date.now() >= until;
}

/** Heartbeats while it works, every 3 s unless said otherwise: for work that cannot say when it gets on. */
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

/** As `stage`, and heartbeats on its own. */
export const longStage = <T>(tenant: string, work: () => Promise<T>): Promise<T> => stage(tenant, () => beating(work));

/** As `longStage`, where what is away is waited for long: a defect of ours is not, it ends after so many attempts. */
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
