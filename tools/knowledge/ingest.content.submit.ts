import { z } from 'zod';
import { chunkSize, format, ingestAnswer, kbId, metadata, tags, words, type IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { ingestResult, submit } from './ingest.shared.ts';

const kinds = ['text', 'file', 'url', 'artifact'] as const;
/** Required fields of each kind. */
const needs = { text: ['text'], file: ['file_path'], url: ['url'], artifact: ['sha256'] } as const;

const source = z
  .object({
    kind: z.enum(kinds),
    text: z.string().min(1).max(20_000_000).optional(),
    title: words(300).optional().describe('Of a text: what a later version replaces it by'),
    format: format.optional(),
    file_path: words(4096).optional().describe('File, folder or zip inside INGEST_ROOTS'),
    url: words(2048).optional(),
    depth: z.number().int().min(0).max(3).default(0),
    sha256: words(64).optional(),
  })
  .superRefine((given, context) => {
    for (const field of needs[given.kind]) {
      if (given[field] === undefined) context.addIssue({ code: 'custom', path: [field], message: `a ${given.kind} needs ${field}` });
    }
  });

const input = z.object({
  source,
  kb_id: kbId.optional(),
  chunk_size: chunkSize.optional().describe('Characters of a passage; default 1000'),
  tags: tags.optional(),
  metadata: metadata.optional(),
});

const indexIngest: Alias<z.input<typeof input>, IngestAnswer> = {
  name: 'index.ingest',
  system: 'intelli-platform',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'ingest.content.submit',
  title: 'Put content into the index',
  description: 'Makes content of any origin searchable: a text, a file, a folder, an archive, a web page, an artifact. Answers a job.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output: ingestAnswer,
  intents: ['put content in the index', 'index an artifact', 'ingest a folder of documents', 'ingest a zip archive'],
  aliases: [indexIngest],
  async handler({ source: from, kb_id: kb, chunk_size: size, tags: labels, metadata: about }, context) {
    const options = { kbId: kb, chunkSize: size, tags: labels, metadata: about };
    if (from.url !== undefined && from.kind === 'url') {
      const { caller, services, progress } = context;
      const origin = { kind: 'url' as const, url: from.url, depth: from.depth, max_pages: 50, profile: 'auto' as const };
      const request = { ...options, origin, title: from.url, type: 'page' };
      const outcome = await services.knowledge.commands.submitRun(caller, request, { onProgress: progress });
      return ingestResult(outcome);
    }
    if (from.kind === 'file') return await submit({ kind: 'document', filePath: from.file_path, title: from.title, ...options }, context);
    if (from.kind === 'artifact') return await submit({ kind: 'document', artifact: from.sha256, title: from.title, ...options }, context);
    return await submit({ kind: 'document', content: from.text, title: from.title, format: from.format, ...options }, context);
  },
});
