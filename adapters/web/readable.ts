import { BlockList } from '../parsers/blocks.ts';
import { htmlBlocks } from '../parsers/html-blocks.ts';
import { decodeHtml, findArticle, open, type Document } from '../parsers/html.ts';
import { refusal } from '../parsers/refusals.ts';
import type { Parsed, ParseInput } from '../parsers/types.ts';
import { Warnings } from '../parsers/warnings.ts';
import { linkedData, type LinkedArticle } from './linked-data.ts';

/** A page's metadata about its article; texts as written, addresses possibly relative. */
export interface PageAbout {
  description: string | null;
  keywords: string[];
  author: string | null;
  /** As written in the page. */
  published: string | null;
  image: string | null;
  canonical_url: string | null;
  site_name: string | null;
  language: string | null;
  /** Whether an article was found; else the text is that of the whole page. */
  article: boolean;
  warnings?: string[];
}

const mostKeywords = 30;

/**
 * A web page as an article: its blocks, and a PageAbout as metadata. Runs in the process of
 * adapters/parsers/bounded.ts. A page without text is accepted, because its metadata may be sufficient.
 */
export function read({ bytes, mediaType }: ParseInput): Parsed {
  const warnings = new Warnings();
  const text = decodeHtml(bytes, mediaType, warnings);
  if (text.trim() === '') throw refusal('empty', 'The page is empty.');
  const page = open(text);
  const data = linkedData(scriptsOf(page.document));
  const tags = metaTags(page.document);
  const article = findArticle(text, page);
  const list = new BlockList();
  if (article !== undefined) htmlBlocks(open(article.content).body, list);
  const found = list.blocks.length > 0;
  if (!found) htmlBlocks(page.body, list);
  const about: PageAbout = {
    description: line(article?.excerpt) ?? tags.first('description', 'og:description', 'twitter:description') ?? data.description,
    keywords: keywordsOf(tags, data),
    author: line(article?.byline) ?? authorOf(tags) ?? data.author,
    published: line(article?.publishedTime) ?? tags.first(...publishedTags) ?? data.published ?? timeOf(page.document),
    image: tags.first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src') ?? data.image,
    canonical_url: attribute(page.document, 'link[rel="canonical"]', 'href') ?? tags.first('og:url'),
    site_name: line(article?.siteName) ?? tags.first('og:site_name'),
    language: attribute(page.document, 'html', 'lang'),
    article: found,
  };
  const title = line(article?.title) ?? line(page.document.querySelector('title')?.textContent) ?? tags.first('og:title', 'twitter:title');
  return {
    format: 'html',
    ...(title === null ? {} : { title }),
    metadata: { ...about, ...warnings.toMetadata() },
    blocks: list.blocks,
  };
}

const publishedTags = [
  'article:published_time',
  'og:published_time',
  'datepublished',
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.created',
  'parsely-pub-date',
  'pubdate',
];

interface MetaTags {
  first(...names: string[]): string | null;
  all(name: string): string[];
}

/** By name, property or itemprop, in lower case. */
function metaTags(document: Document): MetaTags {
  const tags = new Map<string, string[]>();
  for (const tag of document.querySelectorAll('meta')) {
    const content = line(tag.getAttribute?.('content'));
    if (content === null) continue;
    for (const kind of ['name', 'property', 'itemprop']) {
      // One property may have several names.
      for (const name of (tag.getAttribute?.(kind) ?? '').toLowerCase().split(/\s+/)) {
        if (name !== '') tags.set(name, [...(tags.get(name) ?? []), content]);
      }
    }
  }
  return {
    first: (...names) => names.flatMap((name) => tags.get(name) ?? [])[0] ?? null,
    all: (name) => tags.get(name) ?? [],
  };
}

/** `article:author` may be a profile's address. */
const authorOf = (tags: MetaTags): string | null =>
  ['author', 'article:author', 'dc.creator', 'parsely-author'].flatMap((name) => tags.all(name)).find((name) => !/^https?:/i.test(name)) ??
  null;

function keywordsOf(tags: MetaTags, data: LinkedArticle): string[] {
  const lists = ['keywords', 'news_keywords', 'parsely-tags'].flatMap((name) => tags.all(name)).flatMap((text) => text.split(/[,;]/));
  const words = [...lists, ...tags.all('article:tag'), ...data.keywords]
    .map((word) => word.trim())
    .filter((word) => word !== '' && word.length <= 100);
  const byKey = new Map<string, string>();
  for (const word of words) if (!byKey.has(word.toLowerCase())) byKey.set(word.toLowerCase(), word);
  return [...byKey.values()].slice(0, mostKeywords);
}

function* scriptsOf(document: Document): Generator<string> {
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) yield script.textContent ?? '';
}

const timeOf = (document: Document): string | null => attribute(document, 'time[datetime]', 'datetime');
const attribute = (document: Document, selector: string, name: string): string | null =>
  line(document.querySelector(selector)?.getAttribute?.(name));

/** One line, limited in length; null when nothing is left. */
function line(text: string | null | undefined): string | null {
  const clean = (text ?? '')
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f\u00ad\u200b\ufeff\s]+/g, ' ')
    .trim()
    .slice(0, 2000);
  return clean === '' ? null : clean;
}
