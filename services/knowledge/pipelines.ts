import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import { newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { Service } from '../kernel/service.ts';
import type { PipelineScope, PipelineSpec } from './reindex.ts';
import type { Waiting } from './runs.ts';

/** Pipeline runs over stored documents: one at a time per scope. */
export class Pipelines extends Service<'processes' | 'jobs'> {
  /** @returns the job; `joined`: one of this scope was already running */
  async run(
    caller: Pick<Caller, 'tenant' | 'principal'>,
    wanted: { scope: PipelineScope; skipIngestion: boolean; indexOnly?: boolean },
    { waitMs = 10_000, onProgress }: Waiting = {},
  ): Promise<{ job: Job; joined: boolean }> {
    const { tenant, principal } = caller;
    const workflowId = workflowIds.pipeline(tenant, wanted.scope);
    const spec: PipelineSpec = {
      scope: wanted.scope,
      skip_ingestion: wanted.skipIngestion,
      ...(wanted.indexOnly ? { index_only: true } : {}),
    };
    let job = await this.deps.jobs.underWay(tenant, workflowId);
    const joined = job !== null;
    if (!job) {
      const title = `Pipeline over ${wanted.scope} documents`;
      try {
        job = await this.deps.jobs.open(tenant, { id: newId('job'), kind: 'pipeline', title, workflowId, spec, createdBy: principal });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        return await this.run(caller, wanted, { waitMs, ...(onProgress ? { onProgress } : {}) });
      }
    }
    await this.restart(tenant, job);
    const settled = await this.deps.jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
      const { done, total, stage } = progress as { done?: number; total?: number; stage?: string };
      onProgress?.(done ?? 0, total, stage);
    });
    return { job: settled, joined };
  }

  /** Starts the process of an unfinished job; does nothing if it is running. */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob('pipeline', tenant, job);
  }
}
