import { z } from 'zod';
import { chunkSize, formats, kbId, metadata, tags, words, type IngestAnswer } from '../../contracts/knowledge.ts';
import type { Submission } from '../../services/knowledge/commands.ts';
import type { ToolContext, ToolResult } from '../define.ts';

/** What both ways of taking content in have in common. */
export const common = {
  content: z.string().min(1).max(20_000_000).optional().describe('The text itself'),
  file_path: words(4096).optional().describe("Instead of content: a file on Signalbox's machine, inside INGEST_ROOTS"),
  format: z.enum(formats).optional().describe('Default: from file name or content'),
  customer: words(200).optional(),
  tags: tags.optional(),
  kb_id: kbId.optional(),
  metadata: metadata.optional(),
  chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
};

export async function submit(wanted: Submission, { caller, services, progress }: ToolContext): Promise<ToolResult<IngestAnswer>> {
  const { answer, finished, warnings, refs } = await services.knowledge.commands.submit(caller, wanted, { onProgress: progress });
  return {
    data: answer,
    refs,
    warnings: finished ? warnings : [...warnings, 'Still under way: system.job.get with this job_id tells when it is done.'],
    ...(finished ? {} : { status: 'accepted' }),
  };
}

/** Leaves out what was not given. */
export const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
