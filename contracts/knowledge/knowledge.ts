import { z } from 'zod';

/** Postgres cannot store NUL in text. A refinement instead of a pattern, which would cost tokens in tool lists. */
const withoutNul = (text: string): boolean => !text.includes('\0');
export const words = (max: number) => z.string().min(1).max(max).refine(withoutNul, 'must not contain NUL');

export const defaultBase = 'default';
/** The platform's own bases. Callers cannot name them: `kbId` refuses their prefix. */
export const memoryBase = '_memories';
export const parsedBase = '_documents';
export const kbId = z
  .string()
  // A refinement instead of a pattern, which would cost tokens in tool lists.
  .refine((id) => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(id), 'lower-case letters, digits, "-" and "_", at most 63')
  .describe('Knowledge base');
export const sourceId = z.string().min(1).max(64).refine(withoutNul).describe('Source id');
export const tags = z.array(words(64)).max(32);
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => !JSON.stringify(value).includes('\\u0000'), 'must not contain NUL')
  .refine((value) => JSON.stringify(value).length <= 16_384, 'at most 16 KB as JSON');

/** Formats that a caller may name if the file name does not show it. */
export const formats = [
  'txt',
  'md',
  'vtt',
  'srt',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'xls',
  'ods',
  'csv',
  'tsv',
  'html',
  'eml',
  'json',
  'jsonl',
] as const;
/** A plain string in tool lists, where sixteen names would cost too many tokens. */
export const format = z
  .string()
  .refine((name) => (formats as readonly string[]).includes(name), `one of ${formats.join(', ')}`)
  .describe('E.g. pdf; default: from file name or content');

/** Maximum characters of a passage. */
export const chunkSize = z.number().int().min(100).max(8000);

export const sourceStatuses = ['active', 'indexing', 'error'] as const;

/** Location of a passage in its source; only fields that the format has are set. Lines, pages and slides count from 1. */
/** A turn in a passage: its start, the start of the spoken text (after the label), and the speaker, from the parser. */
export type Turn = readonly [start: number, said: number, speaker: string | null];

export const place = z.object({
  start_line: z.number().optional(),
  end_line: z.number().optional(),
  page: z.number().optional(),
  slide: z.number().optional(),
  sheet: z.string().optional(),
  /** hh:mm:ss.mmm from the start of the recording. */
  start_time: z.string().optional(),
  end_time: z.string().optional(),
  speaker: z.string().optional(),
  headings: z.array(z.string()).optional(),
});
export type CitedPlace = z.infer<typeof place>;

export const codeExample = z.object({ language: z.string().optional(), code: z.string() });

export const searchHit = z.object({
  content: z.string(),
  /** Title of the source. */
  source: z.string(),
  source_id: z.string(),
  document_id: z.string(),
  url: z.string().nullable(),
  /** 0 to 1. Mode semantic: cosine similarity; hybrid: words and meaning fused. */
  score: z.number(),
  /** Stable while the document exists: `{document_id}#{ordinal}`. */
  citation: z.string(),
  metadata: z.object({
    kb_id: z.string(),
    type: z.string(),
    tags: z.array(z.string()),
    /** Title and headings above the passage. */
    context: z.string().optional(),
    has_code: z.boolean(),
    place,
    /** Score of each method: BM25, cosine similarity, reranker. */
    scores: z.object({ bm25: z.number().optional(), cosine: z.number().optional(), rerank: z.number().optional() }),
  }),
  code_examples: z.array(codeExample).optional(),
  /** On request: places of the query's words in the content. UTF-16 offsets, `end` exclusive. */
  matches: z.array(z.object({ start: z.number(), end: z.number() })).optional(),
});
export type SearchHit = z.infer<typeof searchHit>;

export const source = z.object({
  id: z.string(),
  kb_id: z.string(),
  title: z.string(),
  type: z.string(),
  url: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(sourceStatuses),
  chunk_count: z.number(),
  last_updated: z.string(),
});
export type Source = z.infer<typeof source>;

export const sourceDetail = source.omit({ last_updated: true }).extend({
  description: z.string().nullable(),
  priority: z.number(),
  document_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type SourceDetail = z.infer<typeof sourceDetail>;

/** Outcome counts of a run. */
export const itemCounts = z.object({
  total: z.number(),
  done: z.number(),
  /** Already ingested with the same content. */
  unchanged: z.number(),
  refused: z.number(),
  failed: z.number(),
  left: z.number(),
});

export const ingestAnswer = z.object({
  job_id: z.string(),
  workflow_id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  /** For a single content. */
  source_id: z.string().optional(),
  document_id: z.string().optional(),
  chunk_count: z.number().optional(),
  page_count: z.number().optional(),
  /** Customer statements, and texts that are none, by reason; signal.reading.get tells more of each document. */
  statement_count: z.number().optional(),
  left_out: z.record(z.string(), z.number()).optional(),
  /** For a folder, archive or site: counts, and some items, failures first. */
  counts: itemCounts.optional(),
  items: z
    .array(
      z.object({
        title: z.string().nullable(),
        url: z.string().nullable(),
        status: z.string(),
        source_id: z.string().nullable(),
        chunk_count: z.number().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    )
    .optional(),
  skipped: z.array(z.object({ what: z.string(), reason: z.string() })).optional(),
});
export type IngestAnswer = z.infer<typeof ingestAnswer>;

export const dlqStages = ['extraction', 'entity_resolution', 'neo4j_sync', 'embedding'] as const;
export const dlqStatuses = ['parked', 'refused', 'retrying', 'resolved', 'abandoned'] as const;
export type DlqStatus = (typeof dlqStatuses)[number];

export const dlqItem = z.object({
  dlq_id: z.string(),
  signal_id: z.string().nullable(),
  source_id: z.string().nullable(),
  job_id: z.string(),
  workflow_id: z.string(),
  title: z.string(),
  stage: z.enum(dlqStages),
  /** The failed step: fetch, parse, index, publish. */
  step: z.string(),
  error: z.string(),
  error_code: z.string(),
  attempts: z.number(),
  /** parked: its process waits; refused: its process has ended, and a retry starts it again. */
  status: z.enum(dlqStatuses),
  first_failed_at: z.string(),
  last_failed_at: z.string(),
});
export type DlqItem = z.infer<typeof dlqItem>;
