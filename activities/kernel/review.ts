import type { Consequence, EntityChangeActivities, ReviewActivities, ReviewDecision } from '../../contracts/activities/kernel/review.ts';
import { beginJudgement } from '../../services/agents/outputs.ts';
import { AppError } from '../../contracts/errors.ts';
import { applyChange, undoChange } from '../../services/graph/changes.ts';
import { learn } from '../../services/graph/learning.ts';
import { beginDecision, settleReview } from '../../services/graph/reviews.ts';
import { anyReview, type AnyReview } from '../../services/kernel/reviews/reviews-records.ts';
import type { Services } from '../../services/index.ts';
import { longStage, stage } from './stage.ts';

type Begin = (services: Services, tenant: string, id: string, decision: ReviewDecision) => Promise<Consequence | null>;

/** The start of a decision, by kind of question. */
const kinds: Partial<Record<AnyReview['kind'], Begin>> = {
  entity_match: ({ kernel }, ...decided) => beginDecision(kernel, ...decided),
  agent_output: ({ kernel, opportunities }, ...decided) =>
    beginJudgement(kernel.db, ...decided, (tenant) => opportunities.wakeSoon(tenant)),
};

/** People's decisions and their consequences. */
export const reviewActivities = (services: Services): ReviewActivities & EntityChangeActivities => {
  const { db } = services.kernel;
  /** People may have decided what names mean: documents are read with it. */
  const readAgain = async <T>(tenant: string, done: T): Promise<T> => {
    await services.rereading.wakeSoon(tenant);
    return done;
  };
  return {
    isOpen: ({ tenant, id }) =>
      stage(tenant, async () => {
        const row = await anyReview(db.query, tenant, id);
        return row?.status === 'pending' || row?.status === 'deciding';
      }),

    notedDecision: ({ tenant, id }) =>
      stage(tenant, async () => {
        const row = await anyReview(db.query, tenant, id);
        if (row?.status !== 'deciding') return null;
        const { decision, said } = (row.result ?? {}) as Partial<ReviewDecision>;
        return decision ? { decision, by: row.decided_by ?? 'unknown', notes: row.notes, ...(said === undefined ? {} : { said }) } : null;
      }),

    beginDecision: ({ tenant, id }, decision) =>
      stage(tenant, async () => {
        const begin = kinds[(await anyReview(db.query, tenant, id))?.kind ?? 'claim'];
        if (!begin) throw new AppError('CONFLICT', 'This question is obsolete: its subject no longer exists.');
        return await readAgain(tenant, await begin(services, tenant, id, decision));
      }),

    settleReview: ({ tenant, id }, outcome) => stage(tenant, () => settleReview(db, tenant, id, outcome)),

    learnNames: (tenant) => stage(tenant, async () => void (await learn(db, tenant))),

    applyChange: (job) => longStage(job.tenant, async () => readAgain(job.tenant, await applyChange(db, job))),

    syncGraph: (job) => stage(job.tenant, () => services.projections.graphCaughtUp(job.tenant, 3_000)),

    undoChange: (job) => longStage(job.tenant, async () => readAgain(job.tenant, await undoChange(db, job))),
  };
};
