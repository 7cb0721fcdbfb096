import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Parsed, ParseInput } from '../../adapters/parsers/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { chunk, type Chunk } from '../../engines/retrieval/chunking.ts';

/** From bytes to passages and their vectors; knows nothing of rows. */

export interface Content {
  bytes: Uint8Array;
  /** Tells the parser the format; null for pasted text of unknown format. */
  filename: string | null;
  media_type?: string | null | undefined;
  /** Given by the caller. */
  title: string | null;
  /** What it is called when neither the caller nor the content says. Empty: its passages stand without a title. */
  fallback_title: string;
  chunk_size: number;
}

export interface ReadContent {
  parsed: Parsed;
  format: string;
  title: string;
  metadata: Record<string, unknown>;
  chunks: Chunk[];
}

/**
 * Parses a content and cuts it into passages.
 * @param options.passages false: it is to be read only
 * @throws AppError what the parser refuses; VALIDATION_ERROR when there is no text in it
 */
export async function readContent(
  parse: (input: ParseInput) => Promise<Parsed>,
  { bytes, filename, media_type, title, fallback_title, chunk_size }: Content,
  { passages = true } = {},
): Promise<ReadContent> {
  const parsed = await parse({ bytes, ...(filename === null ? {} : { filename }), ...(media_type ? { mediaType: media_type } : {}) });
  const named = title ?? parsed.title ?? fallback_title;
  const chunks = passages ? chunk(named === '' ? parsed : { ...parsed, title: named }, { size: chunk_size }) : [];
  if (chunks.length === 0 && (passages || parsed.blocks.length === 0)) {
    throw new AppError('VALIDATION_ERROR', `"${named}" has no text.`, {
      hint: 'Nothing in it can be searched.',
      details: { reason: 'empty' },
    });
  }
  return { parsed, format: parsed.format, title: named, metadata: parsed.metadata, chunks };
}

/**
 * Keeps what was read when somebody may want to see more of it than its passages: all of it, or its tables.
 * @returns the blob's hash, or null when there is nothing of the kind
 */
export async function storeParsed(blobs: Blobs, tenant: string, parsed: Parsed, all: boolean): Promise<string | null> {
  if (!all && !parsed.tables?.length && !parsed.blocks.some((block) => block.kind === 'table')) return null;
  return await blobs.put(tenant, Buffer.from(JSON.stringify(parsed)));
}

/** Title and headings say what a passage is about, so they are part of its meaning. */
export async function vectorsOf(
  embedder: Embedder | null,
  passages: readonly { title?: string | null; body: string }[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  if (!embedder || passages.length === 0) return [];
  const texts = passages.map(({ title, body }) => (title ? `${title}\n${body}` : body));
  return await embedder.embed(texts, { priority: 'batch', signal });
}

export function warningsOf({ warnings }: Record<string, unknown>): string[] {
  return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string').slice(0, 20) : [];
}
