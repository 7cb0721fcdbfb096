/** Temporal Schedules that follow rows: created, changed and deleted with the row. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, type ScheduleDescription, type ScheduleOptions } from '@temporalio/client';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';

const deadlineMs = 15_000;

/**
 * A time zone in Temporal's spelling, which distinguishes "utc" from "UTC"; null if invalid. An offset such as +02:00
 * is refused, because it has no summer time.
 */
export function zoneOf(name: string): string | null {
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * Creates or updates the schedule of this id. Temporal applies the time zone: a time skipped by summer time does not
 * fire that day, a repeated one fires once.
 * @throws AppError VALIDATION_ERROR when Temporal cannot parse the times, SERVICE_UNAVAILABLE
 */
export async function putSchedule(temporal: Temporal, wanted: ScheduleOptions): Promise<void> {
  const { timezone = 'UTC' } = wanted.spec;
  // Older rows contain zones as they were typed.
  const options = { ...wanted, spec: { ...wanted.spec, timezone: zoneOf(timezone) ?? timezone } };
  await asked(temporal, async ({ schedule }) => {
    try {
      await schedule.create(options);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { scheduleId, ...changed } = options;
      await schedule.getHandle(scheduleId).update((former) => ({ ...former, ...changed, state: { ...former.state, ...changed.state } }));
    }
  });
}

/**
 * Does nothing if it does not exist.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function removeSchedule(temporal: Temporal, id: string): Promise<void> {
  await asked(temporal, ({ schedule }) => schedule.getHandle(id).delete().catch(unlessGone));
}

/**
 * @returns null: it does not exist.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function describeSchedule(temporal: Temporal, id: string): Promise<ScheduleDescription | null> {
  return await asked(temporal, ({ schedule }) => schedule.getHandle(id).describe().catch(unlessGone));
}

/**
 * Has the schedule run once now, under its own overlap policy, also while it is paused.
 * @returns false: it does not exist
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function triggerSchedule(temporal: Temporal, id: string): Promise<boolean> {
  return await asked(temporal, async ({ schedule }) => {
    try {
      await schedule.getHandle(id).trigger();
      return true;
    } catch (error) {
      return unlessGone(error) !== null;
    }
  });
}

async function asked<T>({ client }: Temporal, work: (client: Temporal['client']) => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    // The client's error for INVALID_ARGUMENT.
    if (error instanceof TypeError) {
      throw new AppError('VALIDATION_ERROR', 'Temporal cannot read the times of this schedule.', {
        hint: 'Check the cron expression and the time zone.',
        details: { reason: 'timing' },
        cause: error,
      });
    }
    throw asAppError(error);
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof ScheduleNotFoundError) return null;
  throw error;
}
