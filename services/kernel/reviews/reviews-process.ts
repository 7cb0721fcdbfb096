import type { ReviewDecision, ReviewOutcome, ReviewRef } from '../../../contracts/activities/review.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { ChangeInput } from '../../../workflows/graph/entity-change/workflow.ts';
import type { review } from '../../../workflows/kernel/review/workflow.ts';
import { Service } from '../service.ts';
import type { Process } from '../processes.ts';

/** The review workflows, and those of merges and splits, as seen from outside. */
export class ReviewProcesses extends Service<'processes'> {
  /** Starts the process of an open question; one that runs is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(ref: ReviewRef, owner: string): Promise<void> {
    await this.deps.processes.start(processOf(ref, owner));
  }

  /** Those that the matcher asks. */
  async startAll(tenant: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.start({ tenant, id }, 'signalbox');
  }

  /** Hands in a decision and waits for what follows from it; starts the process when it is gone. */
  async decide(ref: ReviewRef, owner: string, decision: ReviewDecision): Promise<ReviewOutcome> {
    return await this.deps.processes.ask<ReviewOutcome>(processOf(ref, owner), 'decide', decision, ref.id);
  }

  /** Starts a merge or split that nobody asked about. @throws AppError SERVICE_UNAVAILABLE */
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
