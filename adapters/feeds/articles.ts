import type { FeedArticle } from '../../contracts/feeds/feeds.ts';
import { Entities } from './entities.ts';
import { firstOf, plainOf } from './plain.ts';
import type { Feed, FeedArticles, FeedEntry, FeedPerson, FeedText } from './types.ts';

const snippetCharacters = 500;
const summaryCharacters = 5_000;
const titleCharacters = 500;
const languageCharacters = 100;
const longestUrl = 2_000;
const mostCategories = 30;
/** Maximum characters of an article's HTML. */
const longestContent = 500_000;

/**
 * The articles of a feed: newest first if all have dates, else in its order.
 * @param max maximum articles
 */
export function articlesOf(feed: Feed, max: number): FeedArticles {
  const entities = new Entities();
  const warnings = [...feed.warnings];
  const dated = feed.entries.map((entry) => ({ entry, url: urlOf(entry), at: dateOf(entry) }));
  const seen = new Set<string>();
  const readable = dated.filter(({ url }) => url !== null);
  if (readable.length < dated.length) warnings.push(`${dated.length - readable.length} entries without a web address were left out.`);
  if (readable.every(({ at }) => at !== null)) readable.sort((a, b) => (a.at! < b.at! ? 1 : a.at! > b.at! ? -1 : 0));
  let cut = 0;
  const distinct = readable.filter(({ url }) => !seen.has(url!) && seen.add(url!));
  const articles = distinct.slice(0, max).map(({ entry, url, at }): FeedArticle => {
    const content = entry.content[0] ?? entry.summary;
    const text = content ? plainOf(content, entities) : '';
    const summary = entry.summary ? plainOf(entry.summary, entities) : text;
    const html = htmlOf(entry);
    if (html !== null && html.length > longestContent) cut++;
    const title = entry.title ? plainOf(entry.title, entities) : '';
    return {
      title: firstOf(title === '' ? firstOf(text, 100) || url! : title, titleCharacters),
      url: url!,
      published_at: at,
      summary: firstOf(summary, summaryCharacters),
      author: authorOf(entry.authors.length > 0 ? entry.authors : feed.authors),
      content_snippet: firstOf(text, snippetCharacters),
      categories: categoriesOf(entry, entities),
      raw_content: html === null ? null : firstOf(html, longestContent),
    };
  });
  if (cut > 0) warnings.push(`The content of ${cut} articles is cut after ${longestContent} characters.`);
  return {
    dialect: feed.dialect,
    title: feed.title ? firstOf(plainOf(feed.title, entities), titleCharacters) : '',
    language: feed.language === null ? null : firstOf(feed.language, languageCharacters),
    articles,
    warnings,
  };
}

/** The article's address; a podcast may only have that of the audio. */
function urlOf(entry: FeedEntry): string | null {
  for (const address of [entry.link, entry.id, entry.enclosures[0]?.href]) {
    if (typeof address !== 'string' || address.length > longestUrl || !URL.canParse(address)) continue;
    const url = new URL(address);
    if (url.protocol === 'http:' || url.protocol === 'https:') return url.href;
  }
  return null;
}

const dateOf = ({ published, updated, created }: FeedEntry): string | null =>
  (published?.at ?? updated?.at ?? created?.at ?? null)?.replace('.000Z', 'Z') ?? null;

const isHtml = ({ type }: FeedText): boolean => type === 'text/html' || type === 'application/xhtml+xml';

const htmlOf = ({ content, summary }: FeedEntry): string | null =>
  (content.find(isHtml) ?? (summary && isHtml(summary) ? summary : undefined))?.value ?? null;

function authorOf(people: readonly FeedPerson[]): string | null {
  const names = people.slice(0, 10).flatMap(({ name, email }) => name ?? email ?? []);
  return names.length === 0 ? null : firstOf([...new Set(names.map((name) => name.replace(/\s+/g, ' ')))].join(', '), 300);
}

function categoriesOf({ categories }: FeedEntry, entities: Entities): string[] {
  const found = categories.map(({ label, term }) => firstOf(plainOf({ value: label ?? term, type: 'text/html' }, entities), 200));
  return [...new Set(found.filter((name) => name !== ''))].slice(0, mostCategories);
}
