import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isGone } from '../../adapters/temporal/errors.ts';
import { queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { IngestInput, ingest as ingestWorkflow } from '../../workflows/ingest/workflow.ts';

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 15_000;

/** The ingest workflows as seen from outside. */
export class IngestProcesses {
  private readonly temporal: Temporal;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  /** Starts the process of a content key; a running one is left alone. @throws AppError SERVICE_UNAVAILABLE */
  async start(contentKey: string, title: string, owner: string, input: IngestInput): Promise<void> {
    const { tenant } = input.ref;
    await this.guard(() =>
      this.temporal.client.workflow.start<typeof ingestWorkflow>('ingest', {
        workflowId: workflowIds.ingest(tenant, contentKey),
        taskQueue: queues.background,
        args: [input],
        workflowTaskTimeout,
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: title.length > 100 ? `${title.slice(0, 99)}…` : title,
        typedSearchAttributes: attributesOf({ tenant, kind: 'ingest', status: 'queued', owner }),
      }),
    );
  }

  /** Whether a process of this key is under way. */
  async runs(tenant: string, contentKey: string): Promise<boolean> {
    try {
      const { status } = await this.guard(() => this.temporal.handle(workflowIds.ingest(tenant, contentKey)).describe());
      return status.name === 'RUNNING';
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
      throw isGone(error) ? error : asAppError(error);
    }
  }
}
