import type { ItemCounts } from '../../contracts/activities/knowledge/ingest-run.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { AppError, errorCodes, type ErrorCode } from '../../contracts/errors.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import type { IngestResult } from '../../workflows/knowledge/ingest/state.ts';
import type { Jobs } from '../kernel/jobs.ts';
import { assertNotFailed } from './runs.ts';

export interface Submitted {
  answer: IngestAnswer;
  /** Whether the passages are searchable; otherwise the job continues. */
  finished: boolean;
  warnings: string[];
  refs: Ref[];
  /** Details from the source, e.g. a video's id and language. */
  details: Record<string, unknown>;
}

/**
 * A run's job for its caller.
 * @throws AppError the job's failure
 */
export function submitted(jobs: Jobs, job: Job, joined: boolean): Submitted {
  assertNotFailed(job);
  const { counts, chunk_count, statement_count, left_out, items, skipped, skipped_count, ...details } = (job.result ?? {}) as {
    counts?: ItemCounts;
    chunk_count?: number;
    statement_count?: number;
    left_out?: Record<string, number>;
    items?: IngestAnswer['items'];
    skipped?: IngestAnswer['skipped'];
    skipped_count?: number;
  } & Record<string, unknown>;
  const finished = job.status === 'completed';
  const warnings: string[] = [];
  if (joined && !finished) warnings.push('The same request is already running: this is its job.');
  if (counts && counts.refused + counts.failed > 0) {
    warnings.push(`${counts.refused + counts.failed} of ${counts.total} could not be ingested: ingest.dlq.list shows why.`);
  }
  if (skipped_count) warnings.push(`${skipped_count} were passed over: see skipped.`);
  const single = counts?.total === 1 ? items?.[0] : undefined;
  return {
    answer: {
      job_id: job.job_id,
      workflow_id: job.workflow_id,
      status: job.status,
      ...(single?.source_id ? { source_id: single.source_id } : {}),
      ...(chunk_count === undefined ? {} : { chunk_count }),
      ...(statement_count === undefined ? {} : { statement_count, left_out }),
      ...(counts ? { counts } : {}),
      ...(items ? { items } : {}),
      ...(skipped ? { skipped } : {}),
    },
    finished,
    warnings,
    refs: [...jobs.refs(job), ...(single?.source_id ? [{ type: 'source' as const, id: single.source_id }] : [])],
    details,
  };
}

/**
 * The job of one content for its caller.
 * @throws AppError the job's failure; CONFLICT (cancelled)
 */
export function submittedOne(jobs: Jobs, job: Job, sourceId: string, warnings: string[]): Submitted {
  const details = { job_id: job.job_id, workflow_id: job.workflow_id, source_id: sourceId };
  if (job.status === 'failed') {
    const code = job.error?.code as ErrorCode;
    throw new AppError(errorCodes.includes(code) ? code : 'INTERNAL', job.error?.message ?? 'The ingestion failed.', {
      hint: 'The earlier version of this source is still available. Fix the cause and submit it again.',
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
      ...(result?.page_count === undefined ? {} : { page_count: result.page_count }),
      ...(result?.statement_count === undefined ? {} : { statement_count: result.statement_count, left_out: result.left_out }),
    },
    finished: job.status === 'completed',
    warnings: [...warnings, ...(result?.warnings ?? [])],
    refs: [...jobs.refs(job), { type: 'source', id: sourceId }, ...(result ? [{ type: 'document' as const, id: result.document_id }] : [])],
    details: {},
  };
}
