/** The Temporal Schedule of a recurring task, which follows its row. */
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { recurrence } from '../../workflows/work/recurrence/workflow.ts';
import { specOf } from '../kernel/timing.ts';
import type { RecurrenceRow } from './recurrences.ts';

/** Runs that were missed for longer are forgotten; of those within, the first makes a task. */
const catchupWindow = '7 days';

export function clockOf(tenant: string, { id, name, timing, timezone, status, rev, created_by }: RecurrenceRow): ScheduleOptions {
  const workflowId = workflowIds.recurrence(tenant, id);
  return {
    scheduleId: workflowId,
    spec: { ...specOf(timing), timezone },
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow },
    action: {
      type: 'startWorkflow',
      workflowType: 'recurrence' satisfies (typeof recurrence)['name'],
      workflowId,
      taskQueue: queues.light,
      workflowTaskTimeout,
      args: [{ tenant, id, firedAt: null }],
      staticSummary: `Recurring task: ${name}`.slice(0, 100),
      typedSearchAttributes: attributesOf({ tenant, kind: 'recurrence', status: 'running', owner: created_by }),
    },
    state: { paused: status === 'paused', note: `revision ${rev}` },
  };
}
