import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { BlockList, cleanText } from './blocks.ts';
import { decodeText } from './encoding.ts';
import { htmlBlocks, type HtmlNode } from './html-blocks.ts';
import { refusal } from './refusals.ts';
import type { Parsed, ParseInput } from './types.ts';
import { Warnings } from './warnings.ts';

/** In deeper pages the article is not searched. */
const maxArticleDepth = 400;
const maxArticleElements = 50_000;
/** An article with a smaller share of a page's text is unreliable; short pages are read completely. */
const minArticleShare = 0.1;

interface Page {
  document: Document;
  body: HtmlNode;
}

/** The used members of the DOM. */
export interface Document {
  readonly title: string;
  querySelector(selector: string): (HtmlNode & { remove(): void }) | null;
  querySelectorAll(selector: string): Iterable<HtmlNode & { remove(): void }>;
  readonly documentElement: HtmlNode | null;
}

/** A web page: its article if there is one, else all of it. */
export function read({ bytes, mediaType }: ParseInput): Parsed {
  const warnings = new Warnings();
  const text = decodeHtml(bytes, mediaType, warnings);
  if (text.trim() === '') throw refusal('empty', 'The page is empty.');
  const page = open(text);
  const metadata = readMetadata(page.document);
  const list = new BlockList();
  const article = findArticle(text, page);
  let title = metadata['title'] as string | undefined;
  delete metadata['title'];
  if (article !== undefined) {
    if (article.title) title = article.title;
    for (const key of ['byline', 'excerpt', 'lang', 'dir'] as const) if (article[key]) metadata[key] = article[key];
    if (article.siteName) metadata['site_name'] = article.siteName;
    if (article.publishedTime) metadata['published'] ??= article.publishedTime;
    htmlBlocks(open(article.content).body, list);
  }
  metadata['article'] = list.blocks.length > 0;
  if (list.blocks.length === 0) htmlBlocks(page.body, list);
  if (list.blocks.length === 0)
    throw refusal('empty', 'The page has no text.', {
      hint: 'It may be filled in by a script in the browser: save the page as it is shown, or give its text.',
    });
  return {
    format: 'html',
    ...(title === undefined ? {} : { title: oneLine(title) }),
    metadata: { ...metadata, ...warnings.toMetadata() },
    blocks: list.blocks,
    tables: list.tables,
  };
}

/** Blocks of HTML that is all content: an e-mail, a converted document. */
export function fragmentBlocks(html: string, list: BlockList): void {
  htmlBlocks(open(html).body, list);
}

export function open(html: string): Page {
  // Without an html element linkedom uses the first element as the document's.
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const { document } = parseHTML(whole) as unknown as { document: Document };
  return { document, body: document.querySelector('body') ?? document.documentElement ?? emptyNode };
}

const emptyNode: HtmlNode = { nodeType: 1, textContent: '', firstChild: null, nextSibling: null, parentNode: null };

type Article = NonNullable<ReturnType<Readability['parse']>> & { content: string };

/** Readability's article; undefined when there is none, or the page is too large or too deep. */
export function findArticle(html: string, page: Page): Article | undefined {
  const { elements, depth } = measure(page.body);
  if (depth > maxArticleDepth || elements > maxArticleElements) return undefined;
  // Readability modifies the document, so it gets a copy.
  const copy = open(html).document;
  const article = new Readability(copy, { keepClasses: true }).parse();
  const content = article?.content;
  if (article === null || typeof content !== 'string') return undefined;
  const length = (article.textContent ?? '').trim().length;
  if (length === 0 || length < visibleLength(page.body) * minArticleShare) return undefined;
  return { ...article, content };
}

function measure(root: HtmlNode): { elements: number; depth: number } {
  let [elements, depth, deepest] = [0, 0, 0];
  for (let node: HtmlNode | null = root; node !== null;) {
    elements++;
    if (node.firstChild !== null) {
      node = node.firstChild;
      deepest = Math.max(deepest, ++depth);
      continue;
    }
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      depth--;
    }
    node = node === null || node === root ? null : node.nextSibling;
  }
  return { elements, depth: deepest };
}

function visibleLength(body: HtmlNode): number {
  const list = new BlockList();
  htmlBlocks(body, list);
  return list.blocks.reduce((sum, block) => sum + block.text.length, 0);
}

const oneLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim().slice(0, 1000);

function readMetadata(document: Document): Record<string, unknown> {
  const content = (selector: string, attribute = 'content'): string | undefined => {
    const value = document.querySelector(selector)?.getAttribute?.(attribute);
    return value == null || value.trim() === '' ? undefined : oneLine(value);
  };
  const first = (...selectors: string[]): string | undefined => {
    for (const selector of selectors) {
      const found = content(selector);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const values: Record<string, string | undefined> = {
    title: oneLine(document.querySelector('title')?.textContent ?? '') || first('meta[property="og:title"]', 'meta[name="twitter:title"]'),
    byline: first('meta[name="author"]', 'meta[property="article:author"]', 'meta[name="dc.creator"]', 'meta[name="parsely-author"]'),
    published:
      first(
        'meta[property="article:published_time"]',
        'meta[name="date"]',
        'meta[name="dc.date"]',
        'meta[itemprop="datePublished"]',
        'meta[name="parsely-pub-date"]',
      ) ?? content('time[datetime]', 'datetime'),
    canonical_url: content('link[rel="canonical"]', 'href') ?? first('meta[property="og:url"]'),
    excerpt: first('meta[name="description"]', 'meta[property="og:description"]'),
    site_name: first('meta[property="og:site_name"]'),
    lang: content('html', 'lang'),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Order: byte order mark, HTTP charset, the page's own charset, UTF-8, Windows-1252. */
export function decodeHtml(bytes: Uint8Array, mediaType: string | undefined, warnings: Warnings): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4096)).toString('latin1');
  const marked = /^(\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/.test(start);
  const label =
    /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(mediaType ?? '')?.[1] ??
    /<meta[^>]{0,300}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1];
  if (!marked && label !== undefined && !/^utf-?(8|16)/i.test(label)) {
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      warnings.add(`The character set "${label}" is not known.`);
    }
  }
  const decoded = decodeText(bytes);
  for (const warning of decoded.warnings) warnings.add(warning);
  return decoded.text;
}
