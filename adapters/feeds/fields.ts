import { readDate } from './dates.ts';
import { elementsOf, textOf } from './markup.ts';
import { attributeOf, tagOf } from './names.ts';
import { feedText } from './texts.ts';
import type { FeedCategory, FeedDate, FeedItem, FeedLink, FeedPerson, FeedText } from './types.ts';
import type { XmlElement } from './xml.ts';

/** Settings for a whole document. */
export interface Reading {
  /** The namespace of its root. */
  own: string;
  /** Where it was fetched from. */
  url: string;
  /** Base of relative addresses, unless `xml:base` sets another. */
  base: string;
}

/** The elements of a feed or an entry by meaning, in order. */
export class Fields {
  readonly element: XmlElement;
  readonly reading: Reading;
  private readonly byTag = new Map<string, XmlElement[]>();

  constructor(element: XmlElement, reading: Reading) {
    this.element = element;
    this.reading = reading;
    this.take(element);
  }

  private take(element: XmlElement): void {
    for (const child of elementsOf(element)) {
      const tag = tagOf(child, this.reading.own);
      if (tag === undefined) continue;
      const known = this.byTag.get(tag);
      if (known) known.push(child);
      else this.byTag.set(tag, [child]);
      // YouTube wraps the fields of a video.
      if (tag === 'media:group') this.take(child);
    }
  }

  all(...tags: string[]): XmlElement[] {
    return tags.flatMap((tag) => this.byTag.get(tag) ?? []);
  }

  /** The first non-empty one. */
  text(...tags: string[]): FeedText | null {
    for (const element of this.all(...tags)) {
      const text = feedText(element);
      if (text.value !== '') return text;
    }
    return null;
  }

  plain(...tags: string[]): string | null {
    for (const element of this.all(...tags)) {
      const text = textOf(element).trim();
      if (text !== '') return text;
    }
    return null;
  }

  /** The first existing kind; of repeated elements the last one counts. */
  date(...tags: string[]): FeedDate | null {
    for (const tag of tags) {
      const text = this.all(tag)
        .map((element) => textOf(element).trim())
        .findLast((each) => each !== '');
      if (text !== undefined) return { text, at: readDate(text) };
    }
    return null;
  }
}

/** Resolves an address at an element; invalid ones stay unchanged. */
export function resolved(address: string, element: XmlElement, { url, base }: Reading): string {
  const from = element.base === url ? base : element.base;
  return URL.canParse(address, from) ? new URL(address, from).href : address;
}

export function itemOf(fields: Fields): FeedItem {
  const links = linksOf(fields);
  const lastmod = attributeOf(fields.element, 'lastmod');
  return {
    id: fields.plain('id', 'guid', 'dc:identifier') ?? attributeOf(fields.element, 'about') ?? null,
    title: fields.text('title', 'dc:title', 'media:title', 'itunes:title'),
    link: linkOf(fields, links),
    links,
    language: fields.plain('language', 'dc:language') ?? (fields.element.lang || null),
    published: fields.date('published', 'pubdate', 'issued', 'dcterms:issued'),
    updated:
      fields.date('updated', 'modified', 'lastbuilddate', 'dcterms:modified', 'dc:date') ??
      (lastmod === undefined ? null : { text: lastmod, at: readDate(lastmod) }),
    created: fields.date('created', 'dcterms:created'),
    authors: fields
      .all('author', 'managingeditor', 'dc:creator', 'dc:author', 'itunes:author')
      .flatMap((each) => personOf(each, fields.reading)),
    contributors: fields.all('contributor', 'dc:contributor').flatMap((each) => personOf(each, fields.reading)),
    categories: fields.all('category', 'dc:subject', 'media:category', 'itunes:category').flatMap(categoryOf),
    rights: fields.text('rights', 'copyright', 'dc:rights'),
  };
}

function linksOf(fields: Fields): FeedLink[] {
  const found: FeedLink[] = [];
  // CDF has the address at the element itself, or in an <A>.
  for (const element of [fields.element, ...fields.all('a')]) {
    const href = attributeOf(element, 'href');
    if (href !== undefined) found.push({ href: resolved(href, element, fields.reading), rel: 'alternate', type: null, title: null });
  }
  for (const element of fields.all('link')) {
    const href = attributeOf(element, 'href') ?? textOf(element).trim();
    if (href === '') continue;
    found.push({
      href: resolved(href, element, fields.reading),
      rel: attributeOf(element, 'rel')?.toLowerCase() ?? 'alternate',
      type: attributeOf(element, 'type') ?? null,
      title: attributeOf(element, 'title') ?? null,
    });
  }
  return found;
}

function linkOf(fields: Fields, links: readonly FeedLink[]): string | null {
  const original = fields.plain('feedburner:origlink');
  if (original !== null) return original;
  const pages = links.filter(({ rel }) => rel === 'alternate');
  const page = pages.find(({ type }) => type === null || type.includes('html')) ?? pages[0];
  if (page) return page.href;
  const [guid] = fields.all('guid');
  const permanent = guid && attributeOf(guid, 'ispermalink')?.toLowerCase() !== 'false' ? textOf(guid).trim() : '';
  if (/^https?:\/\//i.test(permanent)) return permanent;
  return links.find(({ rel }) => rel === 'related' || rel === 'via')?.href ?? null;
}

/** Atom's fields; or `me@example.com (Name)`, `Name <me@example.com>`, `Name`. */
function personOf(element: XmlElement, reading: Reading): FeedPerson[] {
  const parts = new Fields(element, reading);
  if (elementsOf(element).length > 0) {
    const url = parts.plain('uri', 'url', 'homepage');
    const person = { name: parts.plain('name'), email: parts.plain('email'), url: url === null ? null : resolved(url, element, reading) };
    return person.name === null && person.email === null && person.url === null ? [] : [person];
  }
  const text = textOf(element).trim().slice(0, 500);
  if (text === '') return [];
  const email = /[^\s@<>()"',;:]{1,100}@[^\s@<>()"',;:]{1,100}/.exec(text)?.[0] ?? null;
  const rest =
    email === null
      ? text
      : text
          .replace(email, ' ')
          .replace(/mailto:/i, ' ')
          .replace(/[()<>"]/g, ' ')
          .replace(/\s+/g, ' ')
          .trim();
  return [{ name: rest === '' ? null : rest, email, url: null }];
}

function categoryOf(element: XmlElement): FeedCategory[] {
  const label = attributeOf(element, 'label') ?? null;
  const term = attributeOf(element, 'term') ?? (textOf(element).trim() || attributeOf(element, 'text'));
  if (term === undefined) return label === null ? [] : [{ term: label, scheme: null, label }];
  return [{ term, scheme: attributeOf(element, 'scheme') ?? attributeOf(element, 'domain') ?? null, label }];
}
