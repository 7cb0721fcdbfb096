import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { AppError } from '../../contracts/errors.ts';
import { checkHeaders } from '../../contracts/headers.ts';
import { rssFeedSettings, type FeedKind, type FeedSource } from '../../contracts/feeds/feeds.ts';
import { countedPage, keysetPage, matching, up, type CountedPage, type List, type Paging } from '../kernel/paging.ts';
import { assertRoom } from '../kernel/room.ts';
import { lock } from '../kernel/locks.ts';
import { Service } from '../kernel/service.ts';
import { asksToWait, recordFailure, recordFetch, type Answered, type Failed } from './fetch-records.ts';
import { checkApiSettings } from './api-settings.ts';
import { checkReferences, filled } from './references.ts';
import { blank, viewOf, type Definition, type SourceRow } from './source-rows.ts';

/** Per tenant. */
const mostSources = 2_000;

/** Fields that are not given stay; a new source needs a url. */
export interface GivenSource {
  feed_id: string;
  kind?: FeedKind | undefined;
  title?: string | undefined;
  url?: string | undefined;
  enabled?: boolean | undefined;
  categories?: string[] | undefined;
  language?: string | null | undefined;
  settings?: Record<string, unknown> | undefined;
  /** Replaces all of them; `{}` removes them. */
  credentials?: Record<string, string> | undefined;
}

export interface SourceFilter {
  kind?: FeedKind | undefined;
  enabled?: boolean | undefined;
  category?: string | undefined;
}

const listOf = (tenant: string, { kind, enabled, category }: SourceFilter): List => ({
  select: '*',
  from: 'feed_sources',
  ...matching({ 'tenant_id = $': tenant, 'kind = $': kind, 'enabled = $': enabled, '$ = any(categories)': category }),
  order: [up('feed_id collate "C"')],
});

/** A tenant's feeds: addresses, settings, and results of fetches. */
export class Sources extends Service<'secrets' | 'web'> {
  /**
   * Creates or changes a source.
   * @param by the caller
   * @param options.seed hash of its entry in the seed file
   * @throws AppError VALIDATION_ERROR: no url, an address that may not be fetched, a `${name}` without a value,
   * credentials for another host; CONFLICT when there are too many
   */
  async save(
    tenant: string,
    given: GivenSource,
    by: string,
    { seed }: { seed?: string } = {},
  ): Promise<{ source: FeedSource; created: boolean }> {
    return await this.db.transaction(async (query) => {
      // Of two concurrent calls that create the same source, the second one changes it.
      await lock(query, `feed ${tenant} ${given.feed_id}`);
      const [known] = await query<SourceRow>('select * from feed_sources where tenant_id = $1 and feed_id = $2', [tenant, given.feed_id]);
      if (!known) await assertRoom(query, roomOf(tenant, given.feed_id));
      const next = this.merged(known, given);
      // The stored copy is from another address or other settings.
      const moved = known !== undefined && (known.url !== next.url || known.kind !== next.kind || !!given.settings || !!given.credentials);
      if (moved) await query('delete from feed_copies where tenant_id = $1 and feed_id = $2', [tenant, given.feed_id]);
      const [row] = await query<SourceRow>(
        `insert into feed_sources as s (tenant_id, feed_id, kind, title, url, enabled, categories, language, settings, credentials, seeded, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (tenant_id, feed_id) do update set kind = excluded.kind, title = excluded.title, url = excluded.url,
           enabled = excluded.enabled, categories = excluded.categories, language = excluded.language, settings = excluded.settings,
           credentials = excluded.credentials, seeded = excluded.seeded, updated_at = clock_timestamp(),
           etag = case when $13 then null else s.etag end, last_modified = case when $13 then null else s.last_modified end,
           retry_at = case when $13 then null else s.retry_at end, failures = case when $13 then 0 else s.failures end
         returning *`,
        [
          tenant,
          given.feed_id,
          next.kind,
          next.title,
          next.url,
          next.enabled,
          next.categories,
          next.language,
          JSON.stringify(next.settings),
          next.credentials,
          seed !== undefined,
          by,
          moved,
        ],
      );
      if (seed !== undefined) {
        await query(
          `insert into feed_seeds (tenant_id, feed_id, hash) values ($1, $2, $3)
           on conflict (tenant_id, feed_id) do update set hash = excluded.hash`,
          [tenant, given.feed_id, seed],
        );
      }
      return { source: this.view(row!), created: known === undefined };
    });
  }

  /** All that match, by id. */
  async list(tenant: string, filter: SourceFilter = {}): Promise<FeedSource[]> {
    return (await keysetPage(this.deps.db.query, listOf(tenant, filter), { limit: mostSources }, (row: SourceRow) => this.view(row))).items;
  }

  /** @throws AppError VALIDATION_ERROR for a cursor of another list */
  async page(tenant: string, filter: SourceFilter & Paging): Promise<CountedPage<FeedSource>> {
    return await countedPage(this.db.query, listOf(tenant, filter), filter, (row: SourceRow) => this.view(row));
  }

  /** @throws AppError NOT_FOUND with near ids */
  async get(tenant: string, feedId: string): Promise<FeedSource> {
    return this.view(await this.row(tenant, feedId));
  }

  /**
   * Including the data of its last fetch; stored articles stay.
   * @throws AppError NOT_FOUND with near ids
   */
  async remove(tenant: string, feedId: string): Promise<void> {
    const gone = await this.db.query('delete from feed_sources where tenant_id = $1 and feed_id = $2 returning 1', [tenant, feedId]);
    if (gone.length === 0) throw await this.unknown(tenant, feedId);
  }

  /**
   * The source, if it may be fetched now.
   * @throws AppError NOT_FOUND; VALIDATION_ERROR for the other kind; CONFLICT when it is switched off;
   * RATE_LIMIT_EXCEEDED during its site's requested pause
   */
  async fetchable(tenant: string, feedId: string, kind: FeedKind): Promise<SourceRow> {
    const row = await this.row(tenant, feedId);
    if (row.kind !== kind) {
      throw new AppError('VALIDATION_ERROR', `"${feedId}" is not fetched as ${kind}.`, {
        hint: `Fetch it with feed.${row.kind}.fetch.`,
        details: { reason: 'other_kind', feed_id: feedId, kind: row.kind },
      });
    }
    if (!row.enabled) {
      throw new AppError('CONFLICT', `"${feedId}" is switched off.`, {
        hint: 'feed.source.save with {"enabled": true} switches it on.',
        details: { reason: 'disabled', feed_id: feedId },
      });
    }
    const seconds = row.retry_at === null ? 0 : Math.ceil((row.retry_at.getTime() - Date.now()) / 1000);
    if (seconds > 0) throw asksToWait(feedId, row.last_status ?? 429, seconds);
    return row;
  }

  /**
   * Values of its `${names}`.
   * @throws AppError SERVICE_UNAVAILABLE when they were sealed under another key
   */
  credentialsOf(row: Pick<SourceRow, 'credentials'>): Record<string, string> {
    return row.credentials === null ? {} : (JSON.parse(this.deps.secrets.open(row.credentials)) as Record<string, string>);
  }

  async recordFetch(tenant: string, row: SourceRow, answered: Answered): Promise<void> {
    await recordFetch(this.db, tenant, row, answered);
  }

  async recordFailure(tenant: string, row: SourceRow, failed: Failed): Promise<void> {
    await recordFailure(this.db, tenant, row, failed);
  }

  private async row(tenant: string, feedId: string): Promise<SourceRow> {
    const [row] = await this.db.query<SourceRow>('select * from feed_sources where tenant_id = $1 and feed_id = $2', [tenant, feedId]);
    if (!row) throw await this.unknown(tenant, feedId);
    return row;
  }

  private merged(known: SourceRow | undefined, given: GivenSource): Definition {
    const { feed_id: feedId, credentials } = given;
    const url = given.url === undefined ? known?.url : this.deps.web.check(given.url);
    if (url === undefined) {
      throw new AppError('VALIDATION_ERROR', `There is no source "${feedId}" yet, and a new one needs its url.`, {
        hint: 'Give the address of the feed.',
        details: { reason: 'url_missing', feed_id: feedId },
      });
    }
    // Credentials are for one host: they are not sent to another one.
    if (known?.credentials && !credentials && new URL(url).host !== new URL(known.url).host) {
      throw new AppError('VALIDATION_ERROR', `"${feedId}" has credentials for another host.`, {
        hint: 'Give its credentials again together with the new url, or {} to send none.',
        details: { reason: 'credentials_needed', feed_id: feedId },
      });
    }
    const from = known ?? blank;
    const kind = given.kind ?? from.kind;
    const settings = given.settings ?? from.settings;
    if (!known || given.settings || credentials || kind !== from.kind || url !== known.url) {
      if (kind === 'api') checkApiSettings(url, settings);
      else checkRssSettings(settings);
      const values = credentials ?? this.credentialsOf(from);
      checkReferences(settings, values);
      checkHeaders(filled((settings['headers'] ?? {}) as Record<string, string>, values));
    }
    return {
      kind,
      title: given.title ?? from.title,
      url,
      enabled: given.enabled ?? from.enabled,
      categories: given.categories ?? from.categories,
      language: given.language === undefined ? from.language : given.language,
      settings,
      credentials: credentials ? this.sealed(credentials) : from.credentials,
    };
  }

  private sealed(credentials: Record<string, string>): string | null {
    return Object.keys(credentials).length > 0 ? this.deps.secrets.seal(JSON.stringify(credentials)) : null;
  }

  private view(row: SourceRow): FeedSource {
    let names: string[] = [];
    try {
      names = Object.keys(this.credentialsOf(row)).sort();
    } catch {
      // Sealed under another key: the other fields can still be shown and corrected.
    }
    return viewOf(row, names);
  }

  private async unknown(tenant: string, feedId: string): Promise<AppError> {
    const rows = await this.db.query<{ feed_id: string }>('select feed_id from feed_sources where tenant_id = $1', [tenant]);
    const near = rows
      .map(({ feed_id: id }) => ({ id, far: distance(feedId.toLowerCase(), id.toLowerCase()) }))
      .filter(({ id, far }) => far <= Math.max(2, feedId.length / 3) || id.toLowerCase().includes(feedId.toLowerCase()))
      .sort((a, b) => a.far - b.far)
      .slice(0, 5);
    return new AppError('NOT_FOUND', `There is no feed "${feedId}".`, {
      hint: rows.length === 0 ? 'There are none yet: feed.source.save adds one.' : 'feed.source.list shows all; feed.source.save adds one.',
      alternatives: near.map(({ id }) => id),
      details: { reason: 'unknown_feed', feed_id: feedId },
    });
  }
}

function checkRssSettings(settings: Record<string, unknown>): void {
  const { error } = rssFeedSettings.safeParse(settings);
  if (!error) return;
  throw new AppError('VALIDATION_ERROR', `These are not settings of an RSS feed: ${z.prettifyError(error)}`, {
    hint: 'They may hold headers and query, e.g. {"headers": {"Authorization": "Bearer ${token}"}}.',
    details: { reason: 'settings' },
  });
}

const roomOf = (tenant: string, feedId: string) => ({
  of: `feed_sources/${tenant}`,
  most: mostSources,
  count: 'select count(*)::int as n from feed_sources where tenant_id = $1 and feed_id <> $2',
  values: [tenant, feedId],
  refusal: (n: number) =>
    new AppError('CONFLICT', `There are ${n} sources; at most ${mostSources} may be.`, {
      hint: 'Remove one that is not used (feed.source.remove).',
      details: { reason: 'too_many', limit: mostSources },
    }),
});
