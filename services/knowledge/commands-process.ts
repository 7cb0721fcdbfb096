import { workflowIds } from '../../contracts/temporal.ts';
import type { IngestInput, ingest } from '../../workflows/knowledge/ingest/workflow.ts';
import { Service } from '../kernel/service.ts';

/** Access to the ingest workflows. */
export class IngestProcesses extends Service<'processes'> {
  /** @throws AppError SERVICE_UNAVAILABLE */
  async runs(tenant: string, contentKey: string): Promise<boolean> {
    return (await this.deps.processes.running(workflowIds.ingest(tenant, contentKey))) !== null;
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
    await this.deps.processes.start<typeof ingest>({
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
