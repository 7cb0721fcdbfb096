import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';

/** Schedules an activity of somebody else's workers. */
export async function forged(taskQueue: string, name: string, args: unknown[]): Promise<unknown> {
  const activities = proxyActivities<Record<string, (...args: unknown[]) => Promise<unknown>>>({
    taskQueue,
    startToCloseTimeout: '10s',
    retry: { maximumAttempts: 1 },
  });
  try {
    return await activities[name]!(...args);
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    const { type, message } = cause as ApplicationFailure;
    throw ApplicationFailure.nonRetryable(message, type);
  }
}
