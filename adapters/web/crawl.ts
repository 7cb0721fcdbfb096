/**
 * Crawls a site from one page on, breadth first. Links are followed because the caller requested a depth, never
 * because of a page's text; robots.txt, nofollow and noindex are respected. It can be killed at any step and resumed.
 */
import { AppError } from '../../contracts/errors.ts';
import type { CrawlProfile } from './documents.ts';
import { Frontier } from './frontier.ts';
import { robots as robotsOf, type Robots } from './robots.ts';
import { parseTarget } from './targets.ts';
import type { Fetched, WebClient } from './types.ts';
import { canonicalUrl, siteOf } from './urls.ts';
import { visitor, type Visited } from './visit.ts';

export type { CrawlProfile } from './documents.ts';

/** State of a crawl: JSON, at most about 200 URLs. */
export interface CrawlState {
  /** Keys of the pages that were read or skipped. */
  done: string[];
  queue: { url: string; depth: number }[];
  /** Pages yielded so far. */
  pages: number;
  /** The site of the crawl, after the first page was read. */
  site?: string;
}

export interface CrawlRequest {
  url: string;
  /** Maximum number of links from the first page, 0 to 3. */
  depth: number;
  /** 1 to 50. */
  maxPages: number;
  /** `fast`: HTML and text only, small and fast ones. `thorough`: large files too, with a retry. */
  profile: CrawlProfile;
  signal?: AbortSignal | undefined;
  /** From an earlier step of the same crawl; absent: a new crawl. */
  state?: CrawlState;
  /** To share robots.txt rules between crawls. */
  robots?: Robots;
}

export type SkipCode =
  | 'robots'
  | 'noindex'
  | 'duplicate'
  | 'off_site'
  | 'media_type'
  | 'too_large'
  | 'not_found'
  | 'forbidden'
  | 'refused'
  | 'unavailable'
  | 'given_up';

/** `state` is that after the step: store it after the page. */
export type CrawlStep =
  | { kind: 'page'; url: string; fetched: Fetched; depth: number; state: CrawlState }
  | { kind: 'skipped'; url: string; code: SkipCode; reason: string; depth: number; state: CrawlState };

const maxDepth = 3;
const maxPagesEver = 50;
/** Addresses considered per wanted page, because some are missing, forbidden or not documents. */
const triesPerPage = 4;
/** After this many consecutive failures the site counts as down. */
const failuresInRow = 5;

/**
 * Yields a step for each tried address. The first page's failure is thrown; those of later pages are steps.
 * @throws {AppError} of `WebClient.fetch` for the first page; FORBIDDEN with `details.reason` robots
 */
export async function* crawl(web: WebClient, request: CrawlRequest): AsyncGenerator<CrawlStep, void, void> {
  const { signal } = request;
  // Report an invalid URL before any request; the client checks addresses.
  parseTarget(request.url, true);
  const depthLimit = clamp(request.depth, 0, maxDepth);
  const pageLimit = clamp(request.maxPages, 1, maxPagesEver);
  const state: CrawlState = request.state
    ? structuredClone(request.state)
    : { done: [], queue: [{ url: request.url, depth: 0 }], pages: 0 };
  const frontier = new Frontier(state, pageLimit * triesPerPage);
  const visit = visitor(web, request.robots ?? robotsOf(web), request.profile, signal);
  let failures = 0;

  while (state.queue.length > 0 && state.pages < pageLimit) {
    signal?.throwIfAborted();
    const { url, depth } = state.queue[0]!;
    const isFirst = depth === 0;
    const skip = (code: SkipCode, reason: string, ...alsoAt: string[]): CrawlStep => {
      frontier.finish(url, ...alsoAt);
      return { kind: 'skipped', url, code, reason, depth, state: structuredClone(state) };
    };
    if (failures >= failuresInRow) {
      yield skip('given_up', `Not tried: ${failuresInRow} consecutive pages could not be fetched.`);
      continue;
    }
    let page: Visited;
    try {
      page = await visit({ url, site: isFirst ? undefined : state.site, isDone: (other) => frontier.isDone(other, url) });
      failures = 0;
    } catch (error) {
      signal?.throwIfAborted();
      if (isFirst || !(error instanceof AppError)) throw error;
      failures = error.retryable ? failures + 1 : 0;
      yield skip(codeOf(error), error.message);
      continue;
    }

    const { fetched, links, noindex } = page;
    state.site ??= siteOf(fetched.url);
    const named = canonicalUrl(links?.canonical !== undefined && siteOf(links.canonical) === state.site ? links.canonical : fetched.url);
    if (!isFirst && frontier.isDone(named, url)) {
      yield skip('duplicate', 'The same page was read already.', fetched.url);
      continue;
    }
    if (links !== undefined && !links.nofollow && depth < depthLimit) frontier.add(links.links, depth + 1);
    // The caller's page is read despite noindex; found pages are not.
    if (noindex && !isFirst) {
      yield skip('noindex', 'The page asks not to be indexed.', fetched.url, named);
      continue;
    }
    state.pages++;
    frontier.finish(url, fetched.url, named);
    yield { kind: 'page', url: named, fetched, depth, state: structuredClone(state) };
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(Math.trunc(value) || 0, least), most);

const codesByReason: Record<string, SkipCode> = {
  robots: 'robots',
  off_site: 'off_site',
  duplicate: 'duplicate',
  media_type: 'media_type',
  too_large: 'too_large',
};

function codeOf(error: AppError): SkipCode {
  const known = codesByReason[String(error.details?.['reason'])];
  if (known !== undefined) return known;
  if (error.code === 'NOT_FOUND') return 'not_found';
  if (error.code === 'FORBIDDEN') return 'forbidden';
  return error.retryable ? 'unavailable' : 'refused';
}
