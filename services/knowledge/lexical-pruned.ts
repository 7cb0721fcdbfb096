import type { Database } from '../../adapters/postgres/database.ts';
import type { LexicalHit } from '../../engines/retrieval/fusion.ts';
import type { Scope } from './search-sql.ts';
import { idf } from '../../engines/retrieval/terms.ts';

export interface Bounds {
  /** Postings of a word counted exactly; beyond, the frequency is estimated from the range of ids. */
  counted: number;
  /** Postings read to choose candidates. */
  read: number;
  /** Candidates that are scored by all words; five times as many if filters may remove some. */
  candidates: number;
}

const usual: Bounds = { counted: 1_000, read: 20_000, candidates: 400 };

const k1 = 1.2;
const b = 0.75;

/**
 * An approximation of `byWords` for collections where reading every posting would take too long: the rare words
 * choose candidates, which are then scored by all words. Document frequencies of common words are estimates.
 */
export async function byRareWords(
  query: Database['query'],
  scope: Scope,
  terms: ReadonlyMap<string, number>,
  limit: number,
  bounds = usual,
): Promise<{ hits: LexicalHit[]; idfs: number[] }> {
  const dfs = await frequencies(query, scope, [...terms.keys()], bounds.counted);
  const weighed = [...terms].map(([term, times]) => {
    const df = Math.min(dfs.get(term) ?? 0, scope.chunks);
    return { term, df, times, idf: idf(df, scope.chunks) };
  });
  const idfs = weighed.flatMap((each) => Array.from({ length: Math.ceil(each.times) }, () => each.idf));
  const known = weighed.filter(({ df }) => df > 0).sort((x, y) => x.df - y.df);
  let read = 0;
  // The rarest word is always read.
  const rare = known.filter(({ df }, i) => (read += df) <= bounds.read || i === 0);
  const common = known.slice(rare.length);
  if (rare.length === 0) return { hits: [], idfs };

  const filtered = scope.sources !== undefined || scope.hasCode !== undefined;
  const candidates = Math.max(bounds.candidates * (filtered ? 5 : 1), 2 * limit);
  const saturation = `p.tf * ${k1 + 1} / (p.tf + ${k1} * (${1 - b} + ${b} * p.dl / $7::float8))`;
  const hits = await query<{ id: string; score: number; matched: number }>(
    `with chosen as materialized (
       select p.scope, p.chunk_id as id, sum(w.weight * ${saturation}) as score, sum(w.weight) as matched
       from unnest($3::text[], $4::float8[]) w(term, weight)
       cross join lateral (select scope, chunk_id, tf, dl from postings where tenant_id = $1 and scope = any($2) and term = w.term offset 0) p
       group by p.scope, p.chunk_id order by score desc, id limit ${candidates}
     ), kept as materialized (
       select h.* from chosen h join chunks c on c.tenant_id = $1 and c.id = h.id
       where not c.document_id = any($8) and ($9::text[] is null or c.source_id = any($9)) and ($10::boolean is null or c.has_code = $10)
     )
     select k.id, k.score + coalesce(sum(w.weight * ${saturation}), 0) as score,
       k.matched + coalesce(sum(w.weight) filter (where p.tf is not null), 0) as matched
     from kept k
     left join unnest($5::text[], $6::float8[]) w(term, weight) on true
     left join lateral (
       select tf, dl from postings where tenant_id = $1 and scope = k.scope and term = w.term and chunk_id = k.id offset 0
     ) p on true
     group by k.id, k.score, k.matched order by 2 desc, 1 limit ${limit}`,
    [
      scope.tenant,
      scope.scopes,
      rare.map(({ term }) => term),
      rare.map((each) => each.times * each.idf),
      common.map(({ term }) => term),
      common.map((each) => each.times * each.idf),
      scope.averageTerms || 1,
      scope.hidden,
      scope.sources ?? null,
      scope.hasCode ?? null,
    ],
  );
  const whole = weighed.reduce((sum, { times, idf: value }) => sum + times * value, 0) || 1;
  return { hits: hits.map(({ id, score, matched }) => ({ id, score, coverage: Math.min(1, matched / whole) })), idfs };
}

/** The idf of each term, in the given order; those of common words are estimates. */
export async function idfsOfRareWords(
  query: Database['query'],
  scope: Scope,
  terms: readonly string[],
  counted = usual.counted,
): Promise<Map<string, number>> {
  const dfs = await frequencies(query, scope, terms, counted);
  return new Map(terms.map((term) => [term, idf(Math.min(dfs.get(term) ?? 0, scope.chunks), scope.chunks)]));
}

/** Document frequencies; above `counted` estimated from the share of ids in which that many were found. */
async function frequencies(
  query: Database['query'],
  { tenant, scopes }: Scope,
  terms: readonly string[],
  counted: number,
): Promise<Map<string, number>> {
  const rows = await query<{ term: string; n: number; first: string | null; reached: string | null; last: string | null }>(
    `select q.term, p.n, p.first, p.reached, case when p.n = ${counted} then (
         select max(chunk_id) from postings where tenant_id = $1 and scope = s.scope and term = q.term
       ) end as last
     from unnest($2::int[]) s(scope) cross join unnest($3::text[]) q(term)
     cross join lateral (
       select count(*)::int as n, min(chunk_id) as first, max(chunk_id) as reached from (
         select chunk_id from postings where tenant_id = $1 and scope = s.scope and term = q.term order by chunk_id limit ${counted}
       ) few
     ) p`,
    [tenant, scopes, terms],
  );
  const dfs = new Map<string, number>();
  for (const { term, n, first, reached, last } of rows) {
    const share = last === null ? 1 : (Number(reached) - Number(first) + 1) / (Number(last) - Number(first) + 1);
    dfs.set(term, (dfs.get(term) ?? 0) + Math.round(n / share));
  }
  return dfs;
}
