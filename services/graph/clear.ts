import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import type { GraphCounts } from '../../contracts/graph/episodes.ts';
import { newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import { countGraph, drawLine, type ClearSpec } from './clear-records.ts';
import type { EpisodeProcesses } from './episodes-process.ts';

export interface Clearing {
  job: Job;
  counts: GraphCounts;
  /** A clearing was already running. */
  joined: boolean;
  refs: Ref[];
}

/** Clears a tenant's graph: episodes, entities, facts. Ingested documents stay searchable. */
export class GraphClearing extends Service<'jobs', { episodeProcesses: EpisodeProcesses }> {
  /** Counts of what would be deleted. */
  async preview(tenant: string): Promise<GraphCounts> {
    return await countGraph(this.db.query, tenant);
  }

  /**
   * One at a time per tenant. Later additions stay.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async run(
    caller: Caller,
    { waitMs = waitDefault, onProgress }: { waitMs?: number; onProgress?: (done: number, total?: number, message?: string) => void } = {},
  ): Promise<Clearing> {
    const { tenant, principal } = caller;
    const workflowId = workflowIds.clearGraph(tenant);
    let job = await this.deps.jobs.underWay(tenant, workflowId);
    const joined = job !== null;
    if (!job) {
      const spec: ClearSpec = await drawLine(this.db, tenant);
      try {
        job = await this.deps.jobs.open(tenant, {
          id: newId('job'),
          kind: 'clear_graph',
          title: 'Clearing of the graph',
          workflowId,
          spec,
          createdBy: principal,
        });
      } catch (error) {
        // A concurrent request.
        if (!isUniqueViolation(error)) throw error;
        return await this.run(caller, { waitMs, ...(onProgress ? { onProgress } : {}) });
      }
    }
    await this.deps.episodeProcesses.clear(tenant, job);
    const settled = await this.deps.jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
      const { done, stage } = progress as { done?: number; stage?: string };
      onProgress?.(done ?? 0, undefined, stage);
    });
    return { job: settled, counts: await this.countsOf(tenant, job.job_id), joined, refs: this.deps.jobs.refs(settled) };
  }

  /** Restarts the process of an unfinished clearing. */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.episodeProcesses.clear(tenant, job);
  }

  private async countsOf(tenant: string, jobId: string): Promise<GraphCounts> {
    const [row] = await this.db.query<{ spec: ClearSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, jobId]);
    return row!.spec.counts;
  }
}
