import { z } from 'zod';
import { ingestAnswer, tags, words, type IngestAnswer } from '../../contracts/knowledge/knowledge.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { common, given, ingestResult, stillUnderWay } from './ingest.shared.ts';

const documentTypes = [
  'competitive_analysis',
  'customer_email',
  'product_spec',
  'market_research',
  'internal_report',
  'presentation',
  'spreadsheet',
  'other',
] as const;

const input = z.object({
  ...common,
  title: words(300).optional().describe('What a later version replaces it by'),
  document_type: words(64).optional().describe('E.g. product_spec, customer_email'),
});

const ingestDocument: Alias<z.input<typeof input>, IngestAnswer> = {
  name: 'ingest_document',
  system: 'pm-intelligence',
  description: 'Takes a document (PDF, Word, PowerPoint, Excel, HTML, text …) into the knowledge base, so that it can be searched.',
  input: z.object({
    file_path: words(4096).describe('A file inside the configured folders'),
    title: words(300).optional(),
    document_type: z.enum(documentTypes).optional(),
    customer: words(200).optional(),
    tags: tags.optional(),
  }),
  toInput: (args) => args,
};

const ingestPdf: Alias<z.input<typeof input>, IngestAnswer> = {
  name: 'ingest_pdf',
  system: 'agentic-rag',
  description: 'Takes a PDF file in, so that it can be searched with pages as citations.',
  input: z.object({ file_path: words(4096), chunk_size: z.number().int().default(1000) }),
  toInput: ({ file_path, chunk_size }) => ({
    file_path: file_path as string,
    format: 'pdf',
    chunk_size: Math.min(8000, Math.max(100, chunk_size as number)),
  }),
  toText: (data, { file_path }) =>
    data.status === 'completed'
      ? `Ingested ${data.page_count ?? 0} pages from ${String(file_path)}`
      : stillUnderWay(String(file_path), data),
};

export default defineTool({
  name: 'ingest.document.submit',
  title: 'Take a document in',
  description:
    'Makes a document searchable: text as content (best with a title), or a PDF, Office, HTML, CSV, e-mail or text file, a folder or zip by file_path. The same title or path again replaces. Answers accepted with a job when it takes longer.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['knowledge:write'],
  latency: 'L5',
  input,
  output: ingestAnswer,
  intents: [
    'add this document to the knowledge base',
    'index a file',
    'make this text searchable',
    'upload notes',
    'replace an outdated document',
  ],
  core: { seldom: ['artifact_sha256', 'format', 'metadata', 'chunk_size', 'document_type'] },
  aliases: [ingestDocument, ingestPdf],
  handler: async (
    { content, file_path, artifact_sha256, format, title, document_type, customer, tags: labels, kb_id, metadata, chunk_size },
    { caller, services, progress },
  ) =>
    ingestResult(
      await services.knowledge.commands.submit(
        caller,
        {
          kind: 'document',
          content,
          filePath: file_path,
          artifact: artifact_sha256,
          format,
          title,
          customer,
          tags: labels,
          kbId: kb_id,
          chunkSize: chunk_size,
          metadata: { ...metadata, ...given({ document_type }) },
        },
        { onProgress: progress },
      ),
    ),
});
