import type { Database } from '../../adapters/postgres/database.ts';
import { AppError } from '../../contracts/errors.ts';
import type { SourceRow } from './source-rows.ts';

/** An answered fetch, including 304. */
export interface Answered {
  status: number;
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** JSON to store with the source; undefined: unchanged. */
  copy?: string | undefined;
}

export interface Failed {
  /** Null: no answer. */
  status: number | null;
  message: string;
  /** The site's requested pause. */
  retryAfterSeconds?: number | undefined;
}

/** Records an answered fetch. */
export async function recordFetch(
  db: Database,
  tenant: string,
  row: SourceRow,
  { status, etag, lastModified, copy }: Answered,
): Promise<void> {
  await db.transaction(async (query) => {
    // The source's address changed meanwhile: the result belongs to the old one.
    const [same] = await query(
      `update feed_sources set last_fetched_at = clock_timestamp(), last_status = $4, last_error = null, failures = 0, retry_at = null,
         etag = $5, last_modified = $6 where tenant_id = $1 and feed_id = $2 and url = $3 returning 1`,
      [tenant, row.feed_id, row.url, status, etag ?? null, lastModified ?? null],
    );
    if (!same || copy === undefined) return;
    await query(
      `insert into feed_copies (tenant_id, feed_id, articles) values ($1, $2, $3)
       on conflict (tenant_id, feed_id) do update set articles = excluded.articles, kept_at = clock_timestamp()`,
      [tenant, row.feed_id, copy],
    );
  });
}

/** Records a failed fetch. */
export async function recordFailure(
  db: Database,
  tenant: string,
  row: SourceRow,
  { status, message, retryAfterSeconds }: Failed,
): Promise<void> {
  await db.query(
    `update feed_sources set last_fetched_at = clock_timestamp(), last_status = $4, last_error = $5, failures = failures + 1,
       retry_at = clock_timestamp() + make_interval(secs => $6::double precision)
     where tenant_id = $1 and feed_id = $2 and url = $3`,
    [tenant, row.feed_id, row.url, status, message.slice(0, 500), retryAfterSeconds ?? null],
  );
}

/** The refusal during a site's requested pause. */
export const asksToWait = (feedId: string, status: number, seconds: number): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', `The site of "${feedId}" asks to wait ${seconds} seconds.`, {
    hint: `Try again in ${seconds} seconds.`,
    details: { reason: 'retry_after', feed_id: feedId, http_status: status },
    retryAfterSeconds: seconds,
  });
