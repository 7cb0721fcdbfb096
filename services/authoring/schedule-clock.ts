/** The Temporal Schedule of a report schedule, which follows its row. */
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { reportSchedule } from '../../workflows/authoring/report-schedule/workflow.ts';
import { specOf } from '../kernel/timing.ts';
import type { ScheduleRow } from './schedule-records.ts';

/** Catch-up window after downtime. */
const catchupWindow = '6 hours';

type Clock = Pick<ScheduleRow, 'id' | 'name' | 'timing' | 'timezone' | 'status' | 'rev' | 'created_by'>;

export function clockOf(tenant: string, { id, name, timing, timezone, status, rev, created_by }: Clock): ScheduleOptions {
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
      typedSearchAttributes: attributesOf({ tenant, kind: 'report_schedule', status: 'running', owner: created_by }),
    },
    state: { paused: status === 'paused', note: `revision ${rev}` },
  };
}
