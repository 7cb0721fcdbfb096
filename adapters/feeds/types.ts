import type { FeedArticle } from '../../contracts/feeds/feeds.ts';

/** Text of a feed that may be markup. */
export interface FeedText {
  value: string;
  /** As declared, or as detected: `text/plain`, `text/html`, `application/xhtml+xml`, or another media type. */
  type: string;
  /** Effective `xml:lang`. */
  language: string | null;
}

export interface FeedLink {
  /** Absolute if the base allows it. */
  href: string;
  rel: string;
  type: string | null;
  title: string | null;
}

export interface FeedPerson {
  name: string | null;
  email: string | null;
  url: string | null;
}

export interface FeedCategory {
  term: string;
  scheme: string | null;
  label: string | null;
}

/** An address that is not an article: audio, image, file. */
export interface FeedEnclosure {
  href: string;
  type: string | null;
  length: string | null;
}

/** A date: as written, and parsed; null when it cannot be parsed. */
export interface FeedDate {
  text: string;
  /** ISO 8601, UTC. */
  at: string | null;
}

export interface FeedDates {
  published: FeedDate | null;
  updated: FeedDate | null;
  created: FeedDate | null;
}

/** Fields of feeds and entries. */
export interface FeedItem extends FeedDates {
  id: string | null;
  title: FeedText | null;
  /** The page for readers; absolute if the base allows it. */
  link: string | null;
  links: FeedLink[];
  language: string | null;
  authors: FeedPerson[];
  contributors: FeedPerson[];
  categories: FeedCategory[];
  rights: FeedText | null;
}

export interface FeedEntry extends FeedItem {
  summary: FeedText | null;
  content: FeedText[];
  enclosures: FeedEnclosure[];
  /** The feed from which it was copied. */
  source: FeedItem | null;
}

export interface FeedGenerator {
  name: string;
  url: string | null;
  version: string | null;
}

export type FeedDialect =
  'rss090' | 'rss091' | 'rss092' | 'rss093' | 'rss094' | 'rss10' | 'rss20' | 'rss' | 'rss11' | 'atom03' | 'atom10' | 'cdf' | 'json1';

export interface Feed extends FeedItem {
  subtitle: FeedText | null;
  /** Atom 0.3: about the feed's format, for people who see it raw. */
  info: FeedText | null;
  generator: FeedGenerator | null;
  dialect: FeedDialect;
  entries: FeedEntry[];
  /** Guessed, repaired or skipped parts, for people. */
  warnings: string[];
}

export interface FeedInput {
  bytes: Uint8Array;
  /** Their address after redirects. */
  url: string;
  /** From the Content-Type. */
  charset?: string | undefined;
  contentLanguage?: string | undefined;
}

/** Result of reading a feed. */
export interface FeedArticles {
  dialect: FeedDialect;
  title: string;
  language: string | null;
  articles: FeedArticle[];
  warnings: string[];
}

/** Reads untrusted feeds. */
export interface FeedReader {
  /**
   * @param max maximum articles
   * @throws AppError VALIDATION_ERROR with `details.reason`: not_a_feed (with `details.feeds` that a web page names),
   * empty; PAYLOAD_TOO_LARGE: timeout, out_of_memory
   */
  articles(input: FeedInput, max: number): Promise<FeedArticles>;
  /** Aborts running reads. */
  close(): Promise<void>;
}
