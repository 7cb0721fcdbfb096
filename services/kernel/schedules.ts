/** Temporal Schedules that follow rows: made or changed as a row says, and gone with it. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, type ScheduleDescription, type ScheduleOptions } from '@temporalio/client';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';

const deadlineMs = 15_000;

/** A time zone as Temporal spells it, which tells "utc" from "UTC"; null for what is none. An offset such as +02:00 is no place that has summers. */
export function zoneOf(name: string): string | null {
  if (/^[+-]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/**
 * Makes the schedule, or has the one of that id be so. Temporal keeps the time zone: a time that summer time leaves out
 * is not fired on that day, one that comes twice is fired once.
 * @throws AppError VALIDATION_ERROR when Temporal cannot read the times, SERVICE_UNAVAILABLE
 */
export async function putSchedule(temporal: Temporal, wanted: ScheduleOptions): Promise<void> {
  const { timezone = 'UTC' } = wanted.spec;
  // Rows of before hold zones as they were typed.
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

/** One that is gone already stays so. @throws AppError SERVICE_UNAVAILABLE */
export async function removeSchedule(temporal: Temporal, id: string): Promise<void> {
  await asked(temporal, ({ schedule }) => schedule.getHandle(id).delete().catch(unlessGone));
}

/** @returns null: there is none. @throws AppError SERVICE_UNAVAILABLE */
export async function describeSchedule(temporal: Temporal, id: string): Promise<ScheduleDescription | null> {
  return await asked(temporal, ({ schedule }) => schedule.getHandle(id).describe().catch(unlessGone));
}

async function asked<T>({ client }: Temporal, work: (client: Temporal['client']) => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () => work(client));
  } catch (error) {
    // What the client makes of INVALID_ARGUMENT.
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
