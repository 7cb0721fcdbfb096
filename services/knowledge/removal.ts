import type { Caller } from '../../contracts/caller.ts';
import type { RemovalCounts } from '../../contracts/activities/knowledge/removal.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { RemovalAnswer } from '../../contracts/knowledge/bases.ts';
import { defaultBase } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import type { RemovalProcesses } from './removal-process.ts';
import { countBase, markBase, markSource, remains, removalSpec, type Marked } from './removal-records.ts';

export interface RemovalOptions {
  waitMs?: number | undefined;
  onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
}

export interface Removed {
  answer: RemovalAnswer;
  /** Whether it is deleted; otherwise the job continues. */
  finished: boolean;
  warnings: string[];
  refs: Ref[];
}

/** Deletion: hidden immediately, then deleted in steps, whatever crashes meanwhile. */
export class KnowledgeRemoval extends Service<'jobs', { removals: RemovalProcesses }> {
  /**
   * Deletes a source and everything derived from it. A running ingestion is cancelled. A later submission of the same
   * content is kept.
   * @throws AppError NOT_FOUND, SERVICE_UNAVAILABLE
   */
  async source(caller: Caller, sourceId: string, options: RemovalOptions = {}): Promise<Removed> {
    const { tenant } = caller;
    const removal = this.removalOf(caller, sourceId, `Removal of ${sourceId}`);
    const marked = await markSource(this.db, tenant, sourceId, removal);
    if (!marked) throw notFound('source', sourceId, 'knowledge.source.list shows the sources of your tenant.');
    return await this.run(caller, marked, removal.title, options);
  }

  /**
   * Deletes a base with all its sources. The default base can only be deleted when empty.
   * @throws AppError NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE
   */
  async base(caller: Caller, kbId: string, options: RemovalOptions = {}): Promise<Removed> {
    const { tenant } = caller;
    if (kbId === defaultBase && ((await countBase(this.db.query, tenant, kbId))?.sources ?? 0) > 0) {
      throw new AppError('CONFLICT', `"${defaultBase}" holds what is submitted without a base; it is not deleted while it has sources.`, {
        hint: 'Delete its sources one by one with knowledge.source.delete.',
      });
    }
    const removal = this.removalOf(caller, `base-${kbId}`, `Removal of the knowledge base ${kbId}`);
    const marked = await markBase(this.db, tenant, kbId, removal);
    if (!marked) throw notFound('knowledge base', kbId, 'knowledge.base.list shows the bases of your tenant.');
    return await this.run(caller, marked, removal.title, options);
  }

  /**
   * Counts what deleting a base would remove.
   * @throws AppError NOT_FOUND
   */
  async preview(tenant: string, kbId: string): Promise<RemovalCounts> {
    const counts = await countBase(this.db.query, tenant, kbId);
    if (!counts) throw notFound('knowledge base', kbId, 'knowledge.base.list shows the bases of your tenant.');
    return counts;
  }

  /**
   * Restarts the process of an unfinished removal from its row; does nothing if it is running.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async restart(tenant: string, jobId: string): Promise<void> {
    const job = await this.deps.jobs.get(tenant, jobId);
    if (!unfinished(job)) throw new AppError('CONFLICT', `The job is ${job.status} already.`, { details: { reason: job.status } });
    await this.deps.removals.start(job.workflow_id, job.title, job.created_by, { ref: { tenant, jobId }, rev: 0 });
  }

  private removalOf({ tenant, principal }: Caller, id: string, title: string) {
    return { jobId: derivedId('job', 'removal', tenant, id), workflowId: workflowIds.removal(tenant, id), title, createdBy: principal };
  }

  private async run(caller: Caller, marked: Marked, title: string, { waitMs = waitDefault, onProgress }: RemovalOptions): Promise<Removed> {
    const { tenant, principal } = caller;
    const { jobId, workflowId, rev } = marked;
    const until = Date.now() + waitMs;
    const tell = (job: Job): void => {
      const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
      onProgress?.(done ?? 0, total, stage);
    };
    let job = await this.deps.jobs.get(tenant, jobId);
    for (let attempt = 1; marked.open && attempt <= 3; attempt += 1) {
      await this.deps.removals.start(workflowId, title, principal, { ref: { tenant, jobId }, rev });
      job = await this.deps.jobs.settle(tenant, jobId, until - Date.now(), tell);
      // A previous run may have been closing when this one was to start, so that nothing was started.
      if (job.status !== 'queued' || Date.now() >= until || (await this.deps.removals.runningRun(workflowId))) break;
    }
    return await this.answer(tenant, job, marked.open);
  }

  private async answer(tenant: string, job: Job, open: boolean): Promise<Removed> {
    const { counts, target } = await removalSpec(this.db.query, tenant, job.job_id);
    const finished = job.status === 'completed' && !(await remains(this.db.query, tenant, target));
    return {
      answer: {
        job_id: job.job_id,
        workflow_id: job.workflow_id,
        status: job.status === 'completed' && !finished ? 'running' : job.status,
        source_count: counts.sources,
        document_count: counts.documents,
        chunk_count: counts.chunks,
      },
      finished,
      warnings: open ? [] : [`It was deleted already (${job.finished_at ?? ''}); nothing was done.`],
      refs: this.deps.jobs.refs(job),
    };
  }
}

const unfinished = (job: Job): boolean => job.status === 'queued' || job.status === 'running';
