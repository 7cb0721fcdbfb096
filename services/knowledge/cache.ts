import { LRUCache } from 'lru-cache';
import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import { hashOf } from '../../contracts/ids.ts';

/** Settings for cached search answers (MCP_CACHE_*). */
export interface CacheSettings {
  ttlSeconds: number;
  maxMb: number;
}

/** The answer of a search, and the version of the searched documents. */
interface Kept<T> {
  version: string;
  answer: T;
}

/**
 * Cached search answers, per process. An answer is valid while the version of its documents is unchanged, so a write
 * by any process invalidates it. Least recently used answers are evicted when memory is short.
 */
export class AnswerCache<T extends object> {
  private readonly kept: LRUCache<string, Kept<T>>;

  /** @param sizeOf approximate bytes of an answer */
  constructor({ ttlSeconds, maxMb }: CacheSettings, sizeOf: (answer: T) => number) {
    this.kept = new LRUCache({
      maxSize: maxMb * 1024 * 1024,
      ttl: ttlSeconds * 1000,
      sizeCalculation: ({ version, answer }, key) => key.length + version.length + 100 + sizeOf(answer),
    });
  }

  /** The cached answer, of any version. */
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

/** Versions that are known already, because the word index was found unchanged since they were read. */
export class Versions {
  private readonly known = new WeakMap<object, string>();

  /**
   * As `versionOf`, without a statement for a known version.
   * @param settled one per scope: the state that the snapshot was found equal to; null: none
   */
  async of(
    query: Database['query'],
    tenant: string,
    scopes: readonly number[],
    settled: readonly (object | null)[] = [],
  ): Promise<string | null> {
    const states = settled.filter((state) => state !== null);
    const known = states.flatMap((state) => this.known.get(state) ?? []);
    if (scopes.length > 0 && known.length === scopes.length) return known.join(' ');
    const version = await versionOf(query, tenant, scopes);
    const each = version?.split(' ') ?? [];
    if (states.length === scopes.length && each.length === scopes.length)
      for (const [i, state] of states.entries()) this.known.set(state, each[i]!);
    return version;
  }
}

/** Cache key of a query. Differences in white space are ignored; case matters to models and identifiers. */
export const cacheKey = (tenant: string, query: string, parameters: Record<string, unknown>): string =>
  `${tenant} ${hashOf({ ...parameters, query: query.normalize('NFKC').replace(/\s+/g, ' ').trim() })}`;

/**
 * Version of the documents of some scopes in this snapshot. Equal versions mean equal documents: every visible change
 * of a document has its transaction id, later ones are higher, and the row count reveals deletions.
 * @returns null while an open transaction may still commit below the latest change: then the version is unknown
 */
export async function versionOf(query: Database['query'], tenant: string, scopes: readonly number[]): Promise<string | null> {
  const rows = await query<{ changed: string | null; documents: number; settled: boolean }>(
    prepared(`select latest.changed::text, coalesce(latest.changed < settled_moment(), true) as settled,
       (select count(*)::int from documents where tenant_id = $1 and scope = s.scope) as documents
     from unnest($2::int[]) with ordinality s(scope, place)
     left join lateral (select changed from documents where tenant_id = $1 and scope = s.scope order by changed desc limit 1) latest on true
     order by s.place`),
    [tenant, scopes],
  );
  if (rows.some((row) => !row.settled)) return null;
  return rows.map(({ changed, documents }, i) => `${scopes[i]}:${changed ?? ''}:${documents}`).join(' ');
}
