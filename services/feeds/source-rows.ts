import type { Row } from '../../adapters/postgres/database.ts';
import type { FeedKind, FeedSource } from '../../contracts/feeds/feeds.ts';
import type { Columns, Tables } from '../../prisma/rows.ts';

export interface SourceRow
  extends
    Row,
    Columns<
      'feed_sources',
      | 'feed_id'
      | 'title'
      | 'url'
      | 'enabled'
      | 'categories'
      | 'language'
      | 'etag'
      | 'last_modified'
      | 'last_fetched_at'
      | 'last_status'
      | 'last_error'
      | 'failures'
      | 'retry_at'
      | 'created_by'
      | 'created_at'
      | 'updated_at'
    > {
  kind: FeedKind;
  settings: Record<string, unknown>;
  /** Sealed. */
  credentials: Tables['feed_sources']['credentials'];
  /** Hash of its entry in the seed file. */
  seeded: Tables['feed_sources']['seeded'];
}

/** Fields that people set. */
export type Definition = Pick<SourceRow, 'kind' | 'title' | 'url' | 'enabled' | 'categories' | 'language' | 'settings' | 'credentials'>;

/** Defaults of a new source. */
export const blank: Omit<Definition, 'url'> = {
  kind: 'rss',
  title: '',
  enabled: true,
  categories: [],
  language: null,
  settings: {},
  credentials: null,
};

/** @param names of its credentials */
export const viewOf = (row: SourceRow, names: string[]): FeedSource => ({
  feed_id: row.feed_id,
  kind: row.kind,
  title: row.title,
  url: row.url,
  enabled: row.enabled,
  categories: row.categories,
  language: row.language,
  settings: row.settings,
  credentials: names,
  last_fetched_at: row.last_fetched_at?.toISOString() ?? null,
  last_status: row.last_status,
  last_error: row.last_error,
  failures: row.failures,
  retry_at: row.retry_at?.toISOString() ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
