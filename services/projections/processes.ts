import { WithStartWorkflowOperation } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isGone } from '../../adapters/temporal/errors.ts';
import type { RebuildProgress } from '../../contracts/activities/projection.ts';
import { hashOf } from '../../contracts/ids.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { projection as projectionWorkflow, RebuildRequest } from '../../workflows/projection/workflow.ts';

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 10_000;
/** A process hears of changes at most this often from here, in ms. */
const wakeEvery = 1_000;

/** The projection workflow as seen from outside. */
export class ProjectionProcesses {
  private readonly temporal: Temporal;
  private readonly id = workflowIds.projection('vectors');
  private woken = 0;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  private options() {
    return {
      workflowId: this.id,
      taskQueue: queues.background,
      args: [] as [],
      workflowTaskTimeout,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      staticSummary: 'Keeps the copy of the vectors in step with Postgres',
      typedSearchAttributes: attributesOf({ kind: 'projection', status: 'following' }),
    };
  }

  /** A running one is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.start<typeof projectionWorkflow>('projection', this.options()));
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
        startWorkflowOperation: new WithStartWorkflowOperation<typeof projectionWorkflow>('projection', this.options()),
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
