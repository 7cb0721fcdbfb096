import { AppError } from '../../contracts/errors.ts';
import { decodeXmlBytes } from './decode.ts';
import { Fields, itemOf, resolved } from './fields.ts';
import { readJsonFeed } from './json.ts';
import { elementsOf, textOf } from './markup.ts';
import { attributeOf, isAtom10, spaceOf, tagOf } from './names.ts';
import { notAFeed, pageInstead } from './refusals.ts';
import { feedText } from './texts.ts';
import type { Feed, FeedDialect, FeedEnclosure, FeedEntry, FeedGenerator, FeedInput } from './types.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Maximum entries of a feed that are read. */
const mostEntries = 2_000;

/**
 * Parses any feed: RSS 0.9x, 1.0, 1.1 and 2.0, Atom 0.3 and 1.0, CDF, JSON Feed. Repairs errors and reports them in
 * `warnings`.
 * @throws AppError VALIDATION_ERROR with `details.reason`: empty, not_a_feed (`details.feeds`: feeds that a web page
 * names)
 */
export function readFeed(input: FeedInput): Feed {
  const warnings: string[] = [];
  const text = decodeXmlBytes(input.bytes, input.charset, warnings).replace(/^[\uFEFF\s]+/, '');
  if (text === '') throw new AppError('VALIDATION_ERROR', 'The feed is empty.', { hint: 'Try again later.', details: { reason: 'empty' } });
  if (text.startsWith('{')) return readJsonFeed(text, input.url, warnings);
  const { root, doctype, cut, mended, bounded } = readXml(text, { url: input.url, language: input.contentLanguage });
  if (!root) throw notAFeed('it has no elements');
  const own = spaceOf(root);
  const kind = tagOf(root, own);
  if (doctype?.toLowerCase() === 'html' || kind === 'html' || kind === 'xhtml:html') throw pageInstead(text, input.url);
  const dialect = dialectOf(root, kind);
  if (dialect === undefined) throw notAFeed(`its root is <${root.name.slice(0, 60)}>`);

  const channel = kind === 'feed' || kind === 'channel' ? root : (elementsOf(root).find((each) => tagOf(each, own) === 'channel') ?? root);
  const plainly = { own, url: input.url, base: input.url };
  const reading = { ...plainly, base: siteOf(new Fields(channel, plainly)) ?? input.url };
  const head = new Fields(channel, reading);
  const found = entriesIn(root, own);
  // A truncated entry is unreliable.
  const whole = found.filter((element) => element.closed);
  const entries = whole.slice(0, mostEntries);
  if (cut) warnings.push(`The feed ends in the middle${whole.length < found.length ? ': its last entry was left out' : ''}.`);
  if (bounded || whole.length > mostEntries) warnings.push(`The feed is very large: its first ${entries.length} entries were read.`);
  if (mended && !cut) warnings.push('The feed is not well-formed; it was repaired.');
  return {
    ...itemOf(head),
    dialect,
    subtitle: head.text('subtitle', 'tagline', 'description', 'abstract', 'dc:description', 'itunes:summary'),
    info: head.text('info'),
    generator: generatorOf(head),
    entries: entries.map((element) => entryOf(new Fields(element, reading))),
    warnings,
  };
}

function dialectOf(root: XmlElement, kind: string | undefined): FeedDialect | undefined {
  const version = attributeOf(root, 'version') ?? '';
  if (kind === 'feed') return isAtom10(root.namespace) && version !== '0.3' ? 'atom10' : 'atom03';
  if (kind === 'rss') {
    const known = /^0\.9[0-4]/.exec(version)?.[0];
    return known === undefined ? (version.startsWith('2') ? 'rss20' : 'rss') : (`rss${known.replace('.', '')}` as FeedDialect);
  }
  if (kind === 'channel') return /rss1\.1/i.test(root.namespace) ? 'rss11' : 'cdf';
  if (kind !== 'rdf:rdf') return undefined;
  return Object.values(namespacesOf(root)).some((space) => /netscape\.com\/rdf\/simple\/0\.9/i.test(space)) ? 'rss090' : 'rss10';
}

const namespacesOf = ({ scope }: XmlElement): Record<string, string> => {
  const all: Record<string, string> = {};
  for (const prefix in scope) all[prefix] = scope[prefix]!;
  return all;
};

/** RSS has no rule for relative addresses; they are relative to the site, not to the feed's address. */
const siteOf = (head: Fields): string | undefined =>
  head
    .all('link')
    .map((element) => textOf(element).trim())
    .find((text) => /^https?:\/\//i.test(text) && URL.canParse(text));

const wrappers = new Set(['channel', 'items', 'rss', 'rdf:rdf', 'feed']);

function entriesIn(element: XmlElement, own: string, found: XmlElement[] = []): XmlElement[] {
  for (const child of elementsOf(element)) {
    const tag = tagOf(child, own);
    if (tag === 'item' || tag === 'entry') found.push(child);
    else if (tag !== undefined && wrappers.has(tag)) entriesIn(child, own, found);
  }
  return found;
}

function entryOf(fields: Fields): FeedEntry {
  const [source] = fields.all('source');
  return {
    ...itemOf(fields),
    summary: fields.text('summary', 'description', 'abstract', 'itunes:summary', 'media:description', 'dc:description'),
    content: fields
      .all('content', 'content:encoded', 'xhtml:body', 'fullitem', 'body')
      .map(feedText)
      .filter(({ value }) => value !== ''),
    enclosures: enclosuresOf(fields),
    source: source ? itemOf(new Fields(source, fields.reading)) : null,
  };
}

function enclosuresOf(fields: Fields): FeedEnclosure[] {
  const named = fields.all('link').filter((element) => attributeOf(element, 'rel')?.toLowerCase() === 'enclosure');
  return [...fields.all('enclosure', 'media:content'), ...named].flatMap((element) => {
    const href = attributeOf(element, 'url') ?? attributeOf(element, 'href');
    if (href === undefined) return [];
    const length = attributeOf(element, 'length') ?? attributeOf(element, 'filesize') ?? null;
    return [{ href: resolved(href, element, fields.reading), type: attributeOf(element, 'type') ?? null, length }];
  });
}

function generatorOf(head: Fields): FeedGenerator | null {
  const [element] = head.all('generator');
  if (!element) return null;
  const url = attributeOf(element, 'uri') ?? attributeOf(element, 'url');
  return {
    name: textOf(element).trim(),
    url: url === undefined ? null : resolved(url, element, head.reading),
    version: attributeOf(element, 'version') ?? null,
  };
}
