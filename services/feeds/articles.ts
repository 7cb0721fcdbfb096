import type { Row } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { KeptArticle } from '../../contracts/feeds/feeds.ts';
import type { GivenItem } from '../knowledge/index.ts';
import { keysetPage, matching, newest, type Page, type Paging } from '../kernel/paging.ts';
import { Service } from '../kernel/service.ts';
import { readArticles, type Refused, type ReadyArticle } from './articles-check.ts';
import { hasWords, wordsOf } from '../kernel/words.ts';

export interface StoreOutcome {
  run_id: string;
  /** Written now. */
  stored_count: number;
  failed_count: number;
  failed: Refused[];
  storage_stats: {
    /** Rows written. */
    writes: number;
    /** Known before, or repeated in the call. */
    duplicates_skipped: number;
    latency_ms: number;
  };
  /** Ids of the new articles, unordered. */
  stored_ids: string[];
}

export interface ArticleFilter {
  runId?: string | undefined;
  sourceId?: string | undefined;
  /** ISO 8601; the publication time, or, if unknown, the time of storing. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Words that must all occur in title or summaries. */
  q?: string | undefined;
  /** 0 to 10; articles without a score never match. */
  minRelevance?: number | undefined;
}

/** Articles with contents read per query. */
const slice = 100;

/** Stored articles: one per canonical address in a tenant (addresses.ts). */
export class Articles extends Service {
  /**
   * Stores new articles; known ones stay unchanged. Each is validated separately: failures are reported and do not
   * affect the others. One statement, in the order of ids, so that concurrent callers do not deadlock.
   * @throws AppError VALIDATION_ERROR with `details.failed_urls` when none was valid or known
   */
  async store(tenant: string, runId: string, given: readonly unknown[], by = 'signalbox'): Promise<StoreOutcome> {
    const started = performance.now();
    const { ready, refused, repeated } = readArticles(tenant, given);
    const written = ready.length > 0 ? await this.write(tenant, runId, ready, by) : [];
    if (ready.length === 0 && refused.length > 0) throw noneStored(runId, refused);
    return {
      run_id: runId,
      stored_count: written.length,
      failed_count: refused.length,
      failed: refused,
      storage_stats: {
        writes: written.length,
        duplicates_skipped: ready.length - written.length + repeated,
        latency_ms: Math.round((performance.now() - started) * 10) / 10,
      },
      stored_ids: written,
    };
  }

  private async write(tenant: string, runId: string, articles: ReadyArticle[], by: string): Promise<string[]> {
    const rows = await this.db.query<{ id: string }>(
      `insert into articles (tenant_id, run_id, stored_by, id, canonical_url, url, title, source_id, published_at, summary, content,
         ai_summary, ai_tags, relevance_score, categories)
       select $1, $2, $3, a.id, a.canonical_url, a.url, a.title, a.source_id, a.published_at, a.summary, a.content, a.ai_summary, a.ai_tags,
         a.relevance_score, a.categories
       from json_to_recordset($4::json) as a(id text, canonical_url text, url text, title text, source_id text, published_at timestamptz,
         summary text, content text, ai_summary text, ai_tags text[], relevance_score double precision, categories text[])
       order by a.id
       on conflict (tenant_id, id) do nothing returning id`,
      [tenant, runId, by, JSON.stringify(articles)],
    );
    return rows.map((row) => row.id);
  }

  /**
   * Stored articles as contents for the knowledge base, each under its canonical address: unchanged ones cost almost
   * nothing.
   */
  async *contents(tenant: string, filter: Pick<ArticleFilter, 'runId' | 'sourceId'>): AsyncGenerator<GivenItem> {
    let cursor: string | undefined;
    do {
      const page = await this.list(tenant, filter, { limit: slice, cursor, withContent: true });
      yield* page.items.map(contentOf);
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** The newest first. @throws AppError VALIDATION_ERROR for a cursor of another list */
  async list(
    tenant: string,
    filter: ArticleFilter,
    { withContent = false, ...paging }: Paging & { withContent?: boolean | undefined },
  ): Promise<Page<KeptArticle>> {
    const list = {
      select: `${columns}${withContent ? ', a.content' : ''}`,
      from: 'articles a',
      ...matching({
        'a.tenant_id = $': tenant,
        'a.run_id = $': filter.runId,
        'a.source_id = $': filter.sourceId,
        [`${dated} >= $`]: filter.since,
        [`${dated} <= $`]: filter.until,
        [hasWords("a.title || ' ' || a.summary || ' ' || a.ai_summary")]: wordsOf(filter.q, 20),
        'a.relevance_score >= $': filter.minRelevance,
      }),
      order: newest('a.stored_at', 'a.id'),
    };
    return await keysetPage(this.db.query, list, paging, viewOf);
  }
}

interface ArticleRow extends Row {
  id: string;
  canonical_url: string;
  url: string;
  title: string;
  run_id: string;
  source_id: string | null;
  published_at: Date | null;
  summary: string;
  ai_summary: string;
  ai_tags: string[];
  relevance_score: number | null;
  categories: string[];
  stored_at: Date;
  content?: string;
}

const columns = `a.id, a.canonical_url, a.url, a.title, a.run_id, a.source_id, a.published_at, a.summary, a.ai_summary, a.ai_tags,
  a.relevance_score, a.categories, a.stored_at`;

/** The expression of the index `articles_dated`. */
const dated = 'case when a.published_at is null then a.stored_at else a.published_at end';

const viewOf = (row: ArticleRow): KeptArticle => ({
  article_id: row.id,
  title: row.title,
  url: row.url,
  canonical_url: row.canonical_url,
  source_id: row.source_id,
  run_id: row.run_id,
  published_at: row.published_at?.toISOString() ?? null,
  summary: row.summary,
  ai_summary: row.ai_summary,
  ai_tags: row.ai_tags,
  relevance_score: row.relevance_score,
  categories: row.categories,
  stored_at: row.stored_at.toISOString(),
  ...(row.content === undefined ? {} : { content: row.content }),
});

/** The searchable text: the original, else the summaries. */
const contentOf = (article: KeptArticle): GivenItem => ({
  identity: article.canonical_url,
  title: article.title,
  text: [article.title, article.content || article.summary || article.ai_summary].filter(Boolean).join('\n\n'),
  url: article.url,
  tags: [...new Set([...article.categories, ...article.ai_tags])].slice(0, 20),
  metadata: { run_id: article.run_id, source_id: article.source_id, published_at: article.published_at },
});

/** Enough to diagnose a whole batch. */
const mostTold = 100;

const noneStored = (runId: string, refused: Refused[]): AppError =>
  new AppError('VALIDATION_ERROR', `None of the ${refused.length} articles could be stored: ${refused[0]!.reason}.`, {
    hint: 'Each needs a title and an http(s) url; details.failed says what is wrong with which.',
    details: {
      reason: 'none_stored',
      run_id: runId,
      failed_count: refused.length,
      failed_urls: refused.slice(0, mostTold).map((one) => one.url),
      failed: refused.slice(0, mostTold),
    },
  });
