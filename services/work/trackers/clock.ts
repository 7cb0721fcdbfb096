/** The Temporal Schedule of a tracker, which follows its row. */
import { ScheduleOverlapPolicy, type ScheduleOptions } from '@temporalio/client';
import { attributesOf } from '../../../adapters/temporal/attributes.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../../contracts/temporal.ts';
import type { trackerSync } from '../../../workflows/work/tracker/workflow.ts';
import type { TrackerRow } from './rows.ts';

export function clockOf(tenant: string, { id, name, every_seconds, status, rev, created_by }: TrackerRow): ScheduleOptions {
  const workflowId = workflowIds.trackerSync(tenant, id);
  return {
    scheduleId: workflowId,
    spec: { intervals: [{ every: every_seconds * 1_000 }] },
    // One at a time: what is asked for meanwhile runs once more afterwards.
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: 'trackerSync' satisfies (typeof trackerSync)['name'],
      workflowId,
      taskQueue: queues.outbound,
      workflowTaskTimeout,
      args: [{ tenant, id }],
      staticSummary: `Tracker: ${name}`.slice(0, 100),
      typedSearchAttributes: attributesOf({ tenant, kind: 'tracker', status: 'running', owner: created_by }),
    },
    state: { paused: status === 'paused', note: `revision ${rev}` },
  };
}
