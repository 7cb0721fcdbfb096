import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepReport } from '../../../contracts/activities/sweep.ts';

const activities = proxyActivities<SweepActivities>({ startToCloseTimeout: '10m', heartbeatTimeout: '1m', retry: { maximumAttempts: 3 } });

/** Started by a schedule. One at a time: a run that takes long lets the next ones pass. */
export async function sweep(): Promise<SweepReport> {
  return await activities.sweep();
}
