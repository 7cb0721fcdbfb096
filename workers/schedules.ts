import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Temporal } from '../adapters/temporal/client.ts';
import { queues, workflowIds } from '../contracts/temporal.ts';

/**
 * Creates the Temporal Schedules. Every worker process may call it.
 * @returns whether this call created any
 */
export async function ensureSchedules(temporal: Temporal): Promise<boolean> {
  try {
    await temporal.client.schedule.create({
      scheduleId: workflowIds.sweep(),
      spec: { intervals: [{ every: '15 minutes' }] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
      action: {
        type: 'startWorkflow',
        workflowType: 'sweep',
        workflowId: workflowIds.sweep(),
        taskQueue: queues.background,
        args: [],
        staticSummary: 'Finds lost processes and deletes what is past its retention',
      },
    });
    return true;
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    return false;
  }
}

/** Runs the sweep now. */
export async function sweepNow(temporal: Temporal): Promise<void> {
  await temporal.client.schedule.getHandle(workflowIds.sweep()).trigger(ScheduleOverlapPolicy.BUFFER_ONE);
}
