import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Caller } from '../../contracts/caller.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, errorCodes, type ErrorCode } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import { defaultBase, type IngestAnswer } from '../../contracts/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { IngestResult } from '../../workflows/ingest/state.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { chunkSize as chunkSizes } from './chunking.ts';
import { maxFileBytes, readInside, tooLarge } from './commands-file.ts';
import type { IngestProcesses } from './commands-process.ts';
import { ensureBase, enlist, specOf, type IngestSpec } from './records.ts';
import { contentKeyOf, documentIdOf, jobIdOf, sourceIdOf } from './rules.ts';

/** SPEC G8. */
const waitDefault = 10_000;

export interface Submission {
  kind: 'transcript' | 'document';
  /** Default for files: what the content calls itself, else the file's name. Required with `content`. */
  title?: string | undefined;
  /** Either this… */
  content?: string | undefined;
  /** …or a file inside the configured roots. */
  filePath?: string | undefined;
  /** When the file's name does not tell, or tells wrong. */
  format?: string | undefined;
  kbId?: string | undefined;
  /** When it took place: pasted texts of one title and different dates are different sources. */
  date?: string | undefined;
  customer?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  chunkSize?: number | undefined;
}

export interface Submitted {
  answer: IngestAnswer;
  /** Whether the passages can be found now; else the job goes on. */
  finished: boolean;
  warnings: string[];
  refs: Ref[];
}

interface Deps {
  db: Database;
  blobs: Blobs;
  ingestRoots: string[];
}

/** What callers may ask of knowledge sources. The content is its own idempotency key. */
export class KnowledgeCommands {
  private readonly deps: Deps;
  private readonly jobs: Jobs;
  private readonly processes: IngestProcesses;

  constructor(deps: Deps, jobs: Jobs, processes: IngestProcesses) {
    this.deps = deps;
    this.jobs = jobs;
    this.processes = processes;
  }

  /**
   * Takes content in and waits a while for it to be searchable. The same content under the same name is one job,
   * however often and by how many it is submitted; changed content under the same name replaces.
   * @throws AppError VALIDATION_ERROR, NOT_FOUND, PAYLOAD_TOO_LARGE (also what the parser refuses), SERVICE_UNAVAILABLE
   */
  async submit(
    caller: Caller,
    wanted: Submission,
    options: { waitMs?: number; onProgress?: (done: number, total?: number, message?: string) => void } = {},
  ): Promise<Submitted> {
    const { tenant } = caller;
    const { bytes, ...given } = await this.read(wanted);
    const blob = await this.deps.blobs.put(tenant, bytes);
    const kbId = wanted.kbId ?? defaultBase;
    const size = wanted.chunkSize ?? chunkSizes.default;
    const title = wanted.title ?? null;
    const content = { tenant, kbId, identity: given.identity, contentHash: blob, format: wanted.format ?? null, title, chunkSize: size };
    const contentKey = contentKeyOf(content);
    const sourceId = sourceIdOf(content);
    const jobId = jobIdOf(contentKey);
    const name = title ?? given.fallbackTitle;

    await ensureBase(this.deps.db, tenant, kbId);
    const spec: IngestSpec = {
      kind: wanted.kind,
      kb_id: kbId,
      source_id: sourceId,
      document_id: documentIdOf(contentKey, 0),
      revision: 1,
      blob,
      filename: given.filename,
      title,
      fallback_title: given.fallbackTitle,
      chunk_size: size,
    };
    const job = {
      id: jobId,
      kind: 'ingest',
      title: name,
      workflowId: workflowIds.ingest(tenant, contentKey),
      spec,
      createdBy: caller.principal,
    };
    await this.jobs.open(tenant, job);
    const source = {
      id: sourceId,
      kbId,
      identity: given.identity,
      title: name,
      type: wanted.kind,
      url: given.url,
      tags: wanted.tags,
      metadata: {
        ...wanted.metadata,
        ...(wanted.customer ? { customer: wanted.customer } : {}),
        ...(wanted.date ? { date: wanted.date } : {}),
      },
    };
    const enlisted = await enlist(this.deps.db, tenant, source, jobId, (revision) => documentIdOf(contentKey, revision));
    if (!enlisted.start) {
      const finished = await this.jobs.get(tenant, jobId);
      return this.answer(finished, sourceId, [`This content was ingested already (${finished.finished_at ?? ''}); nothing was done.`]);
    }
    const ref = { tenant, jobId, sourceId, documentId: enlisted.documentId };
    return this.answer(await this.run(contentKey, name, caller.principal, { ref, rev: enlisted.rev }, options), sourceId, []);
  }

  private async run(
    contentKey: string,
    title: string,
    owner: string,
    input: { ref: { tenant: string; jobId: string; sourceId: string; documentId: string }; rev: number },
    { waitMs = waitDefault, onProgress }: { waitMs?: number; onProgress?: (done: number, total?: number, message?: string) => void },
  ): Promise<Job> {
    const { tenant, jobId } = input.ref;
    const until = Date.now() + waitMs;
    const tell = (job: Job): void => {
      const { stage, done, total } = job.progress as { stage?: string; done?: number; total?: number };
      onProgress?.(done ?? 0, total, stage);
    };
    for (let attempt = 1; ; attempt += 1) {
      await this.processes.start(contentKey, title, owner, input);
      const job = await this.jobs.settle(tenant, jobId, until - Date.now(), tell);
      // The former run of this key may just have been closing when this one was to start: then nothing has started.
      if (job.status !== 'queued' || attempt === 3 || Date.now() >= until || (await this.processes.runs(tenant, contentKey))) return job;
    }
  }

  /** Starts the process of an unfinished job again from its row; one that runs is left alone. @throws AppError NOT_FOUND, CONFLICT */
  async restart(tenant: string, jobId: string): Promise<void> {
    const job = await this.jobs.get(tenant, jobId);
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new AppError('CONFLICT', `The job is ${job.status} already.`, { details: { reason: job.status } });
    }
    const spec = await specOf(this.deps.db, tenant, jobId);
    // Taken back just before its process was lost: only the row's end was not written.
    const documentId = spec.document_id ?? '';
    const contentKey = job.workflow_id.split('/').at(-1) ?? '';
    await this.processes.start(contentKey, job.title, job.created_by, {
      ref: { tenant, jobId, sourceId: spec.source_id, documentId },
      rev: 0,
    });
  }

  private async read(wanted: Submission) {
    const { content, filePath, format } = wanted;
    if ((content === undefined) === (filePath === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'Give either content or file_path.', {
        hint: "content is the text itself; file_path a file on Signalbox's machine.",
      });
    }
    if (filePath !== undefined) {
      const { path, bytes } = await readInside(this.deps.ingestRoots, filePath);
      const name = basename(path);
      return {
        bytes,
        identity: `file:${path}`,
        filename: format === undefined ? name : `${name}.${format}`,
        fallbackTitle: name,
        url: pathToFileURL(path).href,
      };
    }
    if (wanted.title === undefined)
      throw new AppError('VALIDATION_ERROR', 'content needs a title.', { hint: 'The title is what a later version replaces it by.' });
    const bytes = Buffer.from(content ?? '', 'utf8');
    if (bytes.length > maxFileBytes) throw tooLarge(bytes.length);
    return {
      bytes,
      identity: `text:${wanted.title}${wanted.date === undefined ? '' : `|${wanted.date}`}`,
      filename: format === undefined ? null : `content.${format}`,
      fallbackTitle: wanted.title,
      url: null,
    };
  }

  private answer(job: Job, sourceId: string, warnings: string[]): Submitted {
    const details = { job_id: job.job_id, workflow_id: job.workflow_id, source_id: sourceId };
    if (job.status === 'failed') {
      const code = job.error?.code as ErrorCode;
      throw new AppError(errorCodes.includes(code) ? code : 'INTERNAL', job.error?.message ?? 'The ingestion failed.', {
        hint: 'What was ingested of this source before still stands. Submit it again once the cause is mended.',
        details,
      });
    }
    if (job.status === 'cancelled')
      throw new AppError('CONFLICT', 'The ingestion was cancelled.', { hint: 'Submit it again to have it ingested.', details });
    const result = job.result as IngestResult | null;
    return {
      answer: {
        job_id: job.job_id,
        workflow_id: job.workflow_id,
        status: job.status,
        source_id: sourceId,
        ...(result ? { document_id: result.document_id, chunk_count: result.chunk_count } : {}),
      },
      finished: job.status === 'completed',
      warnings: [...warnings, ...(result?.warnings ?? [])],
      refs: [
        ...this.jobs.refs(job),
        { type: 'source', id: sourceId },
        ...(result ? [{ type: 'document' as const, id: result.document_id }] : []),
      ],
    };
  }
}
