import type { Database } from '../../adapters/postgres/database.ts';
import type { RemovalRef } from '../../contracts/activities/knowledge/removal.ts';
import type { removal, RemovalInput } from '../../workflows/knowledge/removal/workflow.ts';
import { cancelAsked } from '../kernel/jobs.ts';
import { Service } from '../kernel/service.ts';
import { isCalledOff } from './removal-marks.ts';
import { removalSpec } from './removal-records.ts';

/** Access to the removal workflows, and from them to the ingestions. */
export class RemovalProcesses extends Service<'processes'> {
  /**
   * Starts the removal; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
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

  /** Run id of a running process with this id, or null. */
  async runningRun(workflowId: string): Promise<string | null> {
    return await this.deps.processes.running(workflowId);
  }

  /**
   * Cancels the ingestions of removed sources.
   * @returns whether some have not ended yet
   */
  async callOff(db: Database, { tenant, jobId }: RemovalRef): Promise<boolean> {
    const { called_off: ids } = await removalSpec(db.query, tenant, jobId);
    let running = false;
    for (const id of ids) {
      const workflowId = await this.stillCalledOff(db, tenant, id);
      const runId = workflowId === null ? null : await this.runningRun(workflowId);
      // Checked again once the run is known: a job that was submitted again has a new run, which must not be
      // cancelled.
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
