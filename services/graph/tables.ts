import { basename } from 'node:path';
import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf, newId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { readInside } from '../knowledge/index.ts';
import { Artifacts } from '../substrate/index.ts';
import type { LinkFigures, LinkLine } from '../../engines/linkage/run.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import { readResult, type TableLinkSpec, type TableRef } from './tables-records.ts';

/** Identifies the matcher: results of another version are not reused. */
const matcher = 'fs-2';

/** A table as a caller names it: exactly one field. */
export interface GivenTable {
  filePath?: string | undefined;
  sha256?: string | undefined;
}

export interface TableLinks {
  job: Job;
  /** The same request was made before. */
  joined: boolean;
  /** Null until the job is done. */
  result: { artifact: string; figures: LinkFigures; links: LinkLine[] } | null;
}

/** Finds rows of tables that are the same thing, in a workflow. */
export class TableLinking extends Service<'processes' | 'blobs' | 'jobs' | 'ingestRoots'> {
  private readonly artifacts = new Artifacts(this.deps);

  /**
   * Links two tables, or one with itself. A repeat with the same content joins the running job or returns its result.
   * @param wanted.limit links in the answer, most probable first
   * @throws AppError VALIDATION_ERROR, NOT_FOUND, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
   */
  async link(
    caller: Caller,
    wanted: { left: GivenTable; right: GivenTable | null; threshold: number; limit: number },
    { waitMs = waitDefault, onProgress }: { waitMs?: number; onProgress?: (done: number, total?: number, message?: string) => void } = {},
  ): Promise<TableLinks> {
    const { tenant, principal } = caller;
    const { jobs } = this.deps;
    const left = await this.open(caller, wanted.left);
    const right = wanted.right === null ? null : await this.open(caller, wanted.right);
    const { threshold, limit } = wanted;
    const key = hashOf({ matcher, left: left.sha256, right: right?.sha256 ?? null, threshold }).slice(0, 40);
    const workflowId = workflowIds.tableLink(tenant, key);
    const before = await this.former(tenant, workflowId);
    let job = before;
    if (!job) {
      const spec: TableLinkSpec = { left, right, threshold };
      const title = right ? `Links between ${nameOf(left)} and ${nameOf(right)}` : `Duplicates in ${nameOf(left)}`;
      try {
        job = await jobs.open(tenant, { id: newId('job'), kind: 'table_link', title, workflowId, spec, createdBy: principal });
      } catch (error) {
        // A concurrent request.
        if (!isUniqueViolation(error)) throw error;
        job = (await jobs.underWay(tenant, workflowId)) ?? (await this.former(tenant, workflowId));
        if (!job) throw error;
      }
    }
    if (job.status === 'queued' || job.status === 'running') {
      await this.restart(tenant, job);
      job = await jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => onProgress?.(0, undefined, progress['stage'] as string));
    }
    return { job, joined: before !== null, result: await this.resultOf(tenant, job, limit) };
  }

  /**
   * Starts the process of an unfinished job; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.deps.processes.startJob('table_link', tenant, job);
  }

  /** A running or finished job of this content whose result still exists. */
  private async former(tenant: string, workflowId: string): Promise<Job | null> {
    const { db, jobs } = this.deps;
    const [row] = await db.query<{ id: string }>(
      `select id from jobs j where tenant_id = $1 and workflow_id = $2 and (status in ('queued', 'running') or status = 'completed' and exists (
         select 1 from artifacts a where a.tenant_id = $1 and a.sha256 = j.result->>'artifact'))
       order by created_at desc limit 1`,
      [tenant, workflowId],
    );
    return row ? await jobs.get(tenant, row.id) : null;
  }

  /** Stores a file's bytes, so that the job uses the content of the time of the request. */
  private async open(caller: Caller, { filePath, sha256 }: GivenTable): Promise<TableRef> {
    if ((filePath === undefined) === (sha256 === undefined)) {
      throw new AppError('VALIDATION_ERROR', 'A table is given either as file_path or as artifact_sha256.', {
        hint: 'substrate.artifact.upload stores a table and returns its sha256.',
      });
    }
    if (sha256 !== undefined) {
      const { filename } = await this.artifacts.describe(caller.tenant, sha256);
      return { sha256, filename };
    }
    const { path, bytes } = await readInside(this.deps.ingestRoots, filePath!);
    const filename = basename(path);
    const uploaded = await this.artifacts.upload(caller, bytes, { mediaType: 'application/octet-stream', filename });
    return { sha256: uploaded.sha256, filename };
  }

  private async resultOf(tenant: string, job: Job, limit: number): Promise<TableLinks['result']> {
    const artifact = job.status === 'completed' ? (job.result?.['artifact'] as string) : null;
    if (artifact === null) return null;
    const { bytes } = await this.artifacts.get(tenant, artifact);
    return { artifact, ...readResult(bytes, limit) };
  }
}

const nameOf = ({ filename, sha256 }: TableRef): string => (filename ?? sha256.slice(0, 12)).slice(0, 80);
