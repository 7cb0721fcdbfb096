import { proxyActivities } from '@temporalio/workflow';
import type { DraftActivities } from '../../../contracts/activities/authoring/draft.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import { runJob } from '../../kernel/job.ts';
import { outlasting } from '../../kernel/outlasting.ts';
import { DraftState } from './state.ts';

export interface DraftInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

const retry = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s', maximumAttempts: 5 };
const { gatherDraft, checkDraft } = proxyActivities<DraftActivities>({ startToCloseTimeout: '5m', heartbeatTimeout: '15s', retry });
// A language model may write it, section by section, so it may take long.
const { writeDraft } = proxyActivities<DraftActivities>({ startToCloseTimeout: '30m', heartbeatTimeout: '15s', retry });

/**
 * Makes a draft: reads the evidence, writes statements, checks each against its sources. The results are in the
 * draft's row.
 */
export async function draft({ job, rev }: DraftInput): Promise<void> {
  const state = new DraftState(rev);
  await runJob(state, job, { kind: 'draft', unit: 'stages' }, async () => {
    await outlasting(() => gatherDraft(job));
    state.begin('write');
    await outlasting(() => writeDraft(job));
    state.begin('check');
    state.completed(await outlasting(() => checkDraft(job)));
  });
}
