import { basename, extname } from 'node:path';
import type { Blobs } from '../../adapters/blobs/files.ts';
import type { ItemCounts } from '../../contracts/activities/ingest-run.ts';
import type { Ref } from '../../contracts/envelope.ts';
import type { Job } from '../../contracts/jobs.ts';
import type { IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import type { Jobs } from '../kernel/jobs.ts';
import { readInside } from './commands-file.ts';
import { folderInside } from './folder.ts';
import { assertNotFailed } from './runs.ts';
import type { RunOrigin } from './runs-spec.ts';

export interface Submitted {
  answer: IngestAnswer;
  /** Whether the passages are searchable; otherwise the job continues. */
  finished: boolean;
  warnings: string[];
  refs: Ref[];
  /** Details from the source, e.g. a video's id and language. */
  details: Record<string, unknown>;
}

/** The contents of a path as a run; null: it is one file. */
export async function runSubmission(
  { blobs, ingestRoots }: { blobs: Blobs; ingestRoots: string[] },
  tenant: string,
  filePath: string,
): Promise<{ origin: Extract<RunOrigin, { kind: 'folder' | 'zip' }>; title: string } | null> {
  const folder = await folderInside(ingestRoots, filePath);
  if (folder !== null) return { origin: { kind: 'folder', path: folder }, title: basename(folder) };
  if (extname(filePath).toLowerCase() !== '.zip') return null;
  const { path, bytes } = await readInside(ingestRoots, filePath);
  return { origin: { kind: 'zip', path, blob: await blobs.put(tenant, bytes) }, title: basename(path) };
}

/**
 * A run's job for its caller.
 * @throws AppError the job's failure
 */
export function submitted(jobs: Jobs, job: Job, joined: boolean): Submitted {
  assertNotFailed(job);
  const { counts, chunk_count, items, skipped, skipped_count, ...details } = (job.result ?? {}) as {
    counts?: ItemCounts;
    chunk_count?: number;
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
