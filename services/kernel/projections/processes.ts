import type { RebuildProgress } from '../../../contracts/activities/kernel/projection.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { projection as projectionWorkflow, RebuildRequest } from '../../../workflows/kernel/projection/workflow.ts';
import { Service } from '../service.ts';
import type { Process } from '../processes.ts';

export type CopyName = Parameters<typeof workflowIds.projection>[0];

/** The workflow of each copy. */
const kept = {
  vectors: { type: 'projection', what: 'the copy of the vectors' },
  graph: { type: 'graphProjection', what: 'the copy of the graph' },
} as const;

/** Minimum interval between two notifications from here, in ms. */
const wakeEvery = 1_000;

/** Access to a projection's workflow. */
export class ProjectionProcesses extends Service<'temporal' | 'processes', { copy: CopyName }> {
  readonly id = workflowIds.projection(this.deps.copy);
  private woken = 0;

  /**
   * Does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async start(): Promise<void> {
    await this.deps.processes.start(this.process());
  }

  /** Notifies the process of changes. Never fails: the process also polls. */
  async wake(): Promise<void> {
    if (Date.now() - this.woken < wakeEvery) return;
    this.woken = Date.now();
    await this.deps.temporal.client
      .withDeadline(Date.now() + wakeEvery, () => this.deps.temporal.handle(this.id).signal('wake'))
      .catch(() => {});
  }

  /** @throws AppError CONFLICT while a rebuild is under way, SERVICE_UNAVAILABLE */
  async rebuild(request: RebuildRequest, callKey: string): Promise<RebuildProgress> {
    return await this.deps.processes.ask<RebuildProgress>(this.process(), 'rebuild', request, callKey);
  }

  /** @throws AppError SERVICE_UNAVAILABLE */
  async progress(): Promise<RebuildProgress> {
    return await this.deps.processes.query<RebuildProgress>(this.id, 'progress');
  }

  async runs(): Promise<boolean> {
    return (await this.deps.processes.running(this.id)) !== null;
  }

  link(): string | undefined {
    return this.deps.temporal.link(this.id);
  }

  private process(): Process<typeof projectionWorkflow> {
    const { type, what } = kept[this.deps.copy];
    const summary = `Keeps ${what} in step with Postgres`;
    return { workflow: type, id: this.id, queue: 'background', args: [], kind: 'projection', status: 'following', summary };
  }
}
