import { z } from 'zod';
import { readDate } from './dates.ts';
import { notAFeed } from './refusals.ts';
import type { Feed, FeedDate, FeedEntry, FeedPerson, FeedText } from './types.ts';

/** A field of the wrong type counts as missing, so that one bad field does not fail the feed. */
const text = z.string().trim().min(1).optional().catch(undefined);
const id = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);
const author = z.object({ name: text, url: text });
const authors = z.array(author.catch({})).optional().catch(undefined);
const single = author.optional().catch(undefined);

const item = z.object({
  id,
  url: text,
  external_url: text,
  title: text,
  content_html: text,
  content_text: text,
  summary: text,
  date_published: text,
  date_modified: text,
  authors,
  author: single,
  tags: z.array(z.unknown()).optional().catch(undefined),
  language: text,
  attachments: z
    .array(z.object({ url: text, mime_type: text, size_in_bytes: z.number().optional().catch(undefined) }).catch({}))
    .optional()
    .catch(undefined),
});

const jsonFeed = z.object({
  version: z.string().regex(/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\/1/i),
  title: text,
  home_page_url: text,
  feed_url: text,
  description: text,
  authors,
  author: single,
  language: text,
  items: z.array(z.unknown()).catch([]),
});

const mostEntries = 2_000;

/** JSON Feed 1 and 1.1. @throws AppError VALIDATION_ERROR with `details.reason` not_a_feed */
export function readJsonFeed(json: string, url: string, warnings: string[]): Feed {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw notAFeed('it is not complete JSON');
  }
  const { data: feed } = jsonFeed.safeParse(value);
  if (!feed) throw notAFeed('it is JSON, but no JSON Feed of version 1');
  const absolute = (address: string): string => (URL.canParse(address, url) ? new URL(address, url).href : address);
  const plain = (value: string | undefined): FeedText | null =>
    value === undefined ? null : { value, type: 'text/plain', language: feed.language ?? null };
  const items = feed.items.slice(0, mostEntries).flatMap((each) => item.safeParse(each).data ?? []);
  if (items.length < feed.items.length) warnings.push(`${feed.items.length - items.length} items were left out.`);
  const link = feed.home_page_url === undefined ? null : absolute(feed.home_page_url);
  const none = { contributors: [], categories: [], rights: null, published: null, updated: null, created: null };
  return {
    ...none,
    dialect: 'json1',
    id: feed.feed_url ?? null,
    title: plain(feed.title),
    subtitle: plain(feed.description),
    info: null,
    generator: null,
    link,
    links: link === null ? [] : [{ href: link, rel: 'alternate', type: null, title: null }],
    language: feed.language ?? null,
    authors: peopleOf(feed),
    warnings,
    entries: items.map((each): FeedEntry => {
      const href = each.url ?? each.external_url;
      return {
        ...none,
        id: each.id ?? null,
        title: plain(each.title),
        link: href === undefined ? null : absolute(href),
        links: href === undefined ? [] : [{ href: absolute(href), rel: 'alternate', type: null, title: null }],
        language: each.language ?? feed.language ?? null,
        published: dateOf(each.date_published),
        updated: dateOf(each.date_modified),
        authors: peopleOf(each),
        categories: (each.tags ?? []).flatMap((tag) =>
          typeof tag === 'string' && tag.trim() !== '' ? [{ term: tag.trim(), scheme: null, label: null }] : [],
        ),
        summary: plain(each.summary),
        content: [
          ...(each.content_html === undefined ? [] : [{ value: each.content_html, type: 'text/html', language: each.language ?? null }]),
          ...(each.content_text === undefined ? [] : [{ value: each.content_text, type: 'text/plain', language: each.language ?? null }]),
        ],
        enclosures: (each.attachments ?? []).flatMap(({ url: at, mime_type: type, size_in_bytes: size }) =>
          at === undefined ? [] : [{ href: absolute(at), type: type ?? null, length: size === undefined ? null : String(size) }],
        ),
        source: null,
      };
    }),
  };
}

const dateOf = (value: string | undefined): FeedDate | null => (value === undefined ? null : { text: value, at: readDate(value) });

/** 1.0 had only one author. */
const peopleOf = (given: {
  authors?: { name?: string | undefined; url?: string | undefined }[] | undefined;
  author?: { name?: string | undefined; url?: string | undefined } | undefined;
}): FeedPerson[] =>
  (given.authors ?? (given.author ? [given.author] : []))
    .filter(({ name, url }) => name !== undefined || url !== undefined)
    .map(({ name, url }) => ({ name: name ?? null, email: null, url: url ?? null }));
