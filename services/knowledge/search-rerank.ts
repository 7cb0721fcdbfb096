import type { Reranker } from '../../adapters/models/reranker.ts';
import { AppError } from '../../contracts/errors.ts';
import type { Reasons } from './search-reasons.ts';
import type { FoundChunk } from './search-sql.ts';
import { byScores, type RankedHit } from './search-view.ts';

export interface RerankWish {
  /** `if_available`: no warning without a reranker. */
  rerank?: boolean | 'if_available' | undefined;
  /** The reranker named by the caller; `flashrank`, the default of other systems, means the configured one. */
  reranker?: string | undefined;
  limit: number;
}

interface Notes {
  warnings: string[];
  reasons: Reasons;
  signal: AbortSignal | undefined;
}

/** Reorders hits with the reranker; keeps the order, with a warning, when there is none or it fails. */
export async function rerankHits(
  reranker: Reranker | null,
  text: string,
  hits: RankedHit[],
  chunks: ReadonlyMap<string, FoundChunk>,
  { rerank, reranker: named, limit }: RerankWish,
  { warnings, reasons, signal }: Notes,
): Promise<{ ranked: RankedHit[]; failed: boolean }> {
  if (!reranker) {
    const name = named === undefined ? '' : ` ("${named.slice(0, 64)}" was named)`;
    if (rerank === true) warnings.push(`No reranker is configured${name}: hits are in plain order.`);
    reasons.notReranked('no reranker is configured.');
    return { ranked: hits, failed: false };
  }
  if (named !== undefined && named !== 'flashrank' && !reranker.id.includes(named)) {
    warnings.push(`The reranker "${named.slice(0, 64)}" is not configured: ${reranker.id} is used.`);
  }
  if (hits.length === 0) return { ranked: hits, failed: false };
  try {
    const documents = hits.map((hit) => readable(chunks.get(hit.id)));
    const scores = await reranker.rerank(text, documents, { signal, topN: Math.max(limit, documents.length) });
    const ranked = byScores(hits, scores);
    reasons.reranked(reranker.id, hits.length, ranked.filter((hit, i) => hit.id !== hits[i]!.id).length);
    return { ranked, failed: false };
  } catch (error) {
    if (signal?.aborted) throw error;
    const why = error instanceof AppError ? error.message : 'it failed.';
    warnings.push(`Hits are in plain order: ${why}`);
    reasons.notReranked(why);
    return { ranked: hits, failed: true };
  }
}

/** Title and headings are part of the text. */
const readable = (chunk: FoundChunk | undefined): string =>
  chunk ? (chunk.context === null ? chunk.body : `${chunk.context}\n${chunk.body}`) : '';
