import { WithStartWorkflowOperation } from '@temporalio/client';
import { attributesOf } from '../../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../../adapters/temporal/client.ts';
import { asAppError, isClosing, isUnanswered } from '../../../adapters/temporal/errors.ts';
import type { ReviewDecision, ReviewOutcome, ReviewRef } from '../../../contracts/activities/review.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../../contracts/temporal.ts';
import type { ChangeInput } from '../../../workflows/graph/entity-change/workflow.ts';
import type { review } from '../../../workflows/kernel/review/workflow.ts';

/** How long a caller waits before the outcome is called unknown, and one attempt, in ms. */
const answerWithin = 15_000;
const askAgainAfter = 6_000;

/** The review workflows, and those of merges and splits, as seen from outside. */
export class ReviewProcesses {
  private readonly temporal: Temporal;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  private options(ref: ReviewRef, owner: string) {
    return {
      workflowId: workflowIds.review(ref.tenant, ref.id),
      taskQueue: queues.interactive,
      args: [ref] as [ReviewRef],
      workflowTaskTimeout,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      staticSummary: ref.id.startsWith('out_') ? `Output of ${owner} to be judged (${ref.id})` : `Question about entities (${ref.id})`,
      typedSearchAttributes: attributesOf({ tenant: ref.tenant, kind: 'review', status: 'pending', owner }),
    };
  }

  /** Starts the process of an open question; one that runs is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(ref: ReviewRef, owner: string): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.start<typeof review>('review', this.options(ref, owner)));
  }

  /** Those that the matcher asks. */
  async startAll(tenant: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.start({ tenant, id }, 'signalbox');
  }

  /** Hands in a decision and waits for what follows from it; starts the process when it is gone. */
  async decide(ref: ReviewRef, owner: string, decision: ReviewDecision): Promise<ReviewOutcome> {
    const updateId = `decide:${hashOf([ref.id, decision]).slice(0, 24)}`;
    const until = Date.now() + answerWithin;
    return await this.guard(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.temporal.client.withDeadline(Math.min(until, Date.now() + askAgainAfter), () =>
            this.temporal.client.workflow.executeUpdateWithStart<typeof review, ReviewOutcome, [ReviewDecision]>('decide', {
              args: [decision],
              updateId,
              startWorkflowOperation: new WithStartWorkflowOperation<typeof review>('review', this.options(ref, owner)),
            }),
          );
        } catch (error) {
          // Dropped by a busy server, or the run ended under it: sent again under the same id it acts once.
          if (attempt < 4 && Date.now() < until && (isClosing(error) || isUnanswered(error))) continue;
          throw error;
        }
      }
    });
  }

  /** Starts a merge or split that nobody asked about. @throws AppError SERVICE_UNAVAILABLE */
  async startChange(kind: 'merge' | 'split', workflowId: string, title: string, owner: string, input: ChangeInput): Promise<void> {
    await this.guard(() =>
      this.temporal.client.workflow.start<(input: ChangeInput) => Promise<unknown>>(kind, {
        workflowId,
        taskQueue: queues.interactive,
        args: [input],
        workflowTaskTimeout,
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: title,
        typedSearchAttributes: attributesOf({ tenant: input.job.tenant, kind, status: 'queued', owner }),
      }),
    );
  }

  refs({ tenant, id }: ReviewRef): { type: 'workflow'; id: string; url?: string }[] {
    const workflowId = workflowIds.review(tenant, id);
    const url = this.temporal.link(workflowId);
    return [{ type: 'workflow', id: workflowId, ...(url ? { url } : {}) }];
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
      throw asAppError(error);
    }
  }
}
