import type { Database } from '../../adapters/postgres/database.ts';
import type { RemovalRef } from '../../contracts/activities/removal.ts';
import type { removal, RemovalInput } from '../../workflows/knowledge/removal/workflow.ts';
import { cancelAsked } from '../kernel/jobs.ts';
import { Service } from '../kernel/service.ts';
import { isCalledOff } from './removal-marks.ts';
import { removalSpec } from './removal-records.ts';

/** The removal workflows as seen from outside, and the ingestions as seen from them. */
export class RemovalProcesses extends Service<'processes'> {
  /** Starts the removal; a running one is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(id: string, summary: string, owner: string, input: RemovalInput): Promise<void> {
    const { tenant } = input.ref;
    await this.deps.processes.start<typeof removal>({
      workflow: 'removal',
      id,
      queue: 'background',
      args: [input],
      tenant,
      kind: 'removal',
      status: 'queued',
      owner,
      summary,
    });
  }

  /** Whether a process of this id is under way, and which run. */
  async runningRun(workflowId: string): Promise<string | null> {
    return await this.deps.processes.running(workflowId);
  }

  /** Cancels the ingestions of what a removal takes away. @returns whether some have not ended yet */
  async callOff(db: Database, { tenant, jobId }: RemovalRef): Promise<boolean> {
    const { called_off: ids } = await removalSpec(db.query, tenant, jobId);
    let running = false;
    for (const id of ids) {
      const workflowId = await this.stillCalledOff(db, tenant, id);
      const runId = workflowId === null ? null : await this.runningRun(workflowId);
      // Asked again once its run is known: a job submitted anew meanwhile runs anew, and that run is not ours to stop.
      if (workflowId === null || runId === null || (await this.stillCalledOff(db, tenant, id)) === null) continue;
      running = true;
      await cancelAsked(db.query, tenant, workflowId);
      await this.deps.processes.cancel(workflowId, runId);
    }
    return running;
  }

  private async stillCalledOff(db: Database, tenant: string, jobId: string): Promise<string | null> {
    const [job] = await db.query<{ workflow_id: string }>(
      `select workflow_id from jobs where tenant_id = $1 and id = $2 and ${isCalledOff}`,
      [tenant, jobId],
    );
    return job?.workflow_id ?? null;
  }
}
