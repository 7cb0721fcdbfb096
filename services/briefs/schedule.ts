/** The clock of a tenant's daily brief: a Temporal Schedule that follows the settings. */
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import type { BriefSettings } from '../../contracts/briefs.ts';
import { hashOf } from '../../contracts/ids.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';

type Clock = Pick<BriefSettings, 'enabled' | 'time' | 'time_zone'>;

/** Missed while everything was down: a brief of this morning is of use until the evening, in ms. */
const catchupWindow = '12 hours';

/** Makes the schedule as the settings say, or removes it. @throws AppError SERVICE_UNAVAILABLE */
export async function followClock({ client }: Temporal, tenant: string, clock: Clock): Promise<void> {
  try {
    await client.withDeadline(Date.now() + 15_000, async () => {
      if (clock.enabled) await put(client, tenant, clock);
      else await client.schedule.getHandle(workflowIds.briefSchedule(tenant)).delete().catch(unlessGone);
    });
  } catch (error) {
    throw asAppError(error);
  }
}

/** Whether the schedule is as the settings say. */
export async function clockIsRight({ client }: Temporal, tenant: string, clock: Clock): Promise<boolean> {
  const found = await client.schedule
    .getHandle(workflowIds.briefSchedule(tenant))
    .describe()
    .catch((error: unknown) => {
      unlessGone(error);
      return null;
    });
  return clock.enabled ? found?.state.note === noteOf(clock) : found === null;
}

async function put(client: Temporal['client'], tenant: string, clock: Clock): Promise<void> {
  const options = optionsOf(tenant, clock);
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId, ...changed } = options;
    await client.schedule
      .getHandle(scheduleId)
      .update((former) => ({ ...former, ...changed, state: { ...former.state, ...changed.state } }));
  }
}

function optionsOf(tenant: string, clock: Clock) {
  const [hour, minute] = clock.time.split(':').map(Number) as [number, number];
  return {
    scheduleId: workflowIds.briefSchedule(tenant),
    spec: { calendars: [{ hour, minute }], timezone: clock.time_zone },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'briefClock',
      workflowId: workflowIds.briefSchedule(tenant),
      taskQueue: queues.background,
      workflowTaskTimeout,
      args: [tenant],
      staticSummary: 'Begins the daily brief',
    },
    state: { note: noteOf(clock) },
  } satisfies ScheduleOptions;
}

/** What tells a schedule that lags behind its settings. */
const noteOf = ({ time, time_zone }: Clock): string => `daily at ${time} ${time_zone} (${hashOf({ time, time_zone }).slice(0, 8)})`;

function unlessGone(error: unknown): void {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
