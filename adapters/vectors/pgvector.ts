import type { Database } from '../postgres/database.ts';
import { prepared } from '../postgres/prepared.ts';
import { currentScope } from '../postgres/tenancy.ts';
import type { Near, VectorStore } from './types.ts';

export interface ScanLimits {
  /** Up to this number all vectors are compared, whatever else the index has. */
  exactUpTo: number;
  /** Rows of the index that a search reads at most. */
  mostScanned: number;
}

/** How many vectors are compared in the time in which the index gives one row (1.4 µs each; measured among 275,000). */
const comparedPerRow = 8;

/**
 * The vectors beside the chunks. The statement names the tenant, beside row-level security, and is sent unnamed with
 * its values, so that Postgres plans it for this tenant: a prepared plan for a big tenant misses a small one's
 * neighbours. Must run inside a transaction.
 */
export const pgvectorStore = ({ exactUpTo, mostScanned }: ScanLimits): VectorStore => ({
  name: 'pgvector',

  async nearest({ tenant, scopes, model, vector, limit, hidden, chunks, documents, sources, hasCode }, query): Promise<Near[]> {
    const where = `c.tenant_id = $1 and c.scope = any($2) and c.model = $3 and not c.document_id = any($4)
    and ($5::text[] is null or c.source_id = any($5)) and ($6::boolean is null or c.has_code = $6)
    and ($7::text[] is null or c.document_id = any($7))`;
    const values = [tenant, scopes, model, hidden, sources ?? null, hasCode ?? null, documents ?? null];
    const filtered = sources !== undefined || hasCode !== undefined || documents !== undefined || currentScope() !== null;
    // The condition on the length selects the partial index of this length. It is a literal, because a plan for any length could
    // use none. Distances stand in no condition, so that none is computed for a vector of another length.
    const ofLength = `halfvec(${vector.length})`;
    const distance = `c.embedding::${ofLength} <=> $8::${ofLength}`;
    const candidates = `select c.id, (${distance})::float8 as distance from chunks c where ${where} and vector_dims(c.embedding) = ${vector.length}`;
    const found = (near: string): Promise<Near[]> =>
      query<{ id: string; score: number }>(
        `with near as materialized (${near}) select id, 1 - distance as score from near order by distance, id limit ${limit}`,
        [...values, `[${vector.join(',')}]`],
      );

    if (chunks <= exactUpTo) return await found(candidates);
    const all = await vectorsInIndex(query, vector.length);
    const few = Math.max(exactUpTo, exactIsFasterUpTo(all, limit));
    // Counting is worthwhile only with filters.
    if (chunks <= few || (filtered && (await matchesUpTo(few, query, where, values)))) return await found(candidates);
    // Iterative index scans continue until enough rows match the filters. Without a sort only the index is left: Postgres expects
    // too few rows of a tenant, and would compare and sort them all.
    await query(
      prepared(`select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.max_scan_tuples', $2, true), set_config('enable_sort', 'off', true)`),
      [String(Math.min(1000, Math.max(100, limit))), String(mostScanned)],
    );
    const near = await found(`${candidates} order by ${distance} limit ${limit}`);
    await query(prepared(`select set_config('enable_sort', 'on', true)`));
    // Fewer than there are: the scan read as much as it may, nearly all of it other tenants'. An index that can be read whole has
    // no more (a new model's, while it grows), and comparing all must not take longer than the scan did.
    const gaveUp = near.length < Math.min(limit, exactUpTo) && all > mostScanned;
    return gaveUp && chunks <= comparedPerRow * mostScanned ? await found(candidates) : near;
  },
});

export const pgvector = pgvectorStore({ exactUpTo: 5_000, mostScanned: 60_000 });

/** Vectors of all tenants, by Postgres's own estimate; 0 before the first vacuum. */
async function vectorsInIndex(query: Database['query'], length: number): Promise<number> {
  const [index] = await query<{ all: number }>(
    prepared('select reltuples::float8 as all from pg_class where relname = $1 and relkind = $2'),
    [`chunks_vectors_${length}`, 'i'],
  );
  return Math.max(0, index?.all ?? 0);
}

/**
 * All tenants share the index, so of its rows only the share of those that match is of use: reading `limit` of `n` rows
 * among `all` costs `limit · all / n` rows. Comparing all `n` is faster while n² is below that by `comparedPerRow`.
 */
const exactIsFasterUpTo = (all: number, limit: number): number => Math.floor(Math.sqrt(comparedPerRow * limit * all));

/** Whether at most `limit` passages match. */
async function matchesUpTo(limit: number, query: Database['query'], where: string, values: unknown[]): Promise<boolean> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from (select 1 from chunks c where ${where} limit ${limit + 1}) m`,
    values,
  );
  return (row?.n ?? 0) <= limit;
}
