import type { Readable } from 'node:stream';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { hasScope, isPerson, type Caller } from '../../../contracts/caller.ts';
import { AppError, errorCodes, notFound } from '../../../contracts/errors.ts';
import type { ExportAnswer, ExportFormat, ExportType, LedgerRange, ListedExport } from '../../../contracts/governance/exports.ts';
import { derivedId, hashOf } from '../../../contracts/ids.ts';
import type { Job } from '../../../contracts/jobs.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { isUnfinished } from '../../kernel/jobs.ts';
import { waitDefault } from '../../kernel/waiting.ts';
import { Service } from '../../kernel/service.ts';
import type { CountedPage, Paging } from '../../kernel/paging.ts';
import { expired, readToken, writeToken } from './links.ts';
import { listExports } from './list.ts';
import { rangeOf } from './range.ts';
import { sweepExports, type ExportSpec } from './records.ts';

interface Waiting {
  /** Milliseconds. */
  waitMs?: number;
  onProgress?: (done: number, total?: number, message?: string) => void;
}

export interface ExportFile {
  filename: string;
  mediaType: string;
  size: number;
  stream: Readable;
}

/** Maximum running exports per tenant: others need the workers, too. */
const atOnce = 2;

/** Exports as files: requested by callers, written by a process, downloaded with expiring links. */
export class ExportService extends Service<'processes' | 'blobs' | 'secrets' | 'jobs' | 'a2a'> {
  /**
   * Exports records. An identical request by the same key during an export joins it.
   * @param wanted.from
   * @param wanted.to ISO 8601, both inclusive; a date alone is its whole day, UTC
   * @returns `warnings`, e.g. that a full backup has no range
   * @throws AppError VALIDATION_ERROR, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE, or as the job failed
   */
  async export(
    caller: Caller,
    wanted: { type: ExportType; format: Exclude<ExportFormat, 'jsonl'>; from?: string | undefined; to?: string | undefined },
    callKey: string,
    waiting: Waiting = {},
  ): Promise<{ job: Job; answer: ExportAnswer; warnings: string[] }> {
    const full = wanted.type === 'full_backup';
    const dated = wanted.from !== undefined || wanted.to !== undefined;
    const range = full ? { from: null, to: null } : rangeOf(wanted.from, wanted.to);
    const spec: ExportSpec = { type: wanted.type, format: wanted.format, range, key_id: caller.keyId };
    const job = await this.run(caller, spec, callKey, waiting);
    const warnings = full && dated ? ['A full backup has everything: the dates were not used.'] : [];
    return { job, answer: await this.answer(caller.tenant, job), warnings };
  }

  /** The ledger as JSON lines, with its links. @throws as `export` */
  async exportLedger(
    caller: Caller,
    range: LedgerRange,
    callKey: string,
    waiting: Waiting = {},
  ): Promise<{ job: Job; answer: ExportAnswer }> {
    if (range.since && range.until && Date.parse(range.since) >= Date.parse(range.until)) {
      throw new AppError('VALIDATION_ERROR', 'since is not before until: there is nothing in between.');
    }
    const spec: ExportSpec = { type: 'ledger', format: 'jsonl', range: { from: null, to: null }, ledger: range, key_id: caller.keyId };
    const job = await this.run(caller, spec, callKey, waiting);
    return { job, answer: await this.answer(caller.tenant, job) };
  }

  /**
   * An earlier export, with a new link once it is done. For people, and for the key that requested it.
   * @throws AppError NOT_FOUND, FORBIDDEN, GONE, or as the job failed
   */
  async get(caller: Caller, jobId: string): Promise<{ job: Job; answer: ExportAnswer }> {
    const job = await this.deps.jobs.get(caller.tenant, jobId);
    const spec = job.kind === 'export' ? await this.specOf(caller.tenant, jobId) : null;
    if (!spec) throw notFound('export', jobId, 'system.data.export returns the job_id.');
    if (!isPerson(caller) && spec.key_id !== caller.keyId) {
      throw new AppError('FORBIDDEN', 'Another key asked for this export.', {
        hint: 'Ask for one yourself, or ask a person for the file.',
      });
    }
    const scope = spec.type === 'ledger' ? 'ledger:read' : 'system:export';
    if (caller.scopes.length > 0 && !hasScope(caller.scopes, scope)) {
      throw new AppError('FORBIDDEN', 'Your key lacks the scope for this export.', { hint: `It needs ${scope}.` });
    }
    return { job, answer: await this.answer(caller.tenant, job) };
  }

  /** Earlier exports, newest first. Whose and of which kinds: as `get`. @throws AppError VALIDATION_ERROR (cursor) */
  list(caller: Caller, paging: Paging): Promise<CountedPage<ListedExport>> {
    return listExports(this.db.query, caller, paging);
  }

  /**
   * The file of a link.
   * @throws AppError UNAUTHORIZED, GONE
   */
  async download(id: string, token: string): Promise<ExportFile> {
    const { tenant } = readToken(this.deps.secrets, id, token);
    return await asTenant(tenant, () => this.open(tenant, 'id', id));
  }

  /**
   * The file of an export, for whoever may have its link.
   * @throws AppError as `get`; GONE while it is not written
   */
  async file(caller: Caller, jobId: string): Promise<ExportFile> {
    return await asTenant(caller.tenant, async () => {
      const { job } = await this.get(caller, jobId);
      return await this.open(caller.tenant, 'job_id', job.job_id);
    });
  }

  private async open(tenant: string, by: 'id' | 'job_id', id: string): Promise<ExportFile> {
    const [row] = await this.db.query<{ sha256: string; filename: string; media_type: string }>(
      `select sha256, filename, media_type from exports where tenant_id = $1 and ${by} = $2 and expires_at > now()`,
      [tenant, id],
    );
    if (!row) throw expired();
    const { stream, size } = await this.deps.blobs.openStream(tenant, row.sha256);
    return { filename: row.filename, mediaType: row.media_type, size, stream };
  }

  /**
   * Starts the process of an unfinished job; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob('export', tenant, job);
  }

  /** @returns how many expired ones were deleted */
  sweep(tenant: string): Promise<number> {
    return sweepExports(this.deps, tenant);
  }

  private async run(caller: Caller, spec: ExportSpec, callKey: string, { waitMs = waitDefault, onProgress }: Waiting): Promise<Job> {
    const { tenant, principal } = caller;
    const { jobs } = this.deps;
    const workflowId = workflowIds.export(tenant, hashOf(spec).slice(0, 40));
    const id = derivedId('job', tenant, 'export', callKey);
    const title = `Export of ${spec.type.replace('_', ' ')} as ${spec.format.toUpperCase()}`;
    let job = await jobs.join(tenant, { id, kind: 'export', title, workflowId, spec, createdBy: principal }, () => this.checkRoom(tenant));
    if (isUnfinished(job)) {
      await this.restart(tenant, job);
      job = await jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
        const { done, total, stage } = progress as { done?: number; total?: number; stage?: string };
        onProgress?.(done ?? 0, total, stage);
      });
    }
    return job;
  }

  private async checkRoom(tenant: string): Promise<void> {
    const [row] = await this.db.query<{ jobs: number }>(
      `select count(*)::int as jobs from jobs where tenant_id = $1 and kind = 'export' and status in ('queued', 'running')`,
      [tenant],
    );
    if (row!.jobs < atOnce) return;
    throw new AppError('RATE_LIMIT_EXCEEDED', `${row!.jobs} exports of your tenant are under way; more are not begun.`, {
      hint: 'Wait for one of them to end, or cancel one: system.job.cancel.',
      retryAfterSeconds: 30,
      details: { limit: atOnce },
    });
  }

  private async specOf(tenant: string, jobId: string): Promise<ExportSpec | null> {
    const [row] = await this.db.query<{ spec: ExportSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, jobId]);
    return row?.spec ?? null;
  }

  /** @throws AppError as the job failed; GONE when the file has expired */
  private async answer(tenant: string, job: Job): Promise<ExportAnswer> {
    const { job_id, status } = job;
    if (status === 'failed' || status === 'cancelled') {
      const code = errorCodes.find((known) => known === job.error?.code) ?? 'CONFLICT';
      throw new AppError(code, job.error?.message ?? 'The export was cancelled.', { details: { job_id } });
    }
    const spec = await this.specOf(tenant, job_id);
    const answer = { job_id, status, export_type: spec!.type, format: spec!.format };
    if (status !== 'completed') return answer;
    const [row] = await this.db.query<{
      id: string;
      sha256: string;
      size: string;
      filename: string;
      row_counts: Record<string, number>;
      expires_at: Date;
    }>(
      `select id, sha256, size, filename, row_counts, expires_at from exports where tenant_id = $1 and job_id = $2 and expires_at > now()`,
      [tenant, job_id],
    );
    if (!row) throw expired();
    const token = writeToken(this.deps.secrets, { tenant, id: row.id, until: Math.floor(row.expires_at.getTime() / 1_000) });
    return {
      ...answer,
      export_id: row.id,
      artifact_ref: row.sha256,
      link: `${this.deps.a2a.endpointUrl}/api/exports/${row.id}?token=${token}`,
      filename: row.filename,
      size_bytes: Number(row.size),
      row_counts: row.row_counts,
      expires_at: row.expires_at.toISOString(),
    };
  }
}
