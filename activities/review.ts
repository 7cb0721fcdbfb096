import type { Database } from '../adapters/postgres/database.ts';
import type { EntityChangeActivities, ReviewActivities } from '../contracts/activities/review.ts';
import { applyChange, undoChange } from '../services/graph/changes.ts';
import { learn } from '../services/graph/learning.ts';
import { beginDecision, settleReview } from '../services/graph/reviews.ts';
import { reviewRow } from '../services/graph/reviews-records.ts';
import type { Jobs } from '../services/jobs/jobs.ts';
import { longStage, stage } from './stage.ts';

interface Parts {
  jobs: Jobs;
  /** Waits until the copy of the graph has what is committed by now. @throws AppError SERVICE_UNAVAILABLE */
  copied(tenant: string): Promise<void>;
}

/** People's decisions and what follows from them. */
export const reviewActivities = ({ db }: { db: Database }, { jobs, copied }: Parts): ReviewActivities & EntityChangeActivities => ({
  isOpen: ({ tenant, id }) =>
    stage(tenant, async () => {
      const row = await reviewRow(db.query, tenant, id);
      return row?.status === 'pending' || row?.status === 'deciding';
    }),

  notedDecision: ({ tenant, id }) =>
    stage(tenant, async () => {
      const row = await reviewRow(db.query, tenant, id);
      if (row?.status !== 'deciding') return null;
      const { decision } = (row.result ?? {}) as { decision?: 'confirm' | 'reject' };
      return decision ? { decision, by: row.decided_by ?? 'unknown', notes: row.notes } : null;
    }),

  beginDecision: ({ tenant, id }, decision) => stage(tenant, () => beginDecision({ db, jobs }, tenant, id, decision)),

  settleReview: ({ tenant, id }, outcome) => stage(tenant, () => settleReview(db, tenant, id, outcome)),

  learnNames: (tenant) => stage(tenant, async () => void (await learn(db, tenant))),

  applyChange: (job) => longStage(job.tenant, () => applyChange(db, job)),

  syncGraph: (job) => stage(job.tenant, () => copied(job.tenant)),

  undoChange: (job) => longStage(job.tenant, () => undoChange(db, job)),
});
