import { z } from 'zod';
import { ingestAnswer, tags, words, type IngestAnswer } from '../../contracts/knowledge.ts';
import { defineTool, type Alias } from '../define.ts';
import { common, given, submit } from './submit.ts';

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
  title: words(300).optional().describe('Required with content'),
  document_type: words(64).optional().describe('E.g. product_spec, customer_email'),
});

const ingestDocument: Alias<z.input<typeof input>, IngestAnswer> = {
  name: 'ingest_document',
  system: 'pm-intelligence',
  description: 'Takes a document file (TXT, Markdown, VTT, SRT) into the knowledge base, so that it can be searched.',
  input: z.object({
    file_path: words(4096).describe('A file inside the configured folders'),
    title: words(300).optional(),
    document_type: z.enum(documentTypes).optional(),
    customer: words(200).optional(),
    tags: tags.optional(),
  }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'ingest.document.submit',
  title: 'Take a document in',
  description:
    'Makes a document searchable: a text passed as content (with a title), or a TXT, Markdown, VTT or SRT file by file_path. The same content twice is one job; changed content under the same title or path replaces. Answers accepted with a job when it takes longer.',
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
  core: true,
  aliases: [ingestDocument],
  handler: ({ content, file_path, format, title, document_type, customer, tags: labels, kb_id, metadata, chunk_size }, context) =>
    submit(
      {
        kind: 'document',
        content,
        filePath: file_path,
        format,
        title,
        customer,
        tags: labels,
        kbId: kb_id,
        chunkSize: chunk_size,
        metadata: { ...metadata, ...given({ document_type }) },
      },
      context,
    ),
});
