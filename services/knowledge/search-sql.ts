import type { Place } from '../../adapters/parsers/index.ts';
import type { Database, Row } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import type { CodeBlock } from '../../engines/retrieval/chunking.ts';
import type { LexicalHit } from '../../engines/retrieval/fusion.ts';
import type { Neighbour } from '../../engines/retrieval/neighbours.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { Seen } from './lexical.ts';
import { idf } from '../../engines/retrieval/terms.ts';

/** The statements of a search. Each names the tenant, beside row-level security. */

type Query = Database['query'];

/** The searched documents, and filters. */
export interface Scope {
  tenant: string;
  /** One number per knowledge base. */
  scopes: number[];
  /** Documents that are building, replaced or being deleted: their chunks are excluded. */
  hidden: string[];
  chunks: number;
  /** Average length of a chunk in terms. */
  averageTerms: number;
  /** Undefined: any source. */
  sources: string[] | undefined;
  hasCode: boolean | undefined;
  /** Data for the word indexes of this snapshot. */
  seen?: Seen[];
}

/** Sources that match the filters. */
export async function filteredSources(query: Query, tenant: string, scopes: number[], tags: string[], ids: string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select s.id from knowledge_sources s join knowledge_bases b on b.tenant_id = s.tenant_id and b.id = s.kb_id
     where s.tenant_id = $1 and b.scope = any($2) and ($3::text[] is null or s.tags @> $3) and ($4::text[] is null or s.id = any($4))`,
    [tenant, scopes, tags.length > 0 ? tags : null, ids.length > 0 ? ids : null],
  );
  return rows.map((row) => row.id);
}

export async function bases(query: Query, tenant: string): Promise<{ id: string; scope: number }[]> {
  return await query<{ id: string; scope: number }>(prepared('select id, scope from knowledge_bases where tenant_id = $1 order by id'), [
    tenant,
  ]);
}

export async function statistics(
  query: Query,
  tenant: string,
  scopes: number[],
): Promise<Pick<Scope, 'hidden' | 'chunks' | 'averageTerms'>> {
  const [row] = await query<{ chunks: number; terms: string; hidden: string[] }>(
    `select coalesce(sum(chunk_count) filter (where status = 'active'), 0)::int as chunks,
       coalesce(sum(terms) filter (where status = 'active'), 0) as terms,
       coalesce(array_agg(id) filter (where status <> 'active'), '{}') as hidden
     from documents where tenant_id = $1 and scope = any($2)`,
    [tenant, scopes],
  );
  const chunks = row?.chunks ?? 0;
  return { chunks, averageTerms: chunks > 0 ? Number(row?.terms) / chunks : 0, hidden: row?.hidden ?? [] };
}

const k1 = 1.2;
const b = 0.75;

/**
 * Exact BM25 over the posting rows, as `bm25` in terms.ts computes it.
 * @param terms each with its number of occurrences in the query, or another factor of its idf
 * @returns hits best first, each with its coverage, and the idf of every term, repeated by its occurrences in the
 * query (without meaning for other factors)
 */
export async function byWords(
  query: Query,
  scope: Scope,
  terms: ReadonlyMap<string, number>,
  limit: number,
): Promise<{ hits: LexicalHit[]; idfs: number[] }> {
  const filtered = scope.sources !== undefined || scope.hasCode !== undefined;
  const values = [scope.tenant, scope.scopes, [...terms.keys()], [...terms.values()], scope.chunks, scope.averageTerms || 1, scope.hidden];
  const rows = await query<{ id: string | null; score: number; matched: number; dfs: Record<string, number> | null }>(
    `with hidden as materialized (select id from chunks where tenant_id = $1 and document_id = any($7)),
     hits as materialized (
       select p.chunk_id, p.term, p.tf, p.dl from postings p
       where p.tenant_id = $1 and p.scope = any($2) and p.term = any($3::text[]) and p.chunk_id not in (select id from hidden)
     ), dfs as materialized (select term, count(*)::int as df from hits group by term
     ), weights as (
       select d.term, q.times * ln(1 + ($5 - d.df + 0.5::float8) / (d.df + 0.5::float8)) as weight
       from dfs d join unnest($3::text[], $4::float8[]) q(term, times) on q.term = d.term
     ), scored as (
       select h.chunk_id as id, sum(w.weight * h.tf * ${k1 + 1} / (h.tf + ${k1} * (${1 - b} + ${b} * h.dl / $6::float8))) as score,
         sum(w.weight) as matched
       from hits h join weights w on w.term = h.term group by h.chunk_id
     )
     select s.id, s.score, s.matched, d.dfs from (select json_object_agg(term, df) as dfs from dfs) d
     left join lateral (
       select s.id, s.score, s.matched from scored s
       ${filtered ? 'join chunks c on c.tenant_id = $1 and c.id = s.id and ($8::text[] is null or c.source_id = any($8)) and ($9::boolean is null or c.has_code = $9)' : ''}
       order by s.score desc, s.id limit ${limit}
     ) s on true order by s.score desc, s.id`,
    filtered ? [...values, scope.sources ?? null, scope.hasCode ?? null] : values,
  );
  const dfs = rows[0]?.dfs ?? {};
  const idfs = [...terms].flatMap(([term, times]) => Array.from({ length: Math.ceil(times) }, () => idf(dfs[term] ?? 0, scope.chunks)));
  const whole = [...terms].reduce((sum, [term, times]) => sum + times * idf(dfs[term] ?? 0, scope.chunks), 0) || 1;
  return {
    hits: rows.flatMap(({ id, score, matched }) => (id === null ? [] : [{ id, score, coverage: Math.min(1, matched / whole) }])),
    idfs,
  };
}

/** The idf of each term, in the given order. */
export async function idfsByRows(query: Query, scope: Scope, terms: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<{ term: string; df: number }>(
    `with hidden as materialized (select id from chunks where tenant_id = $1 and document_id = any($4))
     select term, count(*)::int as df from postings
     where tenant_id = $1 and scope = any($2) and term = any($3::text[]) and chunk_id not in (select id from hidden) group by term`,
    [scope.tenant, scope.scopes, terms, scope.hidden],
  );
  const dfs = new Map(rows.map(({ term, df }) => [term, df]));
  return new Map(terms.map((term) => [term, idf(dfs.get(term) ?? 0, scope.chunks)]));
}

/**
 * Terms that several of these passages share, each with its share of a passage's terms, weighted and summed. Passages of
 * conversations are left out: one has several subjects.
 * @param passages each with its weight
 * @param own terms to leave out
 */
export async function sharedTerms(
  query: Query,
  { tenant }: Scope,
  passages: readonly { id: string; weight: number }[],
  own: readonly string[],
  sharedBy: number,
): Promise<{ term: string; share: number }[]> {
  return await query<{ term: string; share: number }>(
    prepared(`select p.term, sum(w.weight * p.tf / p.dl order by p.chunk_id) as share
     from unnest($2::bigint[], $3::float8[]) w(id, weight)
     join chunks c on c.tenant_id = $1 and c.id = w.id and jsonb_array_length(c.turns) = 0
     join postings p on p.tenant_id = $1 and p.chunk_id = w.id and p.term <> all($4::text[])
     group by p.term having count(*) >= $5 order by p.term`),
    [tenant, passages.map(({ id }) => id), passages.map(({ weight }) => weight), own, sharedBy],
  );
}

export interface FoundChunk extends Row, Columns<'chunks', 'id' | 'document_id' | 'ordinal' | 'body' | 'has_code' | 'source_id'> {
  context: string | null;
  place: Place;
  end_place: Place;
  code_blocks: CodeBlock[];
  kb_id: string;
  source: string;
  type: string;
  url: string | null;
  tags: string[];
}

export async function chunksById(query: Query, tenant: string, ids: string[]): Promise<Map<string, FoundChunk>> {
  const rows = await query<FoundChunk>(
    prepared(`select c.id, c.document_id, c.ordinal, c.title as context, c.body, c.place, c.end_place, c.has_code, c.code_blocks,
       s.id as source_id, s.kb_id, s.title as source, s.type, s.url, s.tags
     from chunks c join knowledge_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
     where c.tenant_id = $1 and c.id = any($2::bigint[])`),
    [tenant, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Those of the passages that are of a conversation (the reader found turns in them), each with what stands up to
 * `reach` passages before and after it.
 */
export async function neighboursOf(query: Query, { tenant, hasCode }: Scope, ids: string[], reach: number): Promise<Neighbour[]> {
  const rows = await query<{ id: string; of: string; step: number; turns: number; speakers: (string | null)[] }>(
    prepared(`select n.id::text as id, c.id::text as of, n.ordinal - c.ordinal as step, jsonb_array_length(c.turns) as turns, jsonb_path_query_array(n.turns, '$[*][2]') as speakers
     from chunks c cross join lateral (select id, ordinal, turns from chunks
       where tenant_id = $1 and document_id = c.document_id and ordinal between c.ordinal - $3 and c.ordinal + $3
         and ($4::boolean is null or has_code = $4) offset 0) n
     where c.tenant_id = $1 and c.id = any($2::bigint[]) and jsonb_array_length(c.turns) > 0 order by c.id, n.ordinal`),
    [tenant, ids, reach, hasCode ?? null],
  );
  return rows.map(({ speakers, ...row }) => ({ ...row, speakers: [...new Set((speakers ?? []).filter((each) => each !== null))] }));
}
