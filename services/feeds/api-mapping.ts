import type { ApiFeedSettings, FieldLocation } from '../../contracts/feeds/feed-settings.ts';
import type { ApiArticle } from '../../contracts/feeds/feeds.ts';
import { canonicalAddress } from './addresses.ts';
import { locationsOf } from './api-settings.ts';
import { dateOf } from './dates.ts';
import { valuesAt } from './json-paths.ts';
import { firstCharacters, plain } from './plain.ts';

/** perception: "first 500 characters". */
const snippetLength = 500;
const mostItems = 2_000;
const mostCategories = 20;

/** Defaults of a source for all its articles. */
export interface Defaults {
  source: string | null;
  categories: string[];
}

export interface Mapped {
  articles: ApiArticle[];
  /** Items in the answer, including unusable ones. */
  items: number;
  /** Without a title or without an http(s) address. */
  skipped: number;
}

/**
 * The articles of an answer. Of those with the same canonical address the first counts.
 * @param base for relative addresses
 */
export function mapArticles(answer: unknown, settings: ApiFeedSettings, base: string, defaults: Defaults): Mapped {
  const items = valuesAt(settings.items, answer, mostItems);
  const articles = new Map<string, ApiArticle>();
  let skipped = 0;
  for (const item of items) {
    if (articles.size >= settings.max_articles) break;
    const article = mapArticle(item, settings.fields, base, defaults);
    const key = article && canonicalAddress(article.url);
    if (!article || key === undefined) skipped += 1;
    else if (!articles.has(key)) articles.set(key, article);
  }
  return { articles: [...articles.values()], items: items.length, skipped };
}

function mapArticle(item: unknown, fields: ApiFeedSettings['fields'], base: string, defaults: Defaults): ApiArticle | undefined {
  const text = (name: keyof typeof fields): string => plain(textsAt(item, fields[name], 1)[0] ?? '');
  const title = text('title');
  const url = absolute(textsAt(item, fields.url, 1)[0], base);
  if (title === '' || url === undefined) return undefined;
  const [summary, content] = [text('summary'), text('content')];
  const categories = textsAt(item, fields.categories, mostCategories)
    .map(plain)
    .filter((one) => one !== '');
  return {
    title: firstCharacters(title, 1000),
    url,
    published_at: dateOf(textsAt(item, fields.published_at, 1)[0]),
    summary: firstCharacters(summary || firstCharacters(content, snippetLength), 5000),
    author: firstCharacters(textsAt(item, fields.author, 10).map(plain).filter(Boolean).join(', '), 500) || null,
    content_snippet: firstCharacters(content || summary, snippetLength),
    source: firstCharacters(text('source'), 500) || defaults.source,
    categories: [...new Set(categories.length > 0 ? categories.map((one) => firstCharacters(one, 200)) : defaults.categories)],
  };
}

/** The texts at the first non-empty location. */
function textsAt(item: unknown, field: FieldLocation | FieldLocation[] | undefined, most: number): string[] {
  for (const location of locationsOf(field)) {
    const { path, template, split } = typeof location === 'string' ? { path: location, template: undefined, split: undefined } : location;
    const texts = valuesAt(path, item, most)
      .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
      .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      .map((value) => String(value).trim())
      .flatMap((value) => (split === undefined ? [value] : value.split(split).map((part) => part.trim())))
      .filter((value) => value !== '')
      .slice(0, most);
    if (texts.length > 0)
      return template === undefined
        ? texts
        : texts.map((value) => template.replaceAll('{value}', encodeURIComponent(value.toWellFormed())));
  }
  return [];
}

function absolute(text: string | undefined, base: string): string | undefined {
  if (text === undefined || !URL.canParse(text, base)) return undefined;
  const url = new URL(text, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
