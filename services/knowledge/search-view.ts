import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import type { TrajectorySource } from '../../contracts/knowledge/trajectory.ts';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import { termPlaces, terms } from '../../engines/retrieval/terms.ts';
import { citationOf, citedPlace } from './rules.ts';
import type { FoundChunk } from './search-sql.ts';

/** A passage in its final order. */
export interface RankedHit extends Fused {
  /** Score of the reranker. */
  reranked?: number;
}

/** Applies the minimum cosine. Hits by words only have no cosine and stay. */
export function aboveThreshold<H extends Fused>(hits: H[], threshold: number | undefined, warnings: string[]): H[] {
  if (threshold === undefined) return hits;
  const kept = hits.filter((hit) => hit.lexical !== undefined || (hit.dense?.score ?? 0) >= threshold);
  const best = Math.max(...hits.map((hit) => hit.dense?.score ?? 0));
  if (kept.length === 0 && hits.length > 0) {
    warnings.push(
      `No passage reaches the similarity ${threshold}; the best has ${best.toFixed(2)}. Lower similarity_threshold or leave it out.`,
    );
  }
  return kept;
}

/**
 * Reranked hits first, with scores scaled to 0 to 1; hits without a score follow in their order.
 * @param scores one per hit, −Infinity for none
 */
export function byScores(hits: readonly RankedHit[], scores: readonly number[]): RankedHit[] {
  const given = scores.filter(Number.isFinite);
  const logits = given.some((score) => score < 0 || score > 1);
  const judged = hits.map((hit, i): { hit: RankedHit; score: number } => {
    const score = scores[i] ?? -Infinity;
    if (!Number.isFinite(score)) return { hit: { ...hit, score: 0 }, score: -Infinity };
    return { hit: { ...hit, score: logits ? 1 / (1 + Math.exp(-score)) : score, reranked: score }, score };
  });
  return judged.sort((a, b) => (a.score === b.score ? 0 : b.score - a.score)).map(({ hit }) => hit);
}

export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

export function viewOf(hit: RankedHit, chunk: FoundChunk, withCode: boolean): SearchHit {
  return {
    content: chunk.body,
    source: chunk.source,
    source_id: chunk.source_id,
    document_id: chunk.document_id,
    url: chunk.url,
    score: rounded(hit.score),
    citation: citationOf(chunk.document_id, chunk.ordinal),
    metadata: {
      kb_id: chunk.kb_id,
      type: chunk.type,
      tags: chunk.tags,
      ...(chunk.context === null ? {} : { context: chunk.context }),
      has_code: chunk.has_code,
      place: citedPlace(chunk.place, chunk.end_place),
      scores: {
        ...(hit.lexical ? { bm25: rounded(hit.lexical.score) } : {}),
        ...(hit.dense ? { cosine: rounded(hit.dense.score) } : {}),
        ...(hit.reranked === undefined ? {} : { rerank: rounded(hit.reranked) }),
      },
    },
    ...(withCode ? { code_examples: chunk.code_blocks } : {}),
  };
}

const shownMatches = 200;

/** Where the passage has words of the query. */
export const matchesIn = (body: string, query: string): { start: number; end: number }[] =>
  termPlaces(body, new Set(terms(query)), shownMatches).map(([start, end]) => ({ start, end }));

/** The passage as a source of an answer, with each retriever's rank and score. */
export function sourceOf(hit: RankedHit, chunk: FoundChunk): TrajectorySource {
  const { lexical, dense, beside, graph, reranked } = hit;
  return {
    type: 'chunk',
    id: citationOf(chunk.document_id, chunk.ordinal),
    title: chunk.source,
    source_id: chunk.source_id,
    score: rounded(hit.score),
    scores: {
      ...(lexical ? { bm25: rounded(lexical.score), bm25_rank: lexical.rank } : {}),
      ...(lexical?.coverage === undefined ? {} : { coverage: rounded(lexical.coverage) }),
      ...(dense ? { cosine: rounded(dense.score), cosine_rank: dense.rank } : {}),
      ...(beside ? { beside: rounded(beside.share) } : {}),
      ...(graph ? { graph: rounded(graph.share) } : {}),
      ...(reranked === undefined ? {} : { rerank: rounded(reranked) }),
    },
  };
}
