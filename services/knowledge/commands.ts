import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { defaultBase, parsedBase } from '../../contracts/knowledge/knowledge.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { IngestInput, ingest } from '../../workflows/knowledge/ingest/workflow.ts';
import { ensureBlob } from '../kernel/blobs.ts';
import { Service } from '../kernel/service.ts';
import { chunkSize as chunkSizes } from '../../engines/retrieval/chunking.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { firstWords, maxFileBytes, readInside, runSubmission, tooLarge, type Read } from './commands-file.ts';
import { submitted, submittedOne, type Submitted } from './commands-answers.ts';
import { endUnstarted, enlist, specOf, type IngestSpec, type NewSource } from './records.ts';
import { contentKeyOf, documentIdOf, jobIdOf, lightBytes, sourceIdOf } from './rules.ts';
import type { IngestRuns, RunRequest, Waiting } from './runs.ts';
import { shownAddress } from './runs-spec.ts';

interface Submission {
  kind: 'transcript' | 'document';
  /**
   * Default for files: the title in the content, else the file's name. Without a title, text is identified by its
   * content.
   */
  title?: string | undefined;
  /** Either this, */
  content?: string | undefined;
  /** or a file, folder or zip archive inside the configured roots, */
  filePath?: string | undefined;
  /** or an artifact's SHA-256, */
  artifact?: string | undefined;
  /** or downloaded bytes. */
  fetched?: { url: string; bytes: Uint8Array; mediaType: string; filename?: string | undefined } | undefined;
  /** Read and keep it, without indexing. */
  parseOnly?: boolean | undefined;
  /** If the file's name is missing or wrong about the format. */
  format?: string | undefined;
  kbId?: string | undefined;
  /** Date of the event: pasted texts with one title and different dates are different sources. */
  date?: string | undefined;
  customer?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  chunkSize?: number | undefined;
}

interface Deps {
  artifact(tenant: string, sha256: string): Promise<{ bytes: Uint8Array; filename: string | null; media_type: string }>;
  runs: IngestRuns;
}

/** The workflow of a content key. */
interface Starting {
  key: string;
  title: string;
  owner: string;
  light: boolean;
  /** The job is new, so a workflow that still runs with this id belongs to an older revision and is closing. */
  opened?: boolean;
}

/** Commands for knowledge sources. The content is its own idempotency key. */
export class KnowledgeCommands extends Service<'jobs' | 'processes' | 'blobs' | 'recognise' | 'ingestRoots', Deps> {
  /**
   * Ingests content and waits a while until it is searchable. The same content under the same name is one job,
   * however often it is submitted and by whom; changed content under the same name replaces it.
   * @throws AppError VALIDATION_ERROR, NOT_FOUND, PAYLOAD_TOO_LARGE (also the parser's refusals), SERVICE_UNAVAILABLE
   */
  async submit(caller: Caller, wanted: Submission, options: Waiting = {}): Promise<Submitted> {
    const { tenant } = caller;
    const run = wanted.filePath === undefined || wanted.parseOnly ? null : await runSubmission(this.deps, tenant, wanted.filePath);
    if (run) {
      return await this.submitRun(caller, { ...wanted, ...run, type: wanted.kind, metadata: metadataOf(wanted) }, options);
    }
    const { bytes, warnings: toldFirst = [], ...given } = await this.read(tenant, wanted);
    // Unreadable content is refused before anything is stored.
    const { filename, mediaType } = given;
    const { text } = this.deps.recognise({
      bytes,
      ...(filename === null ? {} : { filename }),
      ...(mediaType === null ? {} : { mediaType }),
    });
    const light = text && bytes.length <= lightBytes;
    const blob = await this.deps.blobs.put(tenant, bytes);
    const kbId = wanted.parseOnly ? parsedBase : (wanted.kbId ?? defaultBase);
    const size = wanted.chunkSize ?? chunkSizes.default;
    const title = wanted.title ?? null;
    const content = { tenant, kbId, identity: given.identity, contentHash: blob, format: wanted.format ?? null, title, chunkSize: size };
    const contentKey = contentKeyOf(content);
    const sourceId = sourceIdOf(content);
    const jobId = jobIdOf(contentKey);
    const name = title ?? given.fallbackTitle;

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
      content_key: contentKey,
      media_type: given.mediaType,
      ...(wanted.parseOnly ? { parse_only: true } : {}),
      ...(light ? { light } : {}),
    };
    const job = {
      id: jobId,
      kind: 'ingest' as const,
      title: name,
      workflowId: workflowIds.ingest(tenant, contentKey),
      spec,
      createdBy: caller.principal,
    };
    await this.deps.jobs.open(tenant, job);
    const source = {
      id: sourceId,
      kbId,
      identity: given.identity,
      title: name,
      type: wanted.kind,
      url: given.url,
      tags: wanted.tags,
      metadata: metadataOf(wanted),
    };
    const enlisted = await this.enlist(tenant, source, jobId, contentKey);
    await ensureBlob(this.deps.blobs, tenant, blob, () => this.deps.blobs.put(tenant, bytes));
    if (!enlisted.start) {
      const finished = await this.deps.jobs.get(tenant, jobId);
      return submittedOne(this.deps.jobs, finished, sourceId, [
        ...toldFirst,
        `This content was ingested already (${finished.finished_at ?? ''}); nothing was done.`,
      ]);
    }
    const ref = { tenant, jobId, sourceId, documentId: enlisted.documentId };
    const { waitMs = waitDefault, onProgress } = options;
    const until = Date.now() + waitMs;
    const starting = { key: contentKey, title: name, owner: caller.principal, light, opened: enlisted.opened };
    await this.start(starting, { ref, rev: enlisted.rev });
    const settled = await this.deps.jobs.settle(tenant, jobId, until - Date.now(), ({ progress }) => {
      const { stage, done, total } = progress as { stage?: string; done?: number; total?: number };
      onProgress?.(done ?? 0, total, stage);
    });
    return submittedOne(this.deps.jobs, settled, sourceId, toldFirst);
  }

  /**
   * Ingests many contents, and waits a while for the end.
   * @throws AppError as `submit`
   */
  async submitRun(caller: Caller, wanted: RunRequest, options: Waiting = {}): Promise<Submitted> {
    const { job, joined } = await this.deps.runs.submit(caller, wanted, options);
    return submitted(this.deps.jobs, job, joined);
  }

  /**
   * Restarts the process of an unfinished job from its row; does nothing if it is running.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async restart(tenant: string, jobId: string): Promise<void> {
    const job = await this.deps.jobs.get(tenant, jobId);
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new AppError('CONFLICT', `The job is ${job.status} already.`, { details: { reason: job.status } });
    }
    const spec = await specOf(this.db, tenant, jobId);
    // The document was discarded just before its workflow was lost: only the end of the job's row is missing.
    const documentId = spec.document_id ?? '';
    const contentKey = job.workflow_id.split('/').at(-1) ?? '';
    const ref = { tenant, jobId, sourceId: spec.source_id, documentId };
    await this.start({ key: contentKey, title: job.title, owner: job.created_by, light: spec.light === true }, { ref, rev: 0 });
  }

  /**
   * Retries a refused content unchanged.
   * @throws AppError NOT_FOUND when its source was deleted
   */
  async reopen(caller: Caller, job: Job): Promise<void> {
    const { tenant, principal } = caller;
    const { source_id: sourceId, kb_id: kbId, light } = await specOf(this.db, tenant, job.job_id);
    const contentKey = job.workflow_id.split('/').at(-1) ?? '';
    const [row] = await this.db.query<{ identity: string; title: string; type: string; url: string | null }>(
      'select identity, title, type, url from knowledge_sources where tenant_id = $1 and id = $2',
      [tenant, sourceId],
    );
    if (!row) throw notFound('source', sourceId, 'It was deleted: submit its content again.');
    const source = { ...row, id: sourceId, kbId, tags: undefined, metadata: {} };
    const enlisted = await this.enlist(tenant, source, job.job_id, contentKey);
    if (!enlisted.start) return;
    const ref = { tenant, jobId: job.job_id, sourceId, documentId: enlisted.documentId };
    const starting = { key: contentKey, title: job.title, owner: principal, light: light === true, opened: enlisted.opened };
    await this.start(starting, { ref, rev: enlisted.rev });
  }

  private async enlist(tenant: string, source: NewSource, jobId: string, contentKey: string) {
    for (let attempt = 1; ; attempt += 1) {
      const enlisted = await enlist(this.db, tenant, source, jobId, (revision) => documentIdOf(contentKey, revision));
      if (!enlisted.ending || attempt === 3) return enlisted;
      // The former workflow is being cancelled: the new one starts when it has ended. If a removal came between the job's
      // row and the workflow's start, there is no workflow to wait for.
      if ((await this.deps.processes.running(workflowIds.ingest(tenant, contentKey))) !== null)
        await this.deps.jobs.settle(tenant, jobId, waitDefault);
      else await endUnstarted(this.db, tenant, jobId);
    }
  }

  private async read(tenant: string, wanted: Submission): Promise<Read> {
    const { content, filePath, format, artifact, fetched } = wanted;
    if ([content, filePath, artifact, fetched].filter((given) => given !== undefined).length !== 1) {
      throw new AppError('VALIDATION_ERROR', 'Give exactly one of content, file_path and artifact.', {
        hint: "content is the text itself; file_path a file on Signalbox's machine; artifact the sha256 that substrate.artifact.upload gave.",
      });
    }
    if (artifact !== undefined) {
      const { bytes, filename, media_type: mediaType } = await this.deps.artifact(tenant, artifact);
      const name = filename ?? `artifact ${artifact.slice(0, 12)}`;
      return {
        bytes,
        identity: `artifact:${wanted.title ?? filename ?? artifact}`,
        filename: format === undefined ? filename : `content.${format}`,
        mediaType,
        fallbackTitle: name,
        url: null,
      };
    }
    if (fetched !== undefined) {
      const { url, bytes, mediaType, filename = null } = fetched;
      return {
        bytes,
        identity: `url:${url}`,
        filename: mediaType.includes('html') ? null : filename,
        mediaType,
        fallbackTitle: filename ?? shownAddress(url),
        url,
      };
    }
    if (filePath !== undefined) {
      const { path, bytes } = await readInside(this.deps.ingestRoots, filePath);
      const name = basename(path);
      return {
        bytes,
        identity: `file:${path}`,
        filename: format === undefined ? name : `${name}.${format}`,
        mediaType: null,
        fallbackTitle: name,
        url: pathToFileURL(path).href,
      };
    }
    const bytes = Buffer.from(content ?? '', 'utf8');
    if (bytes.length > maxFileBytes) throw tooLarge(bytes.length);
    const text = { bytes, filename: format === undefined ? null : `content.${format}`, mediaType: null, url: null };
    const on = wanted.date === undefined ? '' : `|${wanted.date}`;
    if (wanted.title !== undefined) return { ...text, identity: `text:${wanted.title}${on}`, fallbackTitle: wanted.title };
    return {
      ...text,
      // Without a name its content identifies it: a repeat is a no-op, and nothing replaces it.
      identity: `content:${hashOf(content)}${on}`,
      fallbackTitle: firstWords(content ?? ''),
      warnings: ['It was given no title: a later version of it will stand beside it. With a title it would replace it.'],
    };
  }

  /** @param light it takes only seconds @throws AppError SERVICE_UNAVAILABLE */
  private async start({ key, title, owner, light, opened = false }: Starting, input: IngestInput): Promise<void> {
    const { tenant, jobId } = input.ref;
    await this.deps.processes.start<typeof ingest>({
      workflow: 'ingest',
      id: workflowIds.ingest(tenant, key),
      queue: light ? 'light' : 'background',
      args: [input],
      tenant,
      kind: 'ingest',
      status: 'queued',
      owner,
      summary: title,
      purpose: opened ? `${jobId}:${input.rev}` : undefined,
    });
  }
}

const metadataOf = ({ metadata, customer, date }: Submission): Record<string, unknown> => ({
  ...metadata,
  ...(customer ? { customer } : {}),
  ...(date ? { date } : {}),
});
