import type { Fetched } from '../../adapters/web/types.ts';
import { AppError } from '../../contracts/errors.ts';
import type { ApiFeedSettings } from '../../contracts/feeds/feed-settings.ts';
import type { ApiArticle } from '../../contracts/feeds/feeds.ts';
import { canonicalAddress } from './addresses.ts';
import { mapArticles, type Defaults } from './api-mapping.ts';
import { resolveParams } from './api-params.ts';
import { requestOf, type ApiRequest } from './api-request.ts';
import { checkApiSettings } from './api-settings.ts';
import { fetchFailure } from './fetch-failures.ts';
import { valuesAt } from './json-paths.ts';
import type { SourceRow } from './source-rows.ts';
import type { Sources } from './sources.ts';
import { Service } from '../kernel/service.ts';

export interface ApiFetched {
  feed_id: string;
  /** Without its query, which may contain credentials. */
  api_url: string;
  /** ISO 8601, UTC. */
  fetched_at: string;
  article_count: number;
  articles: ApiArticle[];
  /** Items without a title or an http(s) address. */
  skipped: number;
  warnings: string[];
}

const maxBytes = 4_000_000;

/** JSON APIs, read according to their source's settings (contracts/feeds/feed-settings.ts). */
export class ApiFeeds extends Service<'web', { sources: Sources }> {
  /**
   * Fetches articles from an API. If a later page fails, the earlier pages count, with a warning.
   * @param params the parameters declared under `settings.params`
   * @throws AppError NOT_FOUND (unknown), VALIDATION_ERROR (other kind, settings, parameters), CONFLICT (switched
   * off), FORBIDDEN when the API refuses the credentials, RATE_LIMIT_EXCEEDED with `retryAfterSeconds`, TIMEOUT with
   * `details.timeout_seconds`; SERVICE_UNAVAILABLE when the API or its answer is at fault, with `details.reason` and,
   * where it answered, `details.http_status`
   */
  async fetch(
    tenant: string,
    feedId: string,
    { params = {}, signal }: { params?: Record<string, unknown> | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ApiFetched> {
    const source = await this.deps.sources.fetchable(tenant, feedId, 'api');
    const settings = checkApiSettings(source.url, source.settings);
    const request = requestOf(
      source.url,
      settings,
      resolveParams(settings.params, params, Date.now()),
      this.deps.sources.credentialsOf(source),
    );
    try {
      const fetched = await this.pages(source, settings, request, signal);
      await this.deps.sources.recordFetch(tenant, source, { status: 200 });
      return fetched;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = fetchFailure(error, feedId, settings.timeout_seconds * 1000);
      if (failure === undefined) throw error;
      const known = failure.status === 401 || failure.status === 403 ? notAccepted(feedId, failure.status, error) : failure.error;
      await this.deps.sources.recordFailure(tenant, source, { ...failure, message: known.message });
      throw known;
    }
  }

  private async pages(
    source: SourceRow,
    settings: ApiFeedSettings,
    request: ApiRequest,
    signal: AbortSignal | undefined,
  ): Promise<ApiFetched> {
    const ends = performance.now() + settings.timeout_seconds * 1000;
    const defaults: Defaults = { source: source.title || null, categories: source.categories };
    const address = request.url.origin + request.url.pathname;
    const articles = new Map<string, ApiArticle>();
    const warnings: string[] = [];
    let [skipped, items] = [0, 0];
    let cursor: string | undefined;
    for (let page = 0; page < (settings.paging?.max_pages ?? 1); page += 1) {
      const asked = onPage(request, settings, { page, items, cursor });
      let answer: unknown;
      try {
        answer = await this.ask(asked, Math.max(1, ends - performance.now()), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (page === 0 || !(error instanceof AppError)) throw error;
        warnings.push(`Page ${page + 1} could not be fetched (${error.message}): these are the articles of the pages before it.`);
        break;
      }
      const mapped = mapArticles(answer, settings, address, defaults);
      const known = articles.size;
      for (const article of mapped.articles) articles.set(canonicalAddress(article.url) ?? article.url, article);
      items += mapped.items;
      skipped += mapped.skipped;
      if (page === 0 && mapped.items === 0) warnings.push(...nothingFound(settings.items, answer));
      cursor = settings.paging?.kind === 'cursor' ? cursorOf(settings.paging.next, answer) : undefined;
      // A page without new articles is the last one, or the API ignores the parameter.
      if (articles.size === known || articles.size >= settings.max_articles) break;
      if (settings.paging?.kind === 'cursor' && cursor === undefined) break;
    }
    if (skipped > 0) warnings.push(`${skipped} of ${items} items have no title or no http(s) address and were left out.`);
    const found = [...articles.values()].slice(0, settings.max_articles);
    return {
      feed_id: source.feed_id,
      api_url: address,
      fetched_at: new Date().toISOString(),
      article_count: found.length,
      articles: found,
      skipped,
      warnings,
    };
  }

  private async ask({ url, method, headers, body }: ApiRequest, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const fetched: Fetched = await this.deps.web.fetch(url.href, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      accept: 'application/json',
      maxBytes,
      timeoutMs,
      oneTimeout: true,
      signal,
    });
    try {
      return JSON.parse(new TextDecoder().decode(fetched.bytes)) as unknown;
    } catch (error) {
      throw new AppError('VALIDATION_ERROR', `${url.host} answers ${fetched.mediaType} that is not JSON.`, {
        hint: 'Check the address of the source; a web page or an RSS feed is fetched with another tool.',
        details: { reason: 'not_json', status: fetched.status },
        cause: error,
      });
    }
  }
}

/** The request of one page. */
function onPage(
  request: ApiRequest,
  { paging }: ApiFeedSettings,
  at: { page: number; items: number; cursor: string | undefined },
): ApiRequest {
  if (!paging) return request;
  const value = { page: paging.kind === 'page' ? paging.start + at.page : 0, offset: at.items, cursor: at.cursor }[paging.kind];
  if (value === undefined) return request;
  if (request.body !== undefined) {
    return { ...request, body: JSON.stringify({ ...(JSON.parse(request.body) as Record<string, unknown>), [paging.param]: value }) };
  }
  const url = new URL(request.url);
  url.searchParams.set(paging.param, String(value));
  return { ...request, url };
}

function cursorOf(path: string, answer: unknown): string | undefined {
  const [value] = valuesAt(path, answer, 1);
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;
}

/** Names only: the values belong to the API. */
function nothingFound(path: string, answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [`Nothing stands at ${path}.`];
  const names = Object.keys(answer)
    .slice(0, 10)
    .map((name) => name.slice(0, 50));
  return Array.isArray(answer)
    ? [`There is nothing at ${path}; the answer is a list.`]
    : [`Nothing stands at ${path}; the answer has ${names.join(', ')}.`];
}

const notAccepted = (feedId: string, status: number, cause: unknown): AppError =>
  new AppError('FORBIDDEN', `The API of "${feedId}" did not accept the credentials (HTTP ${status}).`, {
    hint: 'Save the source again with valid credentials (feed.source.save).',
    details: { reason: 'upstream_authentication', feed_id: feedId, http_status: status },
    cause,
  });
