import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { asTenant } from '../adapters/postgres/tenancy.ts';
import { AppError } from '../contracts/errors.ts';
import { failureType } from '../contracts/temporal.ts';

export const beat = (): void => Context.current().heartbeat();

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
      cause: error,
    });
  }
}

/** As `stage`, and heartbeats on its own: for work that cannot say when it gets on. */
export const longStage = <T>(tenant: string, work: () => Promise<T>): Promise<T> =>
  stage(tenant, async () => {
    const beating = setInterval(beat, 3_000);
    try {
      return await work();
    } finally {
      clearInterval(beating);
    }
  });
