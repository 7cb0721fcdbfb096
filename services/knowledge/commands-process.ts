import type { Temporal } from '../../adapters/temporal/client.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { IngestInput, ingest } from '../../workflows/knowledge/ingest/workflow.ts';
import { Processes } from '../kernel/processes.ts';

/** Access to the ingest workflows. */
export class IngestProcesses {
  private readonly processes: Processes;

  constructor(temporal: Temporal) {
    this.processes = new Processes(temporal);
  }

  /** @throws AppError SERVICE_UNAVAILABLE */
  async runs(tenant: string, contentKey: string): Promise<boolean> {
    return (await this.processes.running(workflowIds.ingest(tenant, contentKey))) !== null;
  }

  /**
   * Starts the process of a content key; does nothing if it is running.
   * @param light it takes only seconds
   * @param opened the job was opened and nothing has worked on it: an existing run of an older revision is closing
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async start(contentKey: string, summary: string, owner: string, input: IngestInput, light: boolean, opened = false): Promise<void> {
    const { tenant, jobId } = input.ref;
    const id = workflowIds.ingest(tenant, contentKey);
    await this.processes.start<typeof ingest>({
      workflow: 'ingest',
      id,
      queue: light ? 'light' : 'background',
      args: [input],
      tenant,
      kind: 'ingest',
      status: 'queued',
      owner,
      summary,
      purpose: opened ? `${jobId}:${input.rev}` : undefined,
    });
  }
}
