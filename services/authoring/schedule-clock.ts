/** The Temporal Schedule of a report schedule, which follows its row. */
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Timing } from '../../contracts/authoring/report-schedules.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { reportSchedule } from '../../workflows/authoring/report-schedule/workflow.ts';
import { specOf } from '../kernel/timing.ts';
import { describeSchedule, putSchedule, removeSchedule } from '../kernel/schedules.ts';

export interface Clock {
  id: string;
  name: string;
  timing: Timing;
  timezone: string;
  paused: boolean;
  rev: number;
  createdBy: string;
}

/** Catch-up window after downtime. */
const catchupWindow = '6 hours';

/**
 * Creates or updates the schedule from the row.
 * @throws AppError as `putSchedule`
 */
export const setClock = (temporal: Temporal, tenant: string, clock: Clock): Promise<void> =>
  putSchedule(temporal, optionsOf(tenant, clock));

/** @throws AppError SERVICE_UNAVAILABLE */
export const removeClock = (temporal: Temporal, tenant: string, id: string): Promise<void> =>
  removeSchedule(temporal, workflowIds.reportSchedule(tenant, id));

/**
 * The next times; null: Temporal does not have the schedule.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function nextTimes(temporal: Temporal, tenant: string, id: string): Promise<Date[] | null> {
  const found = await describeSchedule(temporal, workflowIds.reportSchedule(tenant, id));
  return found && found.info.nextActionTimes.slice(0, 3);
}

function optionsOf(tenant: string, { id, name, timing, timezone, paused, rev, createdBy }: Clock): ScheduleOptions {
  const workflowId = workflowIds.reportSchedule(tenant, id);
  return {
    scheduleId: workflowId,
    spec: { ...specOf(timing), timezone },
    // Each time is a separate report; a slow one must not skip the next.
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
