import type { FeedArticles } from '../../adapters/feeds/types.ts';
import { rssFeedSettings, type FeedArticle } from '../../contracts/feeds/feeds.ts';
import { withoutValues } from '../governance/index.ts';
import { fetchFailure } from './fetch-failures.ts';
import { filled } from './references.ts';
import type { SourceRow } from './source-rows.ts';
import type { Sources } from './sources.ts';
import { Service } from '../kernel/service.ts';

export interface RssFetched {
  feed_id: string;
  feed_url: string;
  /** The feed's own title; '' if it has none. */
  feed_title: string;
  /** ISO 8601, UTC. */
  fetched_at: string;
  article_count: number;
  articles: FeedArticle[];
  /** The site reported no change: these are the articles of the last fetch. */
  unchanged: boolean;
  warnings: string[];
}

export interface RssOptions {
  maxArticles?: number | undefined;
  /** Total timeout; default as of `RssFeeds`. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Maximum per fetch, and maximum stored for unchanged feeds. */
export const mostArticles = 500;
/** A longer copy is not stored: such a feed is always fetched completely. In characters of JSON. */
const longestCopy = 8_000_000;
const accept =
  'application/atom+xml, application/rss+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** RSS, Atom, RDF, CDF and JSON Feed. */
export class RssFeeds extends Service<'web' | 'feedReader', { sources: Sources }> {
  /** Total timeout in ms. */
  timeoutMs = 30_000;

  /**
   * The articles of a feed, in its order. A conditional request: an unchanged feed costs almost nothing.
   * @throws AppError NOT_FOUND (unknown), VALIDATION_ERROR (not an RSS source), CONFLICT (switched off),
   * RATE_LIMIT_EXCEEDED with `retryAfterSeconds`, TIMEOUT with `details.timeout_seconds`; SERVICE_UNAVAILABLE when
   * the site or its content is at fault: `details.reason` as of `WebClient.fetch` and `FeedReader.articles`,
   * `details.http_status` where it answered
   */
  async fetch(
    tenant: string,
    feedId: string,
    { maxArticles = 50, timeoutMs = this.timeoutMs, signal }: RssOptions = {},
  ): Promise<RssFetched> {
    const source = await this.deps.sources.fetchable(tenant, feedId, 'rss');
    const credentials = this.deps.sources.credentialsOf(source);
    try {
      const { feed, unchanged, moved } = await this.read(tenant, source, credentials, timeoutMs, signal);
      const articles = feed.articles
        .slice(0, maxArticles)
        .map((each) => (each.categories.length > 0 ? each : { ...each, categories: source.categories }));
      return {
        feed_id: feedId,
        feed_url: source.url,
        feed_title: feed.title,
        fetched_at: new Date().toISOString(),
        article_count: articles.length,
        articles,
        unchanged,
        warnings: [...(moved === undefined ? [] : [`The feed has moved for good to ${moved}: save that as its url.`]), ...feed.warnings],
      };
    } catch (error) {
      signal?.throwIfAborted();
      const failure = fetchFailure(error, feedId, timeoutMs);
      if (!failure) throw error;
      const told = withoutValues(failure.error, Object.values(credentials));
      await this.deps.sources.recordFailure(tenant, source, { ...failure, message: told.message });
      throw told;
    }
  }

  private async read(
    tenant: string,
    source: SourceRow,
    credentials: Record<string, string>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<{ feed: FeedArticles; unchanged: boolean; moved: string | undefined }> {
    const { headers, query } = rssFeedSettings.parse(source.settings);
    const url = new URL(source.url);
    for (const [name, value] of Object.entries(filled(query, credentials))) url.searchParams.set(name, value);
    const copy = source.etag === null && source.last_modified === null ? undefined : await this.copyOf(tenant, source.feed_id);
    const { etag, last_modified: lastModified } = source;
    // The new address is stored only if all redirects so far were permanent.
    let forGood = true;
    let moved: string | undefined;
    const answer = await this.deps.web.fetch(url.href, {
      signal,
      timeoutMs,
      oneTimeout: true,
      accept,
      headers: filled(headers, credentials),
      ...(copy && etag !== null ? { etag } : {}),
      ...(copy && lastModified !== null ? { lastModified } : {}),
      onRedirect(to, status) {
        forGood &&= status === 301 || status === 308;
        if (forGood) moved = to.href;
      },
    });
    if (answer.status === 304 && copy) {
      const marks = { etag: answer.etag ?? etag ?? undefined, lastModified: answer.lastModified ?? lastModified ?? undefined };
      await this.deps.sources.recordFetch(tenant, source, { status: 304, ...marks });
      return { feed: copy, unchanged: true, moved };
    }
    const feed = await this.deps.feedReader.articles(answer, mostArticles);
    const json = JSON.stringify(feed);
    const keeps = (answer.etag !== undefined || answer.lastModified !== undefined) && json.length <= longestCopy;
    await this.deps.sources.recordFetch(tenant, source, {
      status: answer.status,
      ...(keeps ? { etag: answer.etag, lastModified: answer.lastModified, copy: json } : {}),
    });
    return { feed, unchanged: false, moved };
  }

  private async copyOf(tenant: string, feedId: string): Promise<FeedArticles | undefined> {
    const [row] = await this.db.query<{ articles: FeedArticles }>(
      'select articles from feed_copies where tenant_id = $1 and feed_id = $2',
      [tenant, feedId],
    );
    return row?.articles;
  }
}
