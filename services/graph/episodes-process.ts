import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError } from '../../adapters/temporal/errors.ts';
import type { Ref } from '../../contracts/envelope.ts';
import type { Job } from '../../contracts/jobs.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { clearGraph } from '../../workflows/clear-graph/workflow.ts';
import type { episodes } from '../../workflows/episodes/workflow.ts';

/** How long a caller waits for Temporal, in ms. */
const wakeWithin = 5_000;
const startWithin = 15_000;

/** The workflows of episodes and of clearing, as seen from outside. */
export class EpisodeProcesses {
  private readonly temporal: Temporal;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  /** Says that episodes are queued; starts the tenant's process when it has ended. @throws AppError SERVICE_UNAVAILABLE */
  async wake(tenant: string): Promise<void> {
    try {
      await this.temporal.client.withDeadline(Date.now() + wakeWithin, () =>
        this.temporal.client.workflow.signalWithStart<typeof episodes>('episodes', {
          workflowId: workflowIds.episodes(tenant),
          taskQueue: queues.background,
          args: [tenant],
          signal: 'wake',
          signalArgs: [],
          workflowTaskTimeout,
          staticSummary: 'Takes episodes into the graph, in their order',
          typedSearchAttributes: attributesOf({ tenant, kind: 'episodes', status: 'running' }),
        }),
      );
    } catch (error) {
      throw asAppError(error);
    }
  }

  /** Starts the process of an unfinished clearing; one that runs is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async clear(tenant: string, job: Job): Promise<void> {
    try {
      await this.temporal.client.withDeadline(Date.now() + startWithin, () =>
        this.temporal.client.workflow.start<typeof clearGraph>('clearGraph', {
          workflowId: job.workflow_id,
          taskQueue: queues.background,
          args: [{ job: { tenant, id: job.job_id }, rev: 0 }],
          workflowTaskTimeout,
          workflowIdConflictPolicy: 'USE_EXISTING',
          staticSummary: job.title,
          typedSearchAttributes: attributesOf({ tenant, kind: 'clear_graph', status: 'queued', owner: job.created_by }),
        }),
      );
    } catch (error) {
      throw asAppError(error);
    }
  }

  refs(tenant: string, id: string): Ref[] {
    const workflowId = workflowIds.episodes(tenant);
    const url = this.temporal.link(workflowId);
    return [
      { type: 'document', id },
      { type: 'workflow', id: workflowId, ...(url ? { url } : {}) },
    ];
  }
}
