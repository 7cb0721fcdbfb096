/** The schedule of a tenant's daily brief: a Temporal Schedule that follows the settings. */
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import type { Temporal } from '../../../adapters/temporal/client.ts';
import type { BriefSettings } from '../../../contracts/feeds/briefs.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../../contracts/temporal.ts';
import { describeSchedule, putSchedule, removeSchedule } from '../../kernel/schedules.ts';

type Clock = Pick<BriefSettings, 'enabled' | 'time' | 'time_zone'>;

/** Catch-up window after downtime: a morning brief is useful until the evening. */
const catchupWindow = '12 hours';

/**
 * Creates or removes the schedule according to the settings.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function followClock(temporal: Temporal, tenant: string, clock: Clock): Promise<void> {
  if (clock.enabled) await putSchedule(temporal, optionsOf(tenant, clock));
  else await removeSchedule(temporal, workflowIds.briefSchedule(tenant));
}

/**
 * Whether the schedule matches the settings.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function clockIsRight(temporal: Temporal, tenant: string, clock: Clock): Promise<boolean> {
  const found = await describeSchedule(temporal, workflowIds.briefSchedule(tenant));
  return clock.enabled ? found?.state.note === noteOf(clock) : found === null;
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

/** Stored with the schedule to detect outdated settings. */
const noteOf = ({ time, time_zone }: Clock): string => `daily at ${time} ${time_zone} (${hashOf({ time, time_zone }).slice(0, 8)})`;
