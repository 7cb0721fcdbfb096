import {
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobActivities, JobRef } from '../../../contracts/activities/jobs.ts';
import type { LedgerActivities, LedgerCourse } from '../../../contracts/activities/ledger.ts';
import { failureType } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { followJob } from '../../kernel/job.ts';
import { VerifyState } from './state.ts';

export interface VerifyInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
  /** Of a run that this one goes on from. */
  course?: LedgerCourse;
}

const { verifyLedgerPart } = proxyActivities<LedgerActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '15s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 10 },
});
const rows = proxyActivities<JobActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '60s' },
});

/** Holds a tenant's ledger against its chain, part by part. */
export async function verifyLedger({ job, rev, course }: VerifyInput): Promise<void> {
  const state = new VerifyState(rev, course ?? null);
  const { show, end } = followJob(state, { unit: 'entries', write: (snapshot) => rows.writeJob(job, snapshot), continued: !!course });
  if (!course) state.started();
  show();
  try {
    for (;;) {
      state.read(await verifyLedgerPart(job, state.course));
      if (state.course!.done) break;
      show();
      if (!workflowInfo().continueAsNewSuggested) continue;
      await end();
      return await continueAsNew<typeof verifyLedger>({ job, rev: state.revision, course: state.course! });
    }
    await CancellationScope.nonCancellable(end);
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error;
    const { code, message } = failureOf(error, 'The verification');
    if (isCancellation(error)) state.cancelled();
    else state.failed({ code, message });
    await CancellationScope.nonCancellable(end);
    throw isCancellation(error) ? error : ApplicationFailure.create({ type: failureType(code), message, nonRetryable: true });
  }
}
