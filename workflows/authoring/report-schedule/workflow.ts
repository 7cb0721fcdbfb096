import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FireEnd, FireRef, ReportScheduleActivities, ReportStage } from '../../../contracts/activities/authoring/report-schedule.ts';
import { failureOf } from '../../kernel/failure.ts';

export interface ReportScheduleInput {
  tenant: string;
  id: string;
  /** Null: started by the schedule, which has the time. */
  firedAt: string | null;
}

const { beginReport, awaitReport, tellRecipients } = proxyActivities<ReportScheduleActivities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '15s',
  // Retries for an hour: an outage does not end a report, and a defect of ours does not retry forever.
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 60 },
});
const { endFire } = proxyActivities<ReportScheduleActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** A language model may take long: about two hours. */
const mostWaits = 360;

const scheduledFor = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** One run of a schedule: generates the report and notifies each recipient once. */
export async function reportSchedule({ tenant, id, firedAt }: ReportScheduleInput): Promise<FireEnd> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const fire: FireRef = { tenant, id, firedAt: firedAt ?? (typedSearchAttributes.get(scheduledFor) ?? startTime).toISOString() };
  const end = await course(fire).catch((error: unknown): FireEnd => ({
    outcome: 'failed',
    error: failureOf(error, 'Generating the report').message,
    draftId: null,
  }));
  await endFire(fire, end);
  return end;
}

async function course(fire: FireRef): Promise<FireEnd> {
  let now: ReportStage = await beginReport(fire);
  for (let waits = 0; now.stage === 'writing'; waits += 1) {
    if (waits === mostWaits) return { outcome: 'failed', error: 'The report was not ready in time.', draftId: now.draftId };
    now = await awaitReport(fire, now.jobId, now.draftId);
  }
  return now.stage === 'over' ? now.end : await tellRecipients(fire, now.draftId);
}
