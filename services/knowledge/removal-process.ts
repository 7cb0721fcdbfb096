import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isGone } from '../../adapters/temporal/errors.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { RemovalRef } from '../../contracts/activities/removal.ts';
import { queues, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { removal as removalWorkflow, RemovalInput } from '../../workflows/removal/workflow.ts';
import { removalSpec } from './removal-records.ts';

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 15_000;

/** The removal workflows as seen from outside, and the ingestions as seen from them. */
export class RemovalProcesses {
  private readonly temporal: Temporal;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  /** Starts the removal; a running one is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(workflowId: string, title: string, owner: string, input: RemovalInput): Promise<void> {
    await this.guard(() =>
      this.temporal.client.workflow.start<typeof removalWorkflow>('removal', {
        workflowId,
        taskQueue: queues.background,
        args: [input],
        workflowTaskTimeout,
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: title,
        typedSearchAttributes: attributesOf({ tenant: input.ref.tenant, kind: 'removal', status: 'queued', owner }),
      }),
    );
  }

  /** Whether a process of this id is under way, and which run. */
  async runningRun(workflowId: string): Promise<string | null> {
    try {
      const { status, runId } = await this.guard(() => this.temporal.handle(workflowId).describe());
      return status.name === 'RUNNING' ? runId : null;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
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
      await this.guard(() => this.temporal.client.workflow.getHandle(workflowId, runId).cancel()).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    }
    return running;
  }

  private async stillCalledOff(db: Database, tenant: string, jobId: string): Promise<string | null> {
    const [job] = await db.query<{ workflow_id: string }>(
      `select workflow_id from jobs where tenant_id = $1 and id = $2 and status in ('queued', 'running') and spec->>'document_id' is null`,
      [tenant, jobId],
    );
    return job?.workflow_id ?? null;
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
      throw isGone(error) ? error : asAppError(error);
    }
  }
}
