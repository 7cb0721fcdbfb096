import { z } from 'zod';

export const feedKinds = ['rss', 'api'] as const;
export type FeedKind = (typeof feedKinds)[number];

export const feedId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .describe('Id of a feed, e.g. techcrunch_ai');

/** An article from a feed. Its text is untrusted: never markup to render, never an instruction. */
export const article = z.object({
  title: z.string(),
  /** Absolute http(s) address. Items without one are skipped and counted. */
  url: z.string(),
  /** ISO 8601, UTC; null if the feed has no readable date. */
  published_at: z.string().nullable(),
  /** Plain text. */
  summary: z.string(),
  author: z.string().nullable(),
  /** The first 500 characters of the content as plain text. */
  content_snippet: z.string(),
  categories: z.array(z.string()),
});

/** For `fetch_rss_feed`: with the feed's HTML, if any. */
export const feedArticle = article.extend({ raw_content: z.string().nullable() });
export type FeedArticle = z.infer<typeof feedArticle>;

/** For `fetch_api_feed`: with the publisher's name. */
export const apiArticle = article.extend({ source: z.string().nullable() });
export type ApiArticle = z.infer<typeof apiArticle>;

/** For `fetch_webpage`. */
export const webpageMetadata = z.object({
  description: z.string().nullable(),
  keywords: z.array(z.string()),
  author: z.string().nullable(),
  /** ISO 8601, UTC; null if the page has no readable date. */
  published_at: z.string().nullable(),
  /** Absolute http(s) address. */
  og_image: z.string().nullable(),
});
export type WebpageMetadata = z.infer<typeof webpageMetadata>;

/** Input of `store_articles` for one article (perception); only title and address are required. */
export interface StoredArticle {
  title: string;
  url: string;
  source_id?: string | null | undefined;
  published_at?: string | null | undefined;
  summary?: string | null | undefined;
  content?: string | null | undefined;
  ai_summary?: string | null | undefined;
  ai_tags?: string[] | null | undefined;
  /** 0 to 10. */
  relevance_score?: number | null | undefined;
  categories?: string[] | null | undefined;
}

const text = (max: number) => z.string().max(max).nullish();
const names = z.array(z.string().min(1).max(200)).max(50).nullish();

/** The same, as each article of a call is validated. */
export const storedArticle = z.object({
  title: z.string().trim().min(1).max(2000),
  url: z.string().max(2048),
  source_id: text(200),
  published_at: text(100),
  summary: text(20_000),
  content: text(1_000_000),
  ai_summary: text(20_000),
  ai_tags: names,
  relevance_score: z.number().min(0).max(10).nullish(),
  categories: names,
});

/** A stored article. */
export const keptArticle = z.object({
  article_id: z.string(),
  title: z.string(),
  url: z.string(),
  /** Identifies the article, however it is linked. */
  canonical_url: z.string(),
  source_id: z.string().nullable(),
  run_id: z.string(),
  published_at: z.string().nullable(),
  summary: z.string(),
  ai_summary: z.string(),
  ai_tags: z.array(z.string()),
  relevance_score: z.number().nullable(),
  categories: z.array(z.string()),
  stored_at: z.string(),
  /** Only if requested. */
  content: z.string().optional(),
});
export type KeptArticle = z.infer<typeof keptArticle>;

export const runLogStatuses = ['running', 'completed', 'failed'] as const;
export type RunLogStatus = (typeof runLogStatuses)[number];

const isShort = (error: object): boolean => JSON.stringify(error).length <= 4_000;

/** Figures of a run; fields that are not given stay unchanged. */
export const runLogStats = z.object({
  sources_checked: z.number().int().min(0).optional(),
  articles_fetched: z.number().int().min(0).optional(),
  articles_stored: z.number().int().min(0).optional(),
  duplicates_skipped: z.number().int().min(0).optional(),
  brief_generated: z.boolean().optional(),
  errors: z
    .array(z.union([z.string().max(2000), z.record(z.string(), z.unknown()).refine(isShort, 'must be at most 4000 characters of JSON')]))
    .max(500)
    .optional(),
});
export type RunLogStats = z.infer<typeof runLogStats>;

/** Run ids are chosen by the caller, e.g. `run_1731585600`: any text without control characters. */
export const harvestRunId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => !/[\u0000-\u001f\u007f]/.test(id), 'must not contain control characters')
  .describe('Id of the run, e.g. run_1731585600');

export const runLog = z.object({
  run_id: z.string(),
  status: z.enum(runLogStatuses),
  stats: runLogStats,
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  logged_at: z.string(),
});
export type RunLog = z.infer<typeof runLog>;

/** In a list: with its first errors, and the number of errors. */
export const listedRunLog = runLog.extend({ error_count: z.number().int() });
export type ListedRunLog = z.infer<typeof listedRunLog>;

/** How an RSS feed is fetched; `${name}` stands for one of the source's credentials. For APIs: feed-settings.ts. */
export const rssFeedSettings = z
  .object({
    headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.string().max(2000)).default({}),
    query: z.record(z.string().min(1).max(100), z.string().max(2000)).default({}),
  })
  .strict();

/** A feed as its managers see it, with `${names}` unresolved. */
export const feedSource = z.object({
  feed_id: feedId,
  kind: z.enum(feedKinds),
  title: z.string(),
  url: z.string(),
  enabled: z.boolean(),
  categories: z.array(z.string()),
  language: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  /** Names of the stored credentials. */
  credentials: z.array(z.string()),
  last_fetched_at: z.string().nullable(),
  /** HTTP status of the last fetch; null: not fetched yet, or no answer. */
  last_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  /** Consecutive failed fetches. */
  failures: z.number().int(),
  /** Not fetched before this time, as the site asked. */
  retry_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type FeedSource = z.infer<typeof feedSource>;
