import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { GraphActivities } from '../../../contracts/activities/graph/graph.ts';
import type { JobActivities, JobRef, JobSnapshot } from '../../../contracts/activities/kernel/jobs.ts';
import type { EntityChangeActivities } from '../../../contracts/activities/kernel/review.ts';
import { runJob } from '../../kernel/job.ts';
import { ChangeState } from './state.ts';

export interface ChangeInput {
  job: JobRef;
  /** Revision of the job's row at the start. */
  rev: number;
}

const forever = { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' } as const;
// The heartbeat timeout limits how long a killed worker delays the change.
const changing = proxyActivities<EntityChangeActivities>({ startToCloseTimeout: '10m', heartbeatTimeout: '10s', retry: forever });
// Short activities: one that takes longer has died with its worker.
const settling = proxyActivities<GraphActivities & JobActivities>({ startToCloseTimeout: '10s', retry: forever });
/**
 * The caller waits, so the retries are limited. A copy that stays unavailable catches up later; `neo4j_sync` shows
 * it.
 */
const copying = proxyActivities<EntityChangeActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '500ms', maximumAttempts: 2 },
});

/**
 * A merge or split: records (mentions, names, vectors, folded counts and facts, in one transaction) → copies outside
 * Postgres → new questions. If it is cancelled in between, it is undone.
 */
async function change(kind: 'merge' | 'split', { job, rev }: ChangeInput): Promise<JobSnapshot['result']> {
  const state = new ChangeState(rev);
  const write = (snapshot: JobSnapshot): Promise<number> => settling.writeJob(job, snapshot);
  const undo = async (): Promise<void> => {
    // Also when it is unknown whether it was applied: undoing an unapplied change does nothing.
    state.undoing();
    await changing.undoChange(job);
  };
  await runJob(state, job, { kind, unit: 'mentions', write, paced: true, undo }, async ({ show, end }) => {
    state.recorded(await changing.applyChange(job));
    show();
    try {
      await copying.syncGraph(job);
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
    await CancellationScope.nonCancellable(async () => {
      const { reviews } = state.applied!;
      if (reviews.length > 0) await settling.startReviews(job.tenant, reviews);
      state.completed();
      await end();
    });
  });
  return state.snapshot().result;
}

export const merge = (input: ChangeInput): Promise<JobSnapshot['result']> => change('merge', input);
export const split = (input: ChangeInput): Promise<JobSnapshot['result']> => change('split', input);
