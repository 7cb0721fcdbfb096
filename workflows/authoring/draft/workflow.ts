import { ApplicationFailure, CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { DraftActivities } from '../../../contracts/activities/draft.ts';
import type { JobActivities, JobRef } from '../../../contracts/activities/jobs.ts';
import { failureType } from '../../../contracts/temporal.ts';
import { failureOf } from '../../kernel/failure.ts';
import { followJob } from '../../kernel/job.ts';
import { DraftState } from './state.ts';

export interface DraftInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

// SPEC G44.
const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 };
const { gatherDraft, checkDraft } = proxyActivities<DraftActivities>({ startToCloseTimeout: '5m', heartbeatTimeout: '15s', retry });
// A language model may write it, section by section.
const { writeDraft } = proxyActivities<DraftActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });
const rows = proxyActivities<JobActivities>({ startToCloseTimeout: '1m', retry: { initialInterval: '1s', maximumInterval: '60s' } });

/** Makes a draft: reads the evidence, writes from it, checks each statement against its sources. What it makes stands in the draft's row. */
export async function draft({ job, rev }: DraftInput): Promise<void> {
  const state = new DraftState(rev);
  const { show, end } = followJob(state, { unit: 'stages', write: (snapshot) => rows.writeJob(job, snapshot) });
  state.started();
  show();
  try {
    await gatherDraft(job);
    state.begin('write');
    await writeDraft(job);
    state.begin('check');
    state.completed(await checkDraft(job));
    await CancellationScope.nonCancellable(end);
  } catch (error) {
    if (isCancellation(error)) {
      state.cancelled();
      await CancellationScope.nonCancellable(end);
      throw error;
    }
    const { code, message: told } = failureOf(error, 'Generating the draft');
    state.failed({ code, message: told });
    await CancellationScope.nonCancellable(end);
    throw ApplicationFailure.create({ type: failureType(code), message: told, nonRetryable: true });
  }
}
