import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId, newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { defaultBase } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { IngestRunInput, ingestRun } from '../../workflows/knowledge/ingest-run/workflow.ts';
import { ensureBlob } from '../kernel/blobs.ts';
import type { Process } from '../kernel/processes.ts';
import { chunkSize as chunkSizes } from '../../engines/retrieval/chunking.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import { lightBytes } from './rules.ts';
import { addItems, countItems, pendingRange, type NewItem } from './records-items.ts';
import { ensureBase, runSpecOf } from './records.ts';
import { runTitle, type RunOrigin, type RunSpec } from './runs-spec.ts';

export interface RunRequest {
  origin: Exclude<RunOrigin, { kind: 'items' }>;
  /** For an address, only host and path. */
  title: string;
  kbId?: string | undefined;
  /** Type of the created sources. */
  type?: string | undefined;
  chunkSize?: number | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** A text, or bytes with a file name that shows their format. */
export interface GivenItem {
  /** A later submission with the same identity replaces this one. */
  identity: string;
  title?: string;
  text?: string;
  bytes?: Uint8Array;
  filename?: string;
  url?: string;
  type?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
}

export interface ItemsRequest extends Omit<RunRequest, 'origin'> {
  items: Iterable<GivenItem> | AsyncIterable<GivenItem>;
}

export interface Waiting {
  waitMs?: number;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

const slice = 200;

/** Runs over many contents: a folder, an archive, a site, a list. A repeated request joins the running one. */
export class IngestRuns extends Service<'jobs' | 'processes' | 'blobs'> {
  /**
   * Starts a run and waits a while for its end.
   * @returns the job; `joined`: it was already running
   * @throws AppError the run's failure, SERVICE_UNAVAILABLE
   */
  async submit(caller: Caller, wanted: RunRequest, waiting: Waiting = {}): Promise<{ job: Job; joined: boolean }> {
    const { tenant } = caller;
    const title = runTitle(wanted.origin, wanted.title);
    const spec = await this.spec(tenant, wanted, wanted.origin);
    const { kb_id, chunk_size, origin } = spec;
    const workflowId = workflowIds.ingestRun(tenant, derivedId('run', tenant, kb_id, String(chunk_size), JSON.stringify(origin)));
    const opened = await this.open(caller, workflowId, title, spec);
    await this.start(opened.job, tenant, 0);
    return { job: await this.settle(tenant, opened.job.job_id, waiting), joined: opened.joined };
  }

  /** As `submit`, for contents that the caller passes; `items` is read while they are written. */
  async submitItems(caller: Caller, wanted: ItemsRequest, waiting: Waiting = {}): Promise<{ job: Job }> {
    const { tenant } = caller;
    const spec = await this.spec(tenant, wanted, { kind: 'items', sealed: false });
    const workflowId = workflowIds.ingestRun(tenant, newId('run'));
    const { job } = await this.open(caller, workflowId, wanted.title, spec);
    const ref = { tenant, id: job.job_id };
    let some: { item: NewItem; given: GivenItem }[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      await addItems(
        this.db,
        ref,
        some.map(({ item }) => item),
      );
      for (const { item, given } of some) await ensureBlob(this.deps.blobs, tenant, item.blob!, () => this.keep(tenant, given));
      some = [];
    };
    for await (const given of wanted.items) {
      const item = await this.keep(tenant, given);
      bytes += given.text === undefined ? Infinity : (item.bytes ?? 0);
      some.push({ item, given });
      if (some.length >= slice) await flush();
    }
    if (some.length > 0) await flush();
    const sealed = await this.db.query(
      `update jobs set spec = jsonb_set(spec, '{origin,sealed}', 'true') where tenant_id = $1 and id = $2 and status = 'queued' returning 1`,
      [tenant, job.job_id],
    );
    if (sealed.length === 0) {
      throw new AppError('CONFLICT', 'The submission took so long that it was considered interrupted.', {
        hint: 'Submit it again; nothing of it was ingested.',
        details: { job_id: job.job_id },
      });
    }
    await this.start(job, tenant, 0, bytes <= lightBytes);
    return { job: await this.settle(tenant, job.job_id, waiting) };
  }

  /** Restarts the process of an unfinished run from its row; does nothing if it is running. */
  async restart(tenant: string, job: Job): Promise<void> {
    const ref = { tenant, id: job.job_id };
    const { origin } = await runSpecOf(this.db, ref);
    if (origin.kind === 'items' && !origin.sealed) {
      // Its caller died during the submission, so the remaining contents are unknown.
      await this.deps.jobs.write(ref, {
        rev: 1_000_000,
        status: 'failed',
        progress: { stage: 'collect' },
        error: { code: 'CONFLICT', message: 'The submission was interrupted before all of it had arrived: submit it again.' },
      });
      return;
    }
    await this.start(job, tenant, 0);
  }

  /**
   * Processes items of a source again, in the running run or a new one.
   * @throws AppError CONFLICT
   */
  async retry(tenant: string, job: Job, sourceId: string | null): Promise<void> {
    const ref: JobRef = { tenant, id: job.job_id };
    const other = await this.deps.jobs.underWay(tenant, job.workflow_id);
    if (other && other.job_id !== job.job_id) {
      throw new AppError('CONFLICT', `A newer run over the same is under way: ${other.job_id}.`, {
        hint: 'It ingests the content again by itself; see that job.',
        details: { job_id: other.job_id },
      });
    }
    await this.db.query(
      `update ingest_items set status = 'pending', error = null, updated_at = now()
       where tenant_id = $1 and job_id = $2 and source_id = $3 and status in ('refused', 'failed')`,
      [tenant, job.job_id, sourceId],
    );
    const pending = await pendingRange(this.db, ref);
    if (!pending) return;
    const counts = await countItems(this.db, ref);
    const input: IngestRunInput = {
      job: ref,
      rev: 0,
      carried: {
        collected: { total: counts.total, skipped: [], skippedCount: 0, details: {} },
        next: pending.from,
        done: pending.from,
        parkedEver: 0,
      },
    };
    await this.deps.processes.signalStarting(this.process(tenant, job, input), 'wake');
  }

  private async spec(tenant: string, wanted: Omit<RunRequest, 'origin'>, origin: RunOrigin): Promise<RunSpec> {
    const kbId = wanted.kbId ?? defaultBase;
    await ensureBase(this.db.query, tenant, kbId);
    return {
      origin,
      kb_id: kbId,
      type: wanted.type ?? 'document',
      chunk_size: wanted.chunkSize ?? chunkSizes.default,
      tags: wanted.tags ?? [],
      metadata: wanted.metadata ?? {},
    };
  }

  private async open(caller: Caller, workflowId: string, title: string, spec: RunSpec): Promise<{ job: Job; joined: boolean }> {
    const { tenant } = caller;
    for (let attempt = 1; ; attempt += 1) {
      const underWay = await this.deps.jobs.underWay(tenant, workflowId);
      if (underWay) return { job: underWay, joined: true };
      try {
        const job = { id: newId('job'), kind: 'ingest_run' as const, title, workflowId, spec, createdBy: caller.principal };
        return { job: await this.deps.jobs.open(tenant, job), joined: false };
      } catch (error) {
        // A concurrent request for the same.
        if (!isUniqueViolation(error) || attempt === 3) throw error;
      }
    }
  }

  private async keep(tenant: string, { text, bytes, type = 'document', ...given }: GivenItem): Promise<NewItem> {
    const content = bytes ?? Buffer.from(text ?? '', 'utf8');
    return { ...given, type, blob: await this.deps.blobs.put(tenant, content), bytes: content.length };
  }

  private async start(job: Job, tenant: string, rev: number, light = false): Promise<void> {
    await this.deps.processes.start(this.process(tenant, job, { job: { tenant, id: job.job_id }, rev }, light));
  }

  private process(tenant: string, job: Job, input: IngestRunInput, light = false): Process<typeof ingestRun> {
    const { workflow_id: id, title: summary, created_by: owner, job_id: purpose } = job;
    const queue = light ? 'light' : 'background';
    return { workflow: 'ingestRun', id, queue, args: [input], tenant, kind: 'ingest', status: 'queued', owner, summary, purpose };
  }

  private async settle(tenant: string, jobId: string, { waitMs = waitDefault, onProgress }: Waiting): Promise<Job> {
    return await this.deps.jobs.settle(tenant, jobId, waitMs, (job) => {
      const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
      onProgress?.(done ?? 0, total, stage);
    });
  }
}

/** @throws AppError the failure of a job that ended without completing */
export function assertNotFailed(job: Job): void {
  if (job.status === 'cancelled') {
    throw new AppError('CONFLICT', 'The ingestion was cancelled.', { hint: 'Submit it again.', details: { job_id: job.job_id } });
  }
  if (job.status === 'failed') {
    throw new AppError((job.error?.code ?? 'INTERNAL') as AppError['code'], job.error?.message ?? 'The ingestion failed.', {
      hint: 'Submit it again after the cause is fixed; what was ingested before stays.',
      details: { job_id: job.job_id, workflow_id: job.workflow_id },
    });
  }
}
