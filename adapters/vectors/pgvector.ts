import type { Database } from '../postgres/database.ts';
import { prepared } from '../postgres/prepared.ts';
import { currentScope } from '../postgres/tenancy.ts';
import type { Near, VectorStore } from './types.ts';

/** Up to this number all vectors are compared; beyond it the index is faster, with nearly the same neighbours. */
const exactUpTo = 5_000;

/**
 * The vectors beside the chunks. The statement names the tenant, beside row-level security, and is sent unnamed with
 * its values, so that Postgres plans it for this tenant: a prepared plan for a big tenant misses a small one's
 * neighbours. Must run inside a transaction.
 */
export const pgvector: VectorStore = {
  name: 'pgvector',

  async nearest({ tenant, scopes, model, vector, limit, hidden, chunks, documents, sources, hasCode }, query): Promise<Near[]> {
    const where = `c.tenant_id = $1 and c.scope = any($2) and c.model = $3 and not c.document_id = any($4)
    and ($5::text[] is null or c.source_id = any($5)) and ($6::boolean is null or c.has_code = $6)
    and ($7::text[] is null or c.document_id = any($7))`;
    const values = [tenant, scopes, model, hidden, sources ?? null, hasCode ?? null, documents ?? null];
    const filtered = sources !== undefined || hasCode !== undefined || documents !== undefined || currentScope() !== null;
    // Counting is worthwhile only with filters.
    const few = chunks <= exactUpTo || (filtered && (await fewMatch(query, where, values)));
    if (!few) {
      // Iterative index scans continue until enough rows match the filters.
      await query(
        prepared(`select set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.max_scan_tuples', '60000', true)`),
        [String(Math.min(1000, Math.max(100, limit)))],
      );
    }
    // The condition on the length selects the partial index of this length. It is a literal, because a plan for any length could
    // use none. Distances stand in no condition, so that none is computed for a vector of another length.
    const ofLength = `halfvec(${vector.length})`;
    const distance = `c.embedding::${ofLength} <=> $8::${ofLength}`;
    const candidates = `select c.id, (${distance})::float8 as distance from chunks c where ${where} and vector_dims(c.embedding) = ${vector.length}`;
    return await query<{ id: string; score: number }>(
      `with near as materialized (${few ? candidates : `${candidates} order by ${distance} limit ${limit}`})
     select id, 1 - distance as score from near order by distance, id limit ${limit}`,
      [...values, `[${vector.join(',')}]`],
    );
  },
};

async function fewMatch(query: Database['query'], where: string, values: unknown[]): Promise<boolean> {
  const [row] = await query<{ n: number }>(
    `select count(*)::int as n from (select 1 from chunks c where ${where} limit ${exactUpTo + 1}) m`,
    values,
  );
  return (row?.n ?? 0) <= exactUpTo;
}
