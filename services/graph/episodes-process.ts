import type { Ref } from '../../contracts/envelope.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { episodes } from '../../workflows/graph/episodes/workflow.ts';
import { Service } from '../kernel/service.ts';

/** Access to the workflows of episodes and of clearing. */
export class EpisodeProcesses extends Service<'processes'> {
  /**
   * Notifies the tenant's process of queued episodes, and starts it if it has ended.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async wake(tenant: string): Promise<void> {
    await this.deps.processes.signalStarting<typeof episodes>(
      {
        workflow: 'episodes',
        id: workflowIds.episodes(tenant),
        queue: 'light',
        args: [tenant],
        tenant,
        kind: 'episodes',
        status: 'running',
        owner: 'signalbox',
        summary: 'Takes episodes into the graph, in their order',
      },
      'wake',
    );
  }

  /**
   * Starts the process of an unfinished clearing; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async clear(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob('clear_graph', tenant, job);
  }

  refs(tenant: string, id: string): Ref[] {
    return [{ type: 'document', id }, ...this.deps.processes.refs(workflowIds.episodes(tenant))];
  }
}
