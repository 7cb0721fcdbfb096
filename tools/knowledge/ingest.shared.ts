import { z } from 'zod';
import { chunkSize, format, kbId, metadata, tags, words, type IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import type { Submitted } from '../../services/knowledge/index.ts';
import type { Submission } from '../../services/knowledge/index.ts';
import type { ToolContext, ToolResult } from '../catalogue/define.ts';

/** Shared by both ingestion tools. */
export const common = {
  content: z.string().min(1).max(20_000_000).optional().describe('The text itself'),
  file_path: words(4096).optional().describe("Instead: a file on Signalbox's machine, inside INGEST_ROOTS"),
  artifact_sha256: words(64).optional(),
  format: format.optional(),
  customer: words(200).optional(),
  tags: tags.optional(),
  kb_id: kbId.optional(),
  metadata: metadata.optional(),
  chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
};

export async function submit(wanted: Submission, { caller, services, progress }: ToolContext<'ingest'>): Promise<ToolResult<IngestAnswer>> {
  return ingestResult(await services.knowledge.commands.submit(caller, wanted, { onProgress: progress }));
}

/** A submission's outcome as a tool's answer. */
export function ingestResult({ answer, finished, warnings, refs }: Submitted): ToolResult<IngestAnswer> {
  return {
    data: answer,
    refs,
    warnings: finished ? warnings : [...warnings, 'Still under way: system.job.get with this job_id tells when it is done.'],
    ...(finished ? {} : { status: 'accepted' }),
  };
}

/** Removes undefined fields. */
export const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** Text of agentic-rag's answers about running work. */
export const stillUnderWay = (what: string, { job_id, status }: IngestAnswer): string =>
  `${what} is ${status === 'queued' ? 'waiting to be worked on' : 'under way'} as job ${job_id}.`;
