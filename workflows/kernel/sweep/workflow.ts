import { proxyActivities } from '@temporalio/workflow';
import type { SweepActivities, SweepReport } from '../../../contracts/activities/kernel/sweep.ts';

const activities = proxyActivities<SweepActivities>({ startToCloseTimeout: '10m', heartbeatTimeout: '1m', retry: { maximumAttempts: 3 } });

/** Started by a schedule. One run at a time: while a run is active, later ones are skipped. */
export async function sweep(): Promise<SweepReport> {
  return await activities.sweep();
}
