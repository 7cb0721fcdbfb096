import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../contracts/errors.ts';
import { acceptDocuments, isDocument, isHtml, profiles, type CrawlProfile } from './documents.ts';
import { asksForNoIndex, readLinks, type PageLinks } from './pages.ts';
import type { Robots } from './robots.ts';
import type { Fetched, WebClient } from './types.ts';
import { siteOf } from './urls.ts';

export interface Visited {
  fetched: Fetched;
  /** For HTML; undefined for other documents. */
  links?: PageLinks;
  noindex: boolean;
}

export interface Visit {
  url: string;
  /** Redirects must stay on this site; undefined: any. */
  site: string | undefined;
  isDone(url: string): boolean;
}

const retryPauseMs = 1_000;
const longestRetryPauseMs = 10_000;

/** Reads pages one after the other and respects robots.txt, also along redirects. */
export function visitor(web: WebClient, robots: Robots, profile: CrawlProfile, signal: AbortSignal | undefined) {
  const limits = profiles[profile];
  const robotName = (web.userAgent.split('/')[0] ?? '').trim().toLowerCase();
  let requests = 0;

  async function permission(url: string): Promise<number> {
    const { verdict, delayMs, failure } = await robots.rulesFor(url, signal);
    const { host } = new URL(url);
    if (verdict === 'unknown') {
      throw new AppError('SERVICE_UNAVAILABLE', `The robots.txt of ${host} cannot be fetched: ${failure?.message ?? 'no answer.'}`, {
        hint: 'Without it nothing is fetched. Try again later.',
        details: { reason: 'robots' },
        ...(failure?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
      });
    }
    if (verdict === 'forbidden') {
      throw new AppError('FORBIDDEN', `The robots.txt of ${host} forbids to fetch this page.`, {
        hint: 'Download it where you may read it, and hand in the file.',
        details: { reason: 'robots' },
      });
    }
    return delayMs;
  }

  async function read({ url, site, isDone }: Visit): Promise<Fetched> {
    const delayMs = await permission(url);
    if (requests++ > 0 && delayMs > 0) await pause(delayMs, undefined, { signal });
    return web.fetch(url, {
      signal,
      maxBytes: limits.maxBytes,
      timeoutMs: limits.timeoutMs,
      accept: acceptDocuments,
      acceptsType: (mediaType, filename) => isDocument(mediaType, filename, limits),
      onRedirect: async ({ href }) => {
        if (site !== undefined && siteOf(href) !== site) throw passedOver('off_site', 'It redirects to another site.');
        if (isDone(href)) throw passedOver('duplicate', 'It redirects to a page that was read already.');
        await permission(href);
      },
    });
  }

  return async (visit: Visit): Promise<Visited> => {
    let fetched: Fetched | undefined;
    for (let attempt = 1; fetched === undefined; attempt++) {
      try {
        fetched = await read(visit);
      } catch (error) {
        const waitMs = error instanceof AppError && error.retryable ? (error.retryAfterSeconds ?? 0) * 1000 || retryPauseMs : Infinity;
        if (attempt >= limits.tries || waitMs > longestRetryPauseMs) throw error;
        await pause(waitMs, undefined, { signal });
      }
    }
    if (!isHtml(fetched.mediaType)) return { fetched, noindex: asksForNoIndex(fetched.robotsTag, robotName) };
    const links = readLinks(fetched, robotName);
    return { fetched, links, noindex: links.noindex };
  };
}

const passedOver = (reason: string, message: string): AppError => new AppError('VALIDATION_ERROR', message, { details: { reason } });
