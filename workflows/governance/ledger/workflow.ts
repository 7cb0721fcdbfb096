import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import type { LedgerActivities, LedgerCourse } from '../../../contracts/activities/governance/ledger.ts';
import { runJob } from '../../kernel/job.ts';
import { outlasting } from '../../kernel/outlasting.ts';
import { VerifyState } from './state.ts';

export interface VerifyInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Progress of the previous run. */
  course?: LedgerCourse;
}

const { verifyLedgerPart } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 10 },
});

/** Verifies a tenant's ledger against its chain, part by part. */
export async function verifyLedger({ job, rev, course }: VerifyInput): Promise<void> {
  const state = new VerifyState(rev, course ?? null);
  await runJob(state, job, { kind: 'ledger_verify', unit: 'entries', continued: !!course }, async ({ show, end }) => {
    for (;;) {
      state.read(await outlasting(() => verifyLedgerPart(job, state.course)));
      if (state.course!.done) return;
      show();
      if (!workflowInfo().continueAsNewSuggested) continue;
      await end();
      await continueAsNew<typeof verifyLedger>({ job, rev: state.revision, course: state.course! });
    }
  });
}
