import type { ApiArticle, FeedArticle, StoredArticle } from '../../../contracts/feeds/feeds.ts';
import type { Notifications } from '../../outbound/index.ts';

/** The functions of feeds (services/feeds) that a run needs. */
export interface BriefFeeds {
  sources: {
    list(tenant: string, filter: { enabled?: boolean | undefined }): Promise<{ feed_id: string; failures: number }[]>;
    get(tenant: string, feedId: string): Promise<{ feed_id: string; kind: 'rss' | 'api'; title: string }>;
  };
  rss: {
    fetch(
      tenant: string,
      feedId: string,
      options: { maxArticles?: number; timeoutMs?: number; signal?: AbortSignal },
    ): Promise<{ articles: FeedArticle[]; feed_title: string }>;
  };
  api: { fetch(tenant: string, feedId: string, options: { signal?: AbortSignal }): Promise<{ articles: ApiArticle[] }> };
  webpages: {
    fetch(
      url: string,
      options: { extractContent?: boolean; extractMetadata?: boolean; signal?: AbortSignal },
    ): Promise<{ content?: string | null }>;
  };
  articles: {
    store(
      tenant: string,
      runId: string,
      articles: StoredArticle[],
    ): Promise<{ stored_count: number; failed_count: number; storage_stats: { duplicates_skipped: number } }>;
  };
  logs: { log(tenant: string, entry: RunEntry): Promise<unknown> };
}

export interface RunStats {
  sources_checked: number;
  articles_fetched: number;
  articles_stored: number;
  duplicates_skipped: number;
  brief_generated: boolean;
  errors: string[];
}

/** The record of a run, in the form of `log_ingestion_run`. */
export interface RunEntry {
  run_id: string;
  status: 'running' | 'completed' | 'failed';
  stats?: RunStats;
  started_at: string;
  completed_at?: string;
}

export type BriefNotifications = Pick<Notifications, 'send' | 'check'>;
