import type { ReviewDecision, ReviewOutcome, ReviewRef } from '../../../contracts/activities/kernel/review.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { ChangeInput } from '../../../workflows/graph/entity-change/workflow.ts';
import type { review } from '../../../workflows/kernel/review/workflow.ts';
import { Service } from '../service.ts';
import type { Process } from '../processes.ts';

/** Access to the workflows of reviews, merges and splits. */
export class ReviewProcesses extends Service<'processes'> {
  /**
   * Starts the process of an open question; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async start(ref: ReviewRef, owner: string): Promise<void> {
    await this.deps.processes.start(processOf(ref, owner));
  }

  /** Starts the matcher's questions. */
  async startAll(tenant: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.start({ tenant, id }, 'signalbox');
  }

  /** Sends a decision and waits until it is carried out; starts the process if it is gone. */
  async decide(ref: ReviewRef, owner: string, decision: ReviewDecision): Promise<ReviewOutcome> {
    return await this.deps.processes.ask<ReviewOutcome>(processOf(ref, owner), 'decide', decision, ref.id);
  }

  /**
   * Starts a merge or split without a question.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async startChange(kind: 'merge' | 'split', workflowId: string, title: string, owner: string, input: ChangeInput): Promise<void> {
    const { tenant } = input.job;
    await this.deps.processes.start<(input: ChangeInput) => Promise<unknown>>({
      workflow: kind,
      id: workflowId,
      queue: 'interactive',
      args: [input],
      tenant,
      kind,
      status: 'queued',
      owner,
      summary: title,
    });
  }

  refs({ tenant, id }: ReviewRef): Ref[] {
    return this.deps.processes.refs(workflowIds.review(tenant, id));
  }
}

const processOf = (ref: ReviewRef, owner: string): Process<typeof review> => ({
  workflow: 'review',
  id: workflowIds.review(ref.tenant, ref.id),
  queue: 'interactive',
  args: [ref],
  tenant: ref.tenant,
  kind: 'review',
  status: 'pending',
  owner,
  summary: ref.id.startsWith('out_') ? `Output of ${owner} to be judged (${ref.id})` : `Question about entities (${ref.id})`,
});
