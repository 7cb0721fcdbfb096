import { WithStartWorkflowOperation } from '@temporalio/client';
import { attributesOf } from '../../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../../adapters/temporal/client.ts';
import { asAppError, isGone } from '../../../adapters/temporal/errors.ts';
import type { RebuildProgress } from '../../../contracts/activities/projection.ts';
import { hashOf } from '../../../contracts/ids.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../../contracts/temporal.ts';
import type { projection as projectionWorkflow, RebuildRequest } from '../../../workflows/kernel/projection/workflow.ts';

export type CopyName = Parameters<typeof workflowIds.projection>[0];

/** Which workflow keeps which copy in step. */
const kept = {
  vectors: { type: 'projection', what: 'the copy of the vectors' },
  graph: { type: 'graphProjection', what: 'the copy of the graph' },
} as const;

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 10_000;
/** A process hears of changes at most this often from here, in ms. */
const wakeEvery = 1_000;

/** A projection's workflow as seen from outside. */
export class ProjectionProcesses {
  readonly id: string;
  private readonly temporal: Temporal;
  private readonly copy: CopyName;
  private woken = 0;

  constructor(temporal: Temporal, copy: CopyName) {
    this.temporal = temporal;
    this.copy = copy;
    this.id = workflowIds.projection(copy);
  }

  private options() {
    return {
      workflowId: this.id,
      taskQueue: queues.background,
      args: [] as [],
      workflowTaskTimeout,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      staticSummary: `Keeps ${kept[this.copy].what} in step with Postgres`,
      typedSearchAttributes: attributesOf({ kind: 'projection', status: 'following' }),
    };
  }

  /** A running one is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.start<typeof projectionWorkflow>(kept[this.copy].type, this.options()));
  }

  /** Says that there is something to follow. Never fails: without it the process looks by itself after a while. */
  async wake(): Promise<void> {
    if (Date.now() - this.woken < wakeEvery) return;
    this.woken = Date.now();
    await this.temporal.client.withDeadline(Date.now() + wakeEvery, () => this.temporal.handle(this.id).signal('wake')).catch(() => {});
  }

  /** @throws AppError CONFLICT while a rebuild is under way, SERVICE_UNAVAILABLE */
  async rebuild(request: RebuildRequest, callKey: string): Promise<RebuildProgress> {
    const updateId = `rebuild:${callKey}:${hashOf(request).slice(0, 16)}`;
    return await this.guard(() =>
      this.temporal.client.workflow.executeUpdateWithStart<typeof projectionWorkflow, RebuildProgress, [RebuildRequest]>('rebuild', {
        args: [request],
        updateId,
        startWorkflowOperation: new WithStartWorkflowOperation<typeof projectionWorkflow>(kept[this.copy].type, this.options()),
      }),
    );
  }

  /** @throws AppError SERVICE_UNAVAILABLE */
  async progress(): Promise<RebuildProgress> {
    return await this.guard(() => this.temporal.handle(this.id).query<RebuildProgress>('progress'));
  }

  async runs(): Promise<boolean> {
    try {
      return (await this.guard(() => this.temporal.handle(this.id).describe())).status.name === 'RUNNING';
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  link(): string | undefined {
    return this.temporal.link(this.id);
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
      throw isGone(error) ? error : asAppError(error);
    }
  }
}
