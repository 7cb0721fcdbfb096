import type { CrawlState } from './crawl.ts';
import { canonicalUrl, isWorthFetching, pageKey, pathOf, siteOf } from './urls.ts';

/** Pages that differ in their query only: more are a calendar or a filter. */
const mostVariants = 10;

/** Pages still to read and pages read; updates the given state, and keeps it small. */
export class Frontier {
  private readonly state: CrawlState;
  /** Addresses considered over the whole crawl. */
  private readonly limit: number;
  private readonly done: Set<string>;
  private readonly seen: Set<string>;
  private readonly variants = new Map<string, number>();

  constructor(state: CrawlState, limit: number) {
    this.state = state;
    this.limit = limit;
    this.done = new Set(state.done);
    this.seen = new Set(state.done);
    for (const { url } of state.queue) this.seen.add(pageKey(url));
    for (const key of this.seen) this.count(key);
  }

  /** Whether `url` is a page that was already processed under another address than `self`. */
  isDone(url: string, self: string): boolean {
    const key = pageKey(url);
    return key !== pageKey(self) && this.done.has(key);
  }

  /** Adds the links of a page that lead to new documents of the same site. */
  add(links: readonly string[], depth: number): void {
    for (const link of links) {
      if (this.seen.size >= this.limit) return;
      if (siteOf(link) !== this.state.site || !isWorthFetching(link)) continue;
      const url = canonicalUrl(link);
      const key = pageKey(url);
      if (this.seen.has(key) || (this.variants.get(pathOf(key)) ?? 0) >= mostVariants) continue;
      this.seen.add(key);
      this.count(key);
      this.state.queue.push({ url, depth });
    }
  }

  /** Marks a page as processed, under all its addresses. */
  finish(...urls: string[]): void {
    for (const url of urls) {
      const key = pageKey(url);
      this.seen.add(key);
      if (this.done.has(key)) continue;
      this.done.add(key);
      this.state.done.push(key);
    }
    this.state.queue = this.state.queue.filter(({ url }) => !this.done.has(pageKey(url)));
  }

  private count(key: string): void {
    const path = pathOf(key);
    this.variants.set(path, (this.variants.get(path) ?? 0) + 1);
  }
}
