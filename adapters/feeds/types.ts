import type { FeedArticle } from '../../contracts/feeds/feeds.ts';

/** Text of a feed that may be markup. */
export interface FeedText {
  value: string;
  /** As the feed says, or as it looks: `text/plain`, `text/html`, `application/xhtml+xml`, or a media type of its own. */
  type: string;
  /** `xml:lang` in force. */
  language: string | null;
}

export interface FeedLink {
  /** Absolute where the base allows it. */
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

/** An address that is no article: sound, picture, file. */
export interface FeedEnclosure {
  href: string;
  type: string | null;
  length: string | null;
}

/** When something happened: what the feed wrote, and what that means; null where it cannot be read. */
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

/** What feeds and entries have in common. */
export interface FeedItem extends FeedDates {
  id: string | null;
  title: FeedText | null;
  /** Where a person reads it; absolute where the base allows it. */
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
  /** The feed it was taken from. */
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
  /** What was guessed, mended or left out, for people. */
  warnings: string[];
}

export interface FeedInput {
  bytes: Uint8Array;
  /** Where they were fetched from, after redirects. */
  url: string;
  /** Of the Content-Type. */
  charset?: string | undefined;
  contentLanguage?: string | undefined;
}

/** What is told of a feed. */
export interface FeedArticles {
  dialect: FeedDialect;
  title: string;
  language: string | null;
  articles: FeedArticle[];
  warnings: string[];
}

/** Reads feeds that may be hostile. */
export interface FeedReader {
  /**
   * @param max articles at most
   * @throws AppError VALIDATION_ERROR with `details.reason`: not_a_feed (with `details.feeds` that a web page
   * names), empty; PAYLOAD_TOO_LARGE: timeout, out_of_memory
   */
  articles(input: FeedInput, max: number): Promise<FeedArticles>;
  /** Ends what is being read. */
  close(): Promise<void>;
}
