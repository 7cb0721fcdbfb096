import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { ExportActivities } from '../../../contracts/activities/governance/export.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import { runJob } from '../../kernel/job.ts';
import { outlasting } from '../../kernel/outlasting.ts';
import { ExportState } from './state.ts';

export interface ExportInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

/** Number of written rows, signalled by the activity. */
export const exported = defineSignal<[{ done: number; total: number }]>('exported');

const { writeExport } = proxyActivities<Pick<ExportActivities, 'writeExport'>>({
  startToCloseTimeout: '2h',
  heartbeatTimeout: '15s',
  // Clean up only after the activity has stopped.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 },
});
const { discardExport } = proxyActivities<Pick<ExportActivities, 'discardExport'>>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** Exports records into one file: a single activity, because all tables are read in one snapshot. */
export async function exportData({ job, rev }: ExportInput): Promise<void> {
  const state = new ExportState(rev);
  await runJob(state, job, { kind: 'export', unit: 'rows', undo: () => discardExport(job) }, async ({ show }) => {
    setHandler(exported, (rowsSoFar) => {
      state.advanced(rowsSoFar);
      show();
    });
    const written = await outlasting(() => writeExport(job));
    // The export finished before the cancellation arrived.
    if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled when it was ready');
    state.completed(written);
  });
}
