import type { Database, Row } from '../../adapters/postgres/database.ts';
import { isUniqueViolation } from '../../adapters/postgres/errors.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { asAppError, isGone } from '../../adapters/temporal/errors.ts';
import type { JobRef, JobSnapshot, JobStatus } from '../../contracts/activities/kernel/jobs.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job, ListedJob } from '../../contracts/jobs.ts';
import type { JobKind } from '../../contracts/temporal.ts';
import type { Columns } from '../../prisma/rows.ts';
import { countedPage, matching, newest, type CountedPage, type Paging } from './paging.ts';
import { Service } from './service.ts';

export interface NewJob {
  id: string;
  kind: JobKind;
  title: string;
  workflowId: string;
  /** Data to start its workflow again. */
  spec: Record<string, unknown>;
  createdBy: string;
}

interface JobRow
  extends Row, Columns<'jobs', 'id' | 'kind' | 'title' | 'workflow_id' | 'created_by' | 'created_at' | 'updated_at' | 'finished_at'> {
  status: JobStatus;
  progress: Record<string, unknown>;
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  spec: Record<string, unknown>;
}

const finished: ReadonlySet<JobStatus> = new Set<JobStatus>(['completed', 'failed', 'cancelled']);

interface JobFilter extends Paging {
  status?: JobStatus | 'unfinished' | undefined;
  kind?: JobKind | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

/** The total of a list is counted up to here. */
const countedJobs = 10_000;

export const isUnfinished = ({ status }: Job): boolean => !finished.has(status);

/** The job of a call that writes to another system. */
export const connectorJobId = (tenant: string, provider: string, callKey: string): string => derivedId('job', tenant, provider, callKey);

const cancelledPast = { code: 'CONFLICT', message: 'It was cancelled directly in Temporal, not through the API.' };

/** How long to await a job's end, and the interval at which its row is read afterwards, in ms. */
const awaited = 1_500;
const lookEvery = 300;

/** Handles of long-running calls, which a caller polls or cancels. Only the job's workflow writes its state. */
export class Jobs extends Service<'temporal'> {
  /** Writes the row before the workflow is started, so that a crash in between leaves a row to restart from. */
  async open(tenant: string, job: NewJob): Promise<Job> {
    const insert = `insert into jobs (tenant_id, id, kind, workflow_id, status, title, progress, spec, created_by)
       values ($1, $2, $3, $4, 'queued', $5, '{"stage":"queued"}', $6, $7)`;
    const values = [tenant, job.id, job.kind, job.workflowId, job.title, JSON.stringify(job.spec), job.createdBy];
    // Without a conflict target: two concurrent inserts may collide in the table's other unique index, which would be
    // an error.
    const [made] = await this.db.query<JobRow>(`${insert} on conflict do nothing returning *`, values);
    if (made) return view(made);
    // One that has ended is used again: its retention begins anew, so that no sweep deletes it from under the caller.
    const [ended] = await this.db.query<JobRow>(
      'update jobs set updated_at = now() where tenant_id = $1 and id = $2 and finished_at is not null returning *',
      [tenant, job.id],
    );
    const [there] = ended ? [ended] : await this.db.query<JobRow>('select * from jobs where tenant_id = $1 and id = $2', [tenant, job.id]);
    if (there) return view(there);
    const [row] = await this.db.query<JobRow>(`${insert} returning *`, values);
    return view(row!);
  }

  /**
   * Returns the unfinished job of a process, else opens the job, unless it exists.
   * @param check throws when no further job may be opened
   */
  async join(tenant: string, job: NewJob, check?: () => Promise<void>): Promise<Job> {
    const there = (await this.underWay(tenant, job.workflowId)) ?? (await this.get(tenant, job.id).catch(orNull));
    if (there) return there;
    await check?.();
    try {
      return await this.open(tenant, job);
    } catch (error) {
      // A concurrent call opened the same job.
      const other = isUniqueViolation(error) && (await this.underWay(tenant, job.workflowId));
      if (!other) throw error;
      return other;
    }
  }

  /** @throws AppError NOT_FOUND */
  async get(tenant: string, id: string): Promise<Job> {
    const rows = await this.db.query<JobRow>('select * from jobs where tenant_id = $1 and id = $2', [tenant, id]);
    if (!rows[0]) throw notFound('job', id);
    return view(rows[0]);
  }

  /** The unfinished job of a process, if there is one. */
  async underWay(tenant: string, workflowId: string): Promise<Job | null> {
    const [row] = await this.db.query<JobRow>(
      `select * from jobs where tenant_id = $1 and workflow_id = $2 and status in ('queued', 'running')`,
      [tenant, workflowId],
    );
    return row ? view(row) : null;
  }

  /** Unfinished jobs, those that changed last first. */
  async underWayLatest(tenant: string, limit: number): Promise<Job[]> {
    const rows = await this.db.query<JobRow>(
      `select * from jobs where tenant_id = $1 and status in ('queued', 'running') order by updated_at desc, id limit $2`,
      [tenant, limit],
    );
    return rows.map(view);
  }

  /** Newest first. @throws AppError VALIDATION_ERROR (a cursor of another list) */
  async list(tenant: string, { status, kind, ids, ...paging }: JobFilter): Promise<CountedPage<ListedJob>> {
    const list = {
      select: `j.*, (select count(*)::int from dlq_items d where d.tenant_id = j.tenant_id and d.job_id = j.id and d.status = 'parked') as dead_letters`,
      from: 'jobs j',
      ...matching({
        'j.tenant_id = $': tenant,
        [`j.status in ('queued', 'running')`]: status === 'unfinished',
        'j.status = $': status === 'unfinished' ? undefined : status,
        'j.kind = $': kind,
        'j.id = any($)': ids,
      }),
      order: newest('j.created_at', 'j.id'),
    };
    return await countedPage(
      this.db.query,
      list,
      paging,
      (row: JobRow & { dead_letters: number }) => ({
        ...view(row),
        dead_letters: row.dead_letters,
        url: this.deps.temporal.link(row.workflow_id) ?? null,
      }),
      countedJobs + 1,
    );
  }

  /** Unfinished jobs, oldest first, with the data to start them again. */
  async unfinished(tenant: string): Promise<(Job & { spec: Record<string, unknown> })[]> {
    const rows = await this.db.query<JobRow>(
      `select * from jobs where tenant_id = $1 and status in ('queued', 'running') order by created_at limit 1000`,
      [tenant],
    );
    return rows.map((row) => ({ ...view(row), spec: row.spec }));
  }

  /**
   * Asks the job's workflow to stop; it undoes its own writes.
   * @throws AppError NOT_FOUND, CONFLICT
   */
  async cancel(tenant: string, id: string): Promise<Job> {
    const job = await this.get(tenant, id);
    if (finished.has(job.status)) {
      throw new AppError('CONFLICT', `The job is ${job.status} already.`, { details: { reason: job.status } });
    }
    // First write that the cancellation is ours: any program that reaches Temporal's port can cancel there.
    await cancelAsked(this.db.query, tenant, job.workflow_id);
    try {
      await this.deps.temporal.handle(job.workflow_id).cancel();
    } catch (error) {
      if (!isGone(error)) throw asAppError(error);
      throw new AppError('CONFLICT', "The job's process is gone.", {
        hint: 'signalbox doctor shows lost processes and can start them again.',
      });
    }
    return await this.get(tenant, id);
  }

  /**
   * Waits until the job has ended or `ms` have passed. First awaits the end, for short jobs; then polls the row,
   * because following a busy process costs the server an answer for each of its events.
   */
  async settle(tenant: string, id: string, ms: number, onProgress?: (job: Job) => void): Promise<Job> {
    let job = await this.get(tenant, id);
    if (finished.has(job.status) || ms <= 0) return job;
    const until = Date.now() + ms;
    const young = job.status === 'queued' || Date.now() - Date.parse(job.created_at) < awaited;
    if (young)
      await this.deps.temporal.client
        .withDeadline(Math.min(until, Date.now() + awaited), () => this.deps.temporal.handle(job.workflow_id).result())
        .catch(() => {});
    for (;;) {
      job = await this.get(tenant, id);
      if (finished.has(job.status) || Date.now() >= until) return job;
      onProgress?.(job);
      const pause = Math.min(lookEvery, until - Date.now());
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Refs of an answer about a job: the job, and its process in Temporal's UI. */
  refs(job: Job): Ref[] {
    const url = this.deps.temporal.link(job.workflow_id);
    return [
      { type: 'job', id: job.job_id },
      { type: 'workflow', id: job.workflow_id, ...(url ? { url } : {}) },
    ];
  }

  async write({ tenant, id }: JobRef, job: JobSnapshot): Promise<number> {
    return await asTenant(tenant, async () => {
      const rows = await this.db.query<{ rev: number }>(
        `update jobs set rev = $3, progress = $5, result = $6, updated_at = now(),
           status = case when $4 = 'cancelled' and cancel_asked_at is null then 'failed' else $4 end,
           error = case when $4 = 'cancelled' and cancel_asked_at is null then $9 else $7::jsonb end,
           finished_at = case when $8 then coalesce(finished_at, now()) end
         where tenant_id = $1 and id = $2 and rev <= $3 returning rev`,
        [
          tenant,
          id,
          job.rev,
          job.status,
          JSON.stringify(job.progress),
          job.result ? JSON.stringify(job.result) : null,
          job.error ? JSON.stringify(job.error) : null,
          finished.has(job.status),
          JSON.stringify(cancelledPast),
        ],
      );
      if (rows[0]) return rows[0].rev;
      const [row] = await this.db.query<{ rev: number }>('select rev from jobs where tenant_id = $1 and id = $2', [tenant, id]);
      if (!row) throw new Error(`job ${id} has no row`);
      return row.rev;
    });
  }
}

const orNull = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
  throw error;
};

/** Records that a process's unfinished job was cancelled by us; without this its end counts as a failure. */
export async function cancelAsked(query: Database['query'], tenant: string, workflowId: string): Promise<void> {
  await query(
    `update jobs set cancel_asked_at = coalesce(cancel_asked_at, now())
     where tenant_id = $1 and workflow_id = $2 and status in ('queued', 'running')`,
    [tenant, workflowId],
  );
}

const view = (row: JobRow): Job => ({
  job_id: row.id,
  kind: row.kind,
  title: row.title,
  status: row.status,
  progress: row.progress,
  result: row.result,
  error: row.error,
  workflow_id: row.workflow_id,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
});
