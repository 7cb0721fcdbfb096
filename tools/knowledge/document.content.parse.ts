import { z } from 'zod';
import { place, words } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({
  artifact_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  file_path: words(4096).optional().describe("A file on Signalbox's machine, inside INGEST_ROOTS"),
  url: words(2048).optional(),
});

const section = z.object({ title: z.string(), level: z.number(), place, characters: z.number() });

const output = z.object({
  job_id: z.string(),
  status: z.string(),
  document_id: z.string().optional(),
  title: z.string().optional(),
  format: z.string().optional(),
  page_count: z.number().nullable().optional(),
  table_count: z.number().optional(),
  sections: z.array(section).optional(),
  /** SHA-256 of an artifact with the whole text. */
  text_ref: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

const documentParse: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'document.parse',
  system: 'intelli-platform',
  input,
  toInput: (args) => args,
};

export default defineTool({
  name: 'document.content.parse',
  title: 'Read a document',
  description:
    'Reads a file, artifact or web address into title, sections, tables and text without indexing it. The answer names the document for document.table.extract and document.content.classify.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output,
  intents: ['parse a PDF', 'what sections does this document have', 'read a Word file', 'extract the text of a file'],
  aliases: [documentParse],
  async handler({ artifact_sha256, file_path, url }, { caller, services, signal, progress }) {
    const fetched = url === undefined ? undefined : await services.knowledge.fetch(url, signal);
    const { answer, finished, refs, warnings } = await services.knowledge.commands.submit(
      caller,
      { kind: 'document', parseOnly: true, artifact: artifact_sha256, filePath: file_path, fetched },
      { onProgress: progress },
    );
    const { job_id, status, document_id } = answer;
    if (!finished || document_id === undefined) {
      const hint = 'Still being read: system.job.get tells when it is done, then call this again.';
      return { data: { job_id, status }, refs, warnings: [...warnings, hint], status: 'accepted' };
    }
    const { outline, text } = await services.knowledge.documents.outline(caller.tenant, document_id);
    const { sha256 } = await services.substrate.artifacts.upload(caller, Buffer.from(text, 'utf8'), {
      mediaType: 'text/plain; charset=utf-8',
      filename: `${outline.title.slice(0, 200)}.txt`,
    });
    return { data: { job_id, status, ...outline, text_ref: sha256 }, refs: [...refs, { type: 'artifact', id: sha256 }], warnings };
  },
});
