import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { VectorStore } from '../../adapters/vectors/types.ts';
import { AppError } from '../../contracts/errors.ts';
import { defaultBase, type SearchHit } from '../../contracts/knowledge.ts';
import { fuse, type Fused } from './fusion.ts';
import { citationOf, citedPlace, queryTerms } from './rules.ts';
import { bases, byWords, chunksById, filteredSources, statistics, type FoundChunk, type Scope } from './search-sql.ts';
import { terms } from './terms.ts';

export interface SearchQuery {
  query: string;
  mode: 'semantic' | 'hybrid';
  /** 1 to 100. */
  limit: number;
  /** Cosine similarity that a passage found by meaning must have. */
  similarityThreshold?: number | undefined;
  filters?:
    { tags?: string[] | undefined; sources?: string[] | undefined; has_code?: boolean | undefined; kb_id?: string | undefined } | undefined;
  includeCodeExamples?: boolean | undefined;
}

export interface SearchAnswer {
  hits: SearchHit[];
  warnings: string[];
}

const maxQuery = 10_000;
/** How long a query waits for its vector before words alone must do, in ms. */
const embedWithin = 5_000;
/** Candidates of each method; fusion takes a dense list's last as its zero. */
const depth = 100;

/** Passages by words (BM25) and by meaning (vectors), in one consistent view of the tenant's documents. */
export class KnowledgeSearch {
  private readonly db: Database;
  private readonly embedder: Embedder | null;
  private readonly vectors: VectorStore;

  constructor(db: Database, embedder: Embedder | null, vectors: VectorStore) {
    this.db = db;
    this.embedder = embedder;
    this.vectors = vectors;
  }

  /** @throws AppError VALIDATION_ERROR (empty or over-long query), NOT_FOUND (knowledge base) */
  async chunks(tenant: string, wanted: SearchQuery): Promise<SearchAnswer> {
    const text = wanted.query.trim();
    if (text === '') throw new AppError('VALIDATION_ERROR', 'The query is empty.', { hint: 'Say in a few words what you look for.' });
    if (text.length > maxQuery) {
      throw new AppError('VALIDATION_ERROR', `The query has ${text.length} characters; at most ${maxQuery} are taken.`, {
        hint: 'Ask for the gist of it.',
      });
    }
    const warnings: string[] = [];
    const vector = await this.vectorOf(text, warnings);
    const asked = queryTerms(terms(text));
    const byWordsToo = wanted.mode === 'hybrid' || vector === null;
    if (byWordsToo && asked.size === 0) {
      warnings.push(
        vector
          ? 'The query has only very common words: ranked by meaning alone.'
          : 'The query has only very common words and there is no embedding model: nothing can be found.',
      );
    }

    return await this.db.transaction(async (query) => {
      // One view for all statements: a document replaced in between is found whole, old or new, never twice or not at all.
      await query('set transaction isolation level repeatable read, read only');
      const scope = await this.scopeOf(query, tenant, wanted.filters ?? {});
      if (scope.chunks === 0)
        return { hits: [], warnings: [...warnings, 'Nothing has been ingested here yet: ingest.document.submit does that.'] };
      if (scope.sources?.length === 0) return { hits: [], warnings: [...warnings, 'No source matches the filters.'] };

      const limit = Math.max(depth, wanted.limit);
      const lexical = byWordsToo && asked.size > 0 ? await byWords(query, scope, asked, limit) : { hits: [], idfs: [] };
      const dense = vector ? await this.vectors.nearest({ ...scope, vector, model: this.embedder!.id, limit }, query) : [];
      if (vector && dense.length === 0 && scope.sources === undefined && scope.hasCode === undefined) {
        warnings.push('No passage has a vector of the embedding model in use: ingest the sources again to find them by meaning.');
      }
      const fused =
        vector && wanted.mode === 'semantic'
          ? dense.map(({ id, score }, index): Fused => ({ id, score: Math.max(0, score), dense: { rank: index + 1, score, share: score } }))
          : fuse(lexical.hits, dense, { idfs: lexical.idfs });
      const ranked = aboveThreshold(fused, wanted.similarityThreshold, warnings).slice(0, wanted.limit);
      const found = await chunksById(
        query,
        tenant,
        ranked.map((hit) => hit.id),
      );
      return { hits: ranked.flatMap((hit) => view(hit, found.get(hit.id), wanted.includeCodeExamples ?? false)), warnings };
    });
  }

  private async vectorOf(text: string, warnings: string[]): Promise<Float32Array | null> {
    if (!this.embedder) {
      warnings.push('No embedding model is at hand: searched by words only.');
      return null;
    }
    try {
      const [vector] = await this.embedder.embed([text], { priority: 'query', signal: AbortSignal.timeout(embedWithin) });
      return vector ?? null;
    } catch (error) {
      const why = error instanceof AppError ? error.message : 'it did not answer in time.';
      warnings.push(`The embedding model cannot be used just now, so this was searched by words only: ${why}`);
      return null;
    }
  }

  private async scopeOf(query: Database['query'], tenant: string, filters: NonNullable<SearchQuery['filters']>): Promise<Scope> {
    const known = await bases(query, tenant);
    const open = known.filter((base) => !base.id.startsWith('_'));
    const chosen = filters.kb_id === undefined ? open : known.filter((base) => base.id === filters.kb_id);
    if (chosen.length === 0 && filters.kb_id !== undefined && filters.kb_id !== defaultBase) {
      throw new AppError('NOT_FOUND', `There is no knowledge base "${filters.kb_id}".`, {
        hint:
          open.length > 0
            ? `Knowledge bases: ${open
                .map((base) => base.id)
                .slice(0, 20)
                .join(', ')}.`
            : 'Nothing has been ingested yet.',
        alternatives: open.map((base) => base.id).slice(0, 20),
      });
    }
    const scopes = chosen.map((base) => base.scope);
    const tags = filters.tags ?? [];
    const ids = filters.sources ?? [];
    const sources = tags.length > 0 || ids.length > 0 ? await filteredSources(query, tenant, scopes, tags, ids) : undefined;
    return { tenant, scopes, ...(await statistics(query, tenant, scopes)), sources, hasCode: filters.has_code };
  }
}

/** SPEC G75. What was found by its words stays: no cosine speaks against it. */
function aboveThreshold(hits: Fused[], threshold: number | undefined, warnings: string[]): Fused[] {
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

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function view(hit: Fused, chunk: FoundChunk | undefined, withCode: boolean): SearchHit[] {
  if (!chunk) return [];
  return [
    {
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
        },
      },
      ...(withCode ? { code_examples: chunk.code_blocks } : {}),
    },
  ];
}
