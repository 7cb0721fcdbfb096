import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Caller } from '../../contracts/caller.ts';
import { newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Jobs } from '../kernel/jobs.ts';
import { Processes } from '../kernel/processes.ts';
import type { PipelineScope, PipelineSpec } from './reindex.ts';
import type { Waiting } from './runs.ts';

/** Pipeline runs over stored documents: one at a time per scope. */
export class Pipelines {
  private readonly processes: Processes;
  private readonly jobs: Jobs;

  constructor({ temporal }: { temporal: Temporal }, jobs: Jobs) {
    this.processes = new Processes(temporal);
    this.jobs = jobs;
  }

  /** @returns the job; `joined`: one of this scope was already running */
  async run(
    caller: Caller,
    wanted: { scope: PipelineScope; skipIngestion: boolean },
    { waitMs = 10_000, onProgress }: Waiting = {},
  ): Promise<{ job: Job; joined: boolean }> {
    const { tenant, principal } = caller;
    const workflowId = workflowIds.pipeline(tenant, wanted.scope);
    const spec: PipelineSpec = { scope: wanted.scope, skip_ingestion: wanted.skipIngestion };
    let job = await this.jobs.underWay(tenant, workflowId);
    const joined = job !== null;
    if (!job) {
      const title = `Pipeline over ${wanted.scope} documents`;
      try {
        job = await this.jobs.open(tenant, { id: newId('job'), kind: 'pipeline', title, workflowId, spec, createdBy: principal });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        return await this.run(caller, wanted, { waitMs, ...(onProgress ? { onProgress } : {}) });
      }
    }
    await this.restart(tenant, job);
    const settled = await this.jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
      const { done, total, stage } = progress as { done?: number; total?: number; stage?: string };
      onProgress?.(done ?? 0, total, stage);
    });
    return { job: settled, joined };
  }

  /** Starts the process of an unfinished job; does nothing if it is running. */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.processes.startJob('pipeline', tenant, job);
  }
}
