/** The clock of a report schedule: a Temporal Schedule that follows its row. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { weekdays, type Timing } from '../../contracts/report-schedules.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { reportSchedule } from '../../workflows/report-schedule/workflow.ts';

export interface Clock {
  id: string;
  name: string;
  timing: Timing;
  timezone: string;
  paused: boolean;
  rev: number;
  createdBy: string;
}

/** A report that was missed while everything was down is still wanted for so long. */
const catchupWindow = '6 hours';

/**
 * Makes the schedule as the row says. Temporal keeps the time zone: a time that summer time leaves out is not fired on
 * that day, one that comes twice is fired once.
 * @throws AppError VALIDATION_ERROR when Temporal cannot read the times, SERVICE_UNAVAILABLE
 */
export async function setClock({ client }: Temporal, tenant: string, clock: Clock): Promise<void> {
  const options = optionsOf(tenant, clock);
  await guarded(() =>
    client.withDeadline(Date.now() + 15_000, async () => {
      try {
        await client.schedule.create(options);
      } catch (error) {
        if (!(error instanceof ScheduleAlreadyRunning)) throw error;
        const { scheduleId, ...changed } = options;
        await client.schedule
          .getHandle(scheduleId)
          .update((former) => ({ ...former, ...changed, state: { ...former.state, ...changed.state } }));
      }
    }),
  );
}

/** One that is gone already stays so. @throws AppError SERVICE_UNAVAILABLE */
export async function removeClock({ client }: Temporal, tenant: string, id: string): Promise<void> {
  await guarded(() =>
    client.withDeadline(Date.now() + 15_000, () =>
      client.schedule.getHandle(workflowIds.reportSchedule(tenant, id)).delete().catch(unlessGone),
    ),
  );
}

/** When it fires next, a few times; null: Temporal knows no such schedule. @throws AppError SERVICE_UNAVAILABLE */
export async function nextTimes({ client }: Temporal, tenant: string, id: string): Promise<Date[] | null> {
  return await guarded(() =>
    client.withDeadline(Date.now() + 15_000, async () => {
      const found = await client.schedule
        .getHandle(workflowIds.reportSchedule(tenant, id))
        .describe()
        .catch((error: unknown) => (unlessGone(error), null));
      return found && found.info.nextActionTimes.slice(0, 3);
    }),
  );
}

function optionsOf(tenant: string, { id, name, timing, timezone, paused, rev, createdBy }: Clock): ScheduleOptions {
  const workflowId = workflowIds.reportSchedule(tenant, id);
  return {
    scheduleId: workflowId,
    spec: { ...specOf(timing), timezone },
    // Each time is a report of its own; a slow one must not swallow the next.
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow },
    action: {
      type: 'startWorkflow',
      workflowType: 'reportSchedule' satisfies (typeof reportSchedule)['name'],
      workflowId,
      taskQueue: queues.outbound,
      workflowTaskTimeout,
      args: [{ tenant, id, firedAt: null }],
      staticSummary: `Scheduled report: ${name}`.slice(0, 100),
      typedSearchAttributes: attributesOf({ tenant, kind: 'report_schedule', status: 'running', owner: createdBy }),
    },
    state: { paused, note: `revision ${rev}` },
  };
}

function specOf({ cron, every, at, weekday }: Timing): Pick<ScheduleOptions['spec'], 'calendars' | 'cronExpressions'> {
  if (cron !== undefined) return { cronExpressions: [cron.trim()] };
  const [hour, minute] = at!.split(':').map(Number) as [number, number];
  if (every === 'day') return { calendars: [{ hour, minute }] };
  const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
  return { calendars: [{ hour, minute, dayOfWeek: days[weekdays.indexOf(weekday!)]! }] };
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // What the client makes of INVALID_ARGUMENT.
    if (error instanceof TypeError) {
      throw new AppError('VALIDATION_ERROR', 'Temporal cannot read the times of this schedule.', {
        hint: 'Check the cron expression.',
        details: { reason: 'timing' },
        cause: error,
      });
    }
    throw asAppError(error);
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
