import { LRUCache } from 'lru-cache';
import type { Database } from '../../adapters/postgres/database.ts';
import { hashOf } from '../../contracts/ids.ts';

/** How answers of searches are kept (MCP_CACHE_*). */
export interface CacheSettings {
  ttlSeconds: number;
  maxMb: number;
}

/** What a search answered, and the version of what it searched. */
interface Kept<T> {
  version: string;
  answer: T;
}

/**
 * Answers of searches, per process. An answer is good as long as what it covers has not changed, which the
 * version tells: so a write by any process ends it. Least recently used ones go when memory is short.
 */
export class AnswerCache<T extends object> {
  private readonly kept: LRUCache<string, Kept<T>>;

  /** @param sizeOf bytes of an answer, by and large */
  constructor({ ttlSeconds, maxMb }: CacheSettings, sizeOf: (answer: T) => number) {
    this.kept = new LRUCache({
      maxSize: maxMb * 1024 * 1024,
      ttl: ttlSeconds * 1000,
      sizeCalculation: ({ version, answer }, key) => key.length + version.length + 100 + sizeOf(answer),
    });
  }

  /** What was kept, of whatever version. */
  get(key: string): Kept<T> | undefined {
    return this.kept.get(key);
  }

  set(key: string, version: string, answer: T): void {
    this.kept.set(key, { version, answer });
  }

  delete(key: string): void {
    this.kept.delete(key);
  }
}

/** One query's key. White space does not tell queries apart; case does, as models and identifiers may care. */
export const cacheKey = (tenant: string, query: string, parameters: Record<string, unknown>): string =>
  `${tenant} ${hashOf({ ...parameters, query: query.normalize('NFKC').replace(/\s+/g, ' ').trim() })}`;

/**
 * What state the documents of some scopes are in, as this snapshot sees them. Equal versions mean equal documents:
 * every change of a document that searches must see carries its transaction, later ones are higher, and the number of
 * rows tells deletions.
 * @returns null while a transaction is open that may yet commit below the latest change: then nothing can be said
 */
export async function versionOf(query: Database['query'], tenant: string, scopes: readonly number[]): Promise<string | null> {
  const rows = await query<{ changed: string | null; documents: number; settled: boolean }>(
    `select latest.changed::text, coalesce(latest.changed < pg_snapshot_xmin(pg_current_snapshot()), true) as settled,
       (select count(*)::int from documents where tenant_id = $1 and scope = s.scope) as documents
     from unnest($2::int[]) with ordinality s(scope, place)
     left join lateral (select changed from documents where tenant_id = $1 and scope = s.scope order by changed desc limit 1) latest on true
     order by s.place`,
    [tenant, scopes],
  );
  if (rows.some((row) => !row.settled)) return null;
  return rows.map(({ changed, documents }, i) => `${scopes[i]}:${changed ?? ''}:${documents}`).join(' ');
}
