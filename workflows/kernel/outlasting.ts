import { ActivityFailure, ApplicationFailure, patched, TimeoutFailure } from '@temporalio/workflow';
import { recordsAway } from '../../contracts/temporal.ts';

/** How often a stage is begun again after its workers died or ended or Postgres was away, each time with all its attempts. */
export const patience = 5;

/** The stage itself did not fail: its worker went silent. */
const workersDied = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof TimeoutFailure && error.cause.timeoutType === 'HEARTBEAT';

/** The worker was shut down, as in a rolling restart, and the stage took longer than it waits. Temporal's SDK names it so. */
const workerEnded = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.type === 'WorkerShutdown';

/** Postgres was not reachable, as `stage` notes it. */
const recordsWereAway = (error: unknown): boolean =>
  error instanceof ActivityFailure && error.cause instanceof ApplicationFailure && error.cause.details?.[0] === recordsAway;

/** Whether a stage's last attempt ended because its worker or Postgres was gone, and not by an error of the stage. */
export const interrupted = (error: unknown): boolean =>
  workersDied(error) || (recordsWereAway(error) && patched('outlasts-records')) || (workerEnded(error) && patched('outlasts-restarts'));

/**
 * Runs a stage, and begins it again while restarts and outages alone end its last attempt.
 * @throws the stage's error; CancelledFailure
 */
export async function outlasting<T>(stage: () => Promise<T>): Promise<T> {
  for (let lost = 0; ;) {
    try {
      return await stage();
    } catch (error) {
      lost += 1;
      if (!interrupted(error) || lost > patience || !patched('jobs-outlast')) throw error;
    }
  }
}
