/** Outgoing requests of a run: sources, pages, messages to readers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Harvested } from '../../../contracts/activities/feeds/brief.ts';
import type { JobRef } from '../../../contracts/activities/kernel/jobs.ts';
import { AppError } from '../../../contracts/errors.ts';
import { firstCharacters, plain } from '../plain.ts';
import { keyOf, type Gathered } from './articles.ts';
import { dailyOf } from './spec.ts';
import type { StageDeps } from './stages.ts';

/** Total time of a source for all attempts, in ms: two hundred sources, some unresponsive, are read in half a minute. */
export const sourceBudget = 31_000;
/** Timeout of one fetch: shorter, so that the fetch itself reports the error and its source records it. */
const feedBudget = 28_000;
const mostAttempts = 3;
const firstPause = 1_000;
/** Minimum remaining time for another attempt. */
const worthTrying = 10_000;
const articlesEach = 100;
const longestContent = 20_000;
const longestSource = 200;
const pageBudget = 25_000;

/**
 * Reads one source. Its failure is recorded and does not affect the others.
 * @throws errors that are not the source's fault; the signal's reason
 */
export async function harvestSource(deps: StageDeps, job: JobRef, feedId: string, signal: AbortSignal): Promise<Harvested> {
  const { tenant } = job;
  const { spec } = await dailyOf(deps.db, job);
  const run = { tenant, runId: spec.run_id };
  const started = performance.now();
  const until = Date.now() + sourceBudget;
  const budget = AbortSignal.any([signal, AbortSignal.timeout(sourceBudget)]);
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await read(deps, tenant, feedId, budget).catch((error: unknown) => {
      signal.throwIfAborted();
      if (budget.aborted) return new AppError('TIMEOUT', `The source did not answer within ${sourceBudget / 1_000} s.`);
      if (error instanceof AppError) return error;
      throw error;
    });
    const source = { feed_id: feedId, attempts, duration_ms: Math.round(performance.now() - started) };
    if (!(outcome instanceof AppError)) {
      const found = outcome.filter((each) => isWithin(each, spec));
      await deps.articles.keep(run, feedId, found);
      await deps.articles.note(run, { ...source, ok: true, articles: found.length, error: null });
      return { ok: true, articles: found.length };
    }
    const { code, message, retryable, retryAfterSeconds } = outcome;
    const wait = retryAfterSeconds === undefined ? firstPause * 2 ** (attempts - 1) : retryAfterSeconds * 1_000;
    if (!retryable || code === 'TIMEOUT' || attempts >= mostAttempts || Date.now() + wait + worthTrying > until) {
      // If Postgres is unavailable this fails too, and the source is retried.
      await deps.articles.note(run, { ...source, ok: false, articles: 0, error: { code, message } });
      return { ok: false, articles: 0 };
    }
    await pause(wait, undefined, { signal });
  }
}

async function read({ feeds }: StageDeps, tenant: string, feedId: string, signal: AbortSignal): Promise<Gathered[]> {
  const source = await feeds.sources.get(tenant, feedId);
  const titled = (url: string, own = ''): string =>
    source.title || firstCharacters(own, longestSource) || new URL(url).hostname.replace(/^www\./, '');
  if (source.kind === 'api') {
    const { articles } = await feeds.api.fetch(tenant, feedId, { signal });
    return articles.flatMap((each) => gathered(each, each.source ?? titled(each.url), each.content_snippet));
  }
  const { articles, feed_title } = await feeds.rss.fetch(tenant, feedId, { maxArticles: articlesEach, timeoutMs: feedBudget, signal });
  return articles.flatMap((each) =>
    gathered(each, titled(each.url, feed_title), each.raw_content === null ? each.content_snippet : plain(each.raw_content)),
  );
}

function gathered(
  article: { title: string; url: string; summary: string; published_at: string | null; categories: string[] },
  source: string,
  content: string,
): Gathered[] {
  const key = keyOf(article.url);
  const { title, url, published_at, categories } = article;
  const summary = article.summary || firstCharacters(content, 500);
  return key === null || title === ''
    ? []
    : [{ key, url, title, summary, content: firstCharacters(content, longestContent), source, published_at, categories }];
}

const isWithin = ({ published_at }: Gathered, { from, until }: { from: string; until: string }): boolean =>
  published_at === null || (Date.parse(published_at) >= Date.parse(from) && Date.parse(published_at) <= Date.parse(until));

/**
 * The page of an article with only a snippet in the feed.
 * @returns false when it could not be read: then the snippet is used
 */
export async function fetchPage(deps: StageDeps, job: JobRef, key: string, signal: AbortSignal): Promise<boolean> {
  const { tenant } = job;
  const { spec } = await dailyOf(deps.db, job);
  const run = { tenant, runId: spec.run_id };
  const article = await deps.articles.one(run, key);
  if (!article || article.page) return article !== null;
  const budget = AbortSignal.any([signal, AbortSignal.timeout(pageBudget)]);
  try {
    const { content } = await deps.feeds.webpages.fetch(article.url, { extractContent: true, extractMetadata: false, signal: budget });
    // A consent or payment page has less text than the feed.
    const text = content && content.length > article.content.length ? firstCharacters(content, longestContent) : null;
    await deps.articles.page(run, key, text);
    return text !== null;
  } catch (error) {
    signal.throwIfAborted();
    if (!budget.aborted && !(error instanceof AppError)) throw error;
    await deps.articles.page(run, key, null);
    return false;
  }
}
