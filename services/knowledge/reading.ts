import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Parsed, ParseInput } from '../../adapters/parsers/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { chunk, type Chunk } from '../../engines/retrieval/chunking.ts';

/** From bytes to passages and vectors, independent of rows. */

export interface Content {
  bytes: Uint8Array;
  /** Tells the parser the format; null for pasted text of unknown format. */
  filename: string | null;
  media_type?: string | null | undefined;
  /** Given by the caller. */
  title: string | null;
  /** The title if neither the caller nor the content has one. Empty: the passages have no title. */
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
 * @param options.passages false: only read it
 * @throws AppError of the parser; VALIDATION_ERROR when it contains no text
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
 * Stores the parsed content if more than its passages may be needed: all of it, or its tables.
 * @returns the blob's hash, or null when there is nothing to store
 */
export async function storeParsed(blobs: Blobs, tenant: string, parsed: Parsed, all: boolean): Promise<string | null> {
  if (!all && !parsed.tables?.length && !parsed.blocks.some((block) => block.kind === 'table')) return null;
  return await blobs.put(tenant, Buffer.from(JSON.stringify(parsed)));
}

/** Title and headings are part of a passage's meaning. */
export async function vectorsOf(
  embedder: Embedder | null,
  passages: readonly { title?: string | null; body: string }[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  if (!embedder || passages.length === 0) return [];
  const texts = passages.map(({ title, body }) => (title ? `${title}\n${body}` : body));
  return await embedder.embed(texts, { priority: 'batch', signal });
}

/**
 * The same for ingestion: a server of embeddings that is away stops nobody. Without vectors the passages are found by their
 * words, and get vectors when it answers again (reindexing.ts).
 */
export async function vectorsIfReachable(...[embedder, passages, signal]: Parameters<typeof vectorsOf>): Promise<Float32Array[]> {
  try {
    return await vectorsOf(embedder, passages, signal);
  } catch (error) {
    if (embedder?.resting === undefined || !(error instanceof AppError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    return [];
  }
}

export function warningsOf({ warnings }: Record<string, unknown>): string[] {
  return Array.isArray(warnings) ? warnings.filter((warning) => typeof warning === 'string').slice(0, 20) : [];
}
