import type { Database } from '../../adapters/postgres/database.ts';
import { currentScope } from '../../adapters/postgres/tenancy.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import type { SearchHit } from '../../contracts/knowledge/knowledge.ts';
import { AnswerCache, cacheKey, Versions, type CacheSettings } from './cache.ts';
import type { Fused } from '../../engines/retrieval/fusion.ts';
import { describes } from '../../engines/retrieval/phrasing.ts';
import { queryTerms, queryText } from './rules.ts';
import { furtherRounds } from './search-further.ts';
import type { GraphDeps, GraphNode } from './search-graph.ts';
import { formerLikes, mergedNear, OneModel } from './search-models.ts';
import { Reasons } from './search-reasons.ts';
import { rerankHits, type RerankWish } from './search-rerank.ts';
import { postingRows, scopeOf, type SearchFilters, type WordSearch } from './search-scope.ts';
import { chunksById, type FoundChunk, type Scope } from './search-sql.ts';
import { aboveThreshold, matchesIn, sourceOf, viewOf, type RankedHit } from './search-view.ts';
import { fusedByBoth } from './search-widen.ts';
import { terms } from '../../engines/retrieval/terms.ts';
import type { Trajectories } from './trajectories.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Service } from '../kernel/service.ts';

export interface SearchQuery extends RerankWish {
  query: string;
  mode: 'semantic' | 'hybrid';
  /** Searches by one method only, e.g. for measurements. `dense` is the same as `mode: semantic`. */
  only?: 'lexical' | 'dense' | undefined;
  /** 1 to 100. */
  limit: number;
  /** Minimum cosine similarity of a passage found by meaning. */
  similarityThreshold?: number | undefined;
  filters?: SearchFilters | undefined;
  includeCodeExamples?: boolean | undefined;
  /** Marks the query's words in the passages. */
  includeMatches?: boolean | undefined;
  /**
   * Whether a second round follows names and titles to further passages. Default: decided for each query
   * (search-second.ts). True also returns graph nodes.
   */
  includeGraph?: boolean | undefined;
}

/** The caller: then the answer has a trajectory. */
export interface AskedBy {
  principal: string;
  toolCallId?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** Only if requested. */
  nodes?: GraphNode[];
  warnings: string[];
  /** A second round was made. */
  followed: boolean;
  /** From the cache: nothing that it covers has changed. */
  cached: boolean;
  trajectoryId?: string;
}

export interface SearchDeps extends GraphDeps {
  trajectories: Trajectories;
  /** Default: the posting rows themselves. */
  words?: WordSearch | undefined;
  /** Null: answers are not cached. */
  cache: CacheSettings | null;
}

/** An answer without the passages, which are read again. */
interface Ranking {
  ranked: RankedHit[];
  warnings: string[];
  reasons: Pick<Reasons, 'plan' | 'steps'>;
}

interface Answered extends Ranking {
  chunks: ReadonlyMap<string, FoundChunk>;
  /** Null: must not be cached. */
  version: string | null;
  /** Of a second round; undefined: there was none. */
  nodes?: GraphNode[] | undefined;
  trajectoryId?: string;
}

/** How long a query waits for its vector before it is searched by words only, in ms. */
const embedWithin = 5_000;
/** Candidates per method; fusion uses the last of the dense list as zero. */
const depth = 100;
/** Passages that a reranker reads. */
const rerankDepth = 50;

/** Passages by words (BM25) and by meaning (vectors), in one consistent view of the tenant's documents. */
export class KnowledgeSearch extends Service<'embedder' | 'vectors' | 'reranker', SearchDeps & Partial<Pick<Kernel, 'formerEmbedders'>>> {
  private readonly cache: AnswerCache<Ranking & { trajectoryId?: string }> | null =
    this.deps.cache && new AnswerCache(this.deps.cache, ({ ranked }) => 2_000 + 500 * ranked.length);

  private readonly versions = new Versions();
  private readonly oneModel = new OneModel();

  /** @throws AppError VALIDATION_ERROR (empty or over-long query), NOT_FOUND (knowledge base) */
  async chunks(tenant: string, wanted: SearchQuery, by?: AskedBy): Promise<SearchAnswer> {
    const text = queryText(wanted.query);
    // The graph changes without changes of documents, so answers with the graph are not cached (`find` gives them no
    // version). Answers for a restricted scope are not shared.
    const cache = wanted.includeGraph || currentScope() ? null : this.cache;
    const key = cache ? this.keyOf(tenant, text, wanted) : '';
    const again = cache ? await this.again(tenant, key, wanted) : null;
    const answered = again ?? (await this.find(tenant, text, wanted, by?.signal));

    const { plan, steps } = answered.reasons;
    const warnings = [...answered.warnings];
    const since = again
      ? [
          {
            thought: 'The same was asked before and nothing it covers has changed since: the ranking was kept.',
            ...(again.trajectoryId ? { data: { first_trajectory_id: again.trajectoryId } } : {}),
          },
        ]
      : [];
    const pairs = answered.ranked.flatMap((hit) => {
      const chunk = answered.chunks.get(hit.id);
      return chunk ? [{ hit, chunk }] : [];
    });
    const trajectoryId = by
      ? this.deps.trajectories.note(tenant, {
          kind: 'retrieval',
          query: text,
          plan,
          steps: [...since, ...steps],
          sources: pairs.map(({ hit, chunk }) => sourceOf(hit, chunk)),
          principal: by.principal,
          toolCallId: by.toolCallId,
        })
      : undefined;
    if (!again && cache && answered.version !== null) {
      const { ranked, warnings, reasons } = answered;
      cache.set(key, answered.version, { ranked, warnings, reasons, ...(trajectoryId ? { trajectoryId } : {}) });
    }
    return {
      hits: pairs.map(({ hit, chunk }) => ({
        ...viewOf(hit, chunk, wanted.includeCodeExamples ?? false),
        ...(wanted.includeMatches ? { matches: matchesIn(chunk.body, text) } : {}),
      })),
      ...(wanted.includeGraph ? { nodes: answered.nodes ?? [] } : {}),
      warnings,
      followed: answered.nodes !== undefined,
      cached: again !== null,
      ...(trajectoryId ? { trajectoryId } : {}),
    };
  }

  /** The indexes in memory cover the whole tenant; a restricted scope is searched in the rows. */
  private words(): WordSearch {
    return currentScope() ? postingRows : (this.deps.words ?? postingRows);
  }

  private keyOf(
    tenant: string,
    text: string,
    { query: _, includeCodeExamples: __, includeMatches: ___, ...parameters }: SearchQuery,
  ): string {
    return cacheKey(tenant, text, { ...parameters, vectors: this.modelId(), rerankedBy: this.deps.reranker?.id ?? null });
  }

  /** Null when there is no usable model; `find` then adds a warning. */
  private modelId(): string | null {
    try {
      return this.deps.embedder?.id ?? null;
    } catch {
      return null;
    }
  }

  /** The cached ranking, if it is still valid. Titles, tags and links are read again. */
  private async again(tenant: string, key: string, wanted: SearchQuery): Promise<Answered | null> {
    const kept = this.cache?.get(key);
    if (!kept) return null;
    return await this.inSnapshot(async (query) => {
      const scope = await scopeOf(query, tenant, wanted.filters ?? {}, this.words());
      if ((await this.version(query, scope)) !== kept.version) {
        this.cache?.delete(key);
        return null;
      }
      const ids = kept.answer.ranked.map((hit) => hit.id);
      const chunks = await chunksById(query, tenant, ids);
      return ids.every((id) => chunks.has(id)) ? { ...kept.answer, chunks, version: kept.version } : null;
    });
  }

  private async version(query: Database['query'], scope: Scope): Promise<string | null> {
    const settled = scope.seen?.map((seen) => seen.settled);
    const version = await this.versions.of(query, scope.tenant, scope.scopes, settled);
    // Tags change without changes of documents. Hashed, because filters may match many sources.
    return version === null ? null : `${version} ${scope.sources ? hashOf(scope.sources.toSorted()) : '*'}`;
  }

  /** @param others further models of which passages have vectors: the search begins anew if it meets any */
  private async find(
    tenant: string,
    text: string,
    wanted: SearchQuery,
    signal: AbortSignal | undefined,
    others: string[] = [],
  ): Promise<Answered> {
    const warnings: string[] = [];
    const reasons = new Reasons();
    const asked = queryTerms(terms(text));
    const own = wanted.only === 'lexical' ? null : await this.vectorOf(text, describes(text, asked.size), warnings);
    // While the model is changed, passages have vectors of one model or the other.
    const changing = warnings.length;
    const former = others.length > 0 ? await formerLikes(this.deps, tenant, text, others, warnings) : [];
    const like = own ? { vector: own, model: this.deps.embedder!.id } : (former.shift() ?? null);
    const vector = like?.vector ?? null;
    /** Temporarily degraded, or dependent on the graph: do not cache. */
    let passing = wanted.only !== 'lexical' && (warnings.length > changing || (own === null && this.deps.embedder !== null));
    const semantic = wanted.mode === 'semantic' || wanted.only === 'dense';
    const wordsToo = !semantic || vector === null;
    if (wordsToo && asked.size === 0) {
      warnings.push(
        vector
          ? 'The query has only very common words: ranked by meaning alone.'
          : 'The query has only very common words and there is no embedding model: nothing can be found.',
      );
    }

    const candidates = await this.inSnapshot(async (query) => {
      const scope = await scopeOf(query, tenant, wanted.filters ?? {}, this.words());
      reasons.scope(scope, wanted.filters ?? {});
      const version = await this.version(query, scope);
      const nothing = { ranked: [], chunks: new Map<string, FoundChunk>(), version, nodes: undefined };
      if (scope.chunks === 0) {
        warnings.push('Nothing has been ingested here yet: ingest.document.submit does that.');
        return nothing;
      }
      if (scope.sources?.length === 0) {
        warnings.push('No source matches the filters.');
        return nothing;
      }
      const model = wanted.only === 'lexical' || others.length > 0 ? null : this.modelId();
      const met = model === null ? [] : await this.oneModel.others(query, tenant, model, currentScope() ? null : version);
      if (met.length > 0) return met;
      const limit = Math.max(depth, wanted.limit);
      const lexical = wordsToo && asked.size > 0 ? await this.words().search(query, scope, asked, limit) : { hits: [], idfs: [] };
      if (wordsToo && asked.size > 0) reasons.byWords(asked, lexical.hits);
      let dense = like ? await this.deps.vectors.nearest({ ...scope, ...like, limit }, query) : [];
      for (const each of former) dense = mergedNear(dense, await this.deps.vectors.nearest({ ...scope, ...each, limit }, query), limit);
      if (like) reasons.byMeaning([like, ...former].map(({ model }) => model).join(', '), dense);
      if (vector && dense.length === 0 && scope.sources === undefined && scope.hasCode === undefined) {
        warnings.push(
          'No passage has a vector of the embedding model in use: ingest.pipeline.run makes them, or ingest the sources again.',
        );
        passing = true;
      }
      const narrowed = semantic || wanted.only !== undefined || wanted.similarityThreshold !== undefined;
      const fused = wordsToo
        ? await fusedByBoth(this.words(), query, scope, { terms: asked, lexical, dense }, { limit, narrowed, reasons })
        : dense.map(alone);
      const kept = aboveThreshold(fused, wanted.similarityThreshold, warnings);
      if (wanted.similarityThreshold !== undefined) reasons.threshold(wanted.similarityThreshold, kept.length, fused.length);
      const first = { text, like, terms: asked, lexical, ranked: kept, narrowed, includeGraph: wanted.includeGraph };
      const { ranked: all, linked } = await furtherRounds(this.deps, query, scope, first, { warnings, reasons });
      passing ||= linked !== null;
      const ranked = all.slice(0, wanted.rerank ? Math.max(rerankDepth, wanted.limit) : wanted.limit);
      const chunks = await chunksById(
        query,
        tenant,
        ranked.map((hit) => hit.id),
      );
      if (linked) reasons.linked(linked, ranked, chunks);
      return { ranked, chunks, version, nodes: linked?.nodes };
    });
    if (Array.isArray(candidates)) return await this.find(tenant, text, wanted, signal, candidates);
    const { chunks } = candidates;
    const reranked = wanted.rerank
      ? await rerankHits(this.deps.reranker, text, candidates.ranked, chunks, wanted, { warnings, reasons, signal })
      : { ranked: candidates.ranked, failed: false };
    passing ||= reranked.failed;
    const ranked = reranked.ranked.slice(0, wanted.limit);
    reasons.returned(ranked.length, ranked[0]?.score);
    return { ranked, chunks, warnings, reasons, version: passing ? null : candidates.version, nodes: candidates.nodes };
  }

  private async vectorOf(text: string, instruct: boolean, warnings: string[]): Promise<Float32Array | null> {
    if (!this.deps.embedder) {
      warnings.push('No embedding model is available: searched by words only.');
      return null;
    }
    try {
      const options = { priority: 'query', as: 'query', instruct, signal: AbortSignal.timeout(embedWithin) } as const;
      const [vector] = await this.deps.embedder.embed([text], options);
      return vector ?? null;
    } catch (error) {
      const why = error instanceof AppError ? error.message : 'it did not answer in time.';
      warnings.push(`The embedding model cannot be used at the moment, so this was searched by words only: ${why}`);
      return null;
    }
  }

  /**
   * One snapshot for all statements: a document replaced meanwhile is found in its old or new version, never twice or
   * partly.
   */
  private inSnapshot<T>(work: (query: Database['query']) => Promise<T>): Promise<T> {
    return this.db.transaction(work, { snapshot: true });
  }
}

/** Found by meaning only: the cosine is the score. */
const alone = ({ id, score }: { id: string; score: number }, index: number): Fused => ({
  id,
  score: Math.max(0, score),
  dense: { rank: index + 1, score, share: score },
});
