import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecurrenceActivities } from '../../../contracts/activities/work/recurrence.ts';

export interface RecurrenceInput {
  tenant: string;
  id: string;
  /** Null: started by the schedule, which has the time. */
  firedAt: string | null;
}

const { makeTask } = proxyActivities<RecurrenceActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 60 },
});

const scheduledFor = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** One run of a recurring task. */
export async function recurrence({ tenant, id, firedAt }: RecurrenceInput): Promise<string | null> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  return await makeTask({ tenant, id, firedAt: firedAt ?? (typedSearchAttributes.get(scheduledFor) ?? startTime).toISOString() });
}
