import { storedArticle } from '../../contracts/feeds/feeds.ts';
import { derivedId } from '../../contracts/ids.ts';
import { canonicalAddress } from './addresses.ts';
import { dateOf } from './dates.ts';

/** An article ready to be written. */
export interface ReadyArticle {
  id: string;
  canonical_url: string;
  url: string;
  title: string;
  source_id: string | null;
  /** ISO 8601, UTC. */
  published_at: string | null;
  summary: string;
  content: string;
  ai_summary: string;
  ai_tags: string[];
  relevance_score: number | null;
  categories: string[];
}

export interface Refused {
  /** Index in the call, from 0. */
  index: number;
  /** As given; `articles[3]` if it was not text. */
  url: string;
  reason: string;
}

/** The valid articles of a call: the first of each canonical address. `repeated` counts the others. */
export function readArticles(tenant: string, given: readonly unknown[]): { ready: ReadyArticle[]; refused: Refused[]; repeated: number } {
  const byId = new Map<string, ReadyArticle>();
  const refused: Refused[] = [];
  let repeated = 0;
  for (const [index, one] of given.entries()) {
    const read = readArticle(tenant, one);
    if (typeof read === 'string') refused.push({ index, url: addressIn(one) ?? `articles[${index}]`, reason: read });
    else if (byId.has(read.id)) repeated += 1;
    else byId.set(read.id, read);
  }
  return { ready: [...byId.values()], refused, repeated };
}

/** The error as text. */
function readArticle(tenant: string, given: unknown): ReadyArticle | string {
  const parsed = storedArticle.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${issue?.path.join('.') || 'article'}: ${issue?.message ?? 'cannot be read'}`;
  }
  const article = parsed.data;
  const canonical = canonicalAddress(article.url);
  if (canonical === undefined) return 'url: no http(s) address';
  const published = article.published_at ? dateOf(article.published_at) : null;
  if (article.published_at && published === null) return 'published_at: no time that can be read; write ISO 8601';
  const title = kept(article.title).trim();
  if (title === '') return 'title: is empty';
  return {
    id: derivedId('art', tenant, canonical),
    canonical_url: canonical,
    url: kept(article.url.trim()),
    title,
    source_id: article.source_id ? kept(article.source_id) : null,
    published_at: published,
    summary: kept(article.summary ?? ''),
    content: kept(article.content ?? ''),
    ai_summary: kept(article.ai_summary ?? ''),
    ai_tags: unique(article.ai_tags),
    relevance_score: article.relevance_score ?? null,
    categories: unique(article.categories),
  };
}

/** Removes what Postgres cannot store. */
const kept = (text: string): string => text.toWellFormed().replaceAll('\u0000', '');
const unique = (names: readonly string[] | null | undefined): string[] => [...new Set((names ?? []).map(kept))];

function addressIn(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || !('url' in given)) return undefined;
  return typeof given.url === 'string' && given.url !== '' ? kept(given.url).slice(0, 2048) : undefined;
}
