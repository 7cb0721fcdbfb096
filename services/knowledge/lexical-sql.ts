import type { Database } from '../../adapters/postgres/database.ts';
import { prepared } from '../../adapters/postgres/prepared.ts';
import { between } from '../../engines/retrieval/lexical-segment.ts';
import type { DocumentVersion, Look, Snapshot } from '../../engines/retrieval/lexical-look.ts';

/** Statements of the word indexes. Each names the tenant, beside row-level security. */

type Query = Database['query'];

/** @param base from a transaction's number to its moment, as rows have it */
function snapshotOf(text: string, base: number): Snapshot {
  const [xmin, xmax, open] = text.split(':') as [string, string, string];
  const moment = (transaction: string): number => Number(transaction) + base;
  return { xmin: moment(xmin), xmax: moment(xmax), open: new Set(open === '' ? [] : open.split(',').map(moment)) };
}

interface Asked {
  scope: number;
  /** The position up to which the index is current; null: there is no index. */
  horizon: number | null;
}

/** Statistics of each scope, and possible changes since its horizon. */
export async function look(query: Query, tenant: string, asked: readonly Asked[]): Promise<Look[]> {
  const rows = await query<Omit<Look, 'versions' | 'snapshot'> & { snapshot: string; base: number; versions: VersionRow[] }>(
    `select a.scope, now.snapshot::text, moment_base()::float8 as base, d.*
     from unnest($2::int[], $3::xid8[]) a(scope, horizon)
     cross join (select pg_current_snapshot() as snapshot, settled_moment() as xmin) now
     cross join lateral (
       select count(*)::int as rows,
         (count(*) filter (where status = 'active'))::int as documents,
         coalesce(sum(chunk_count) filter (where status = 'active'), 0)::int as chunks,
         coalesce(sum(terms) filter (where status = 'active'), 0)::float8 as terms,
         -- What was only parsed has no passages.
         coalesce(array_agg(id) filter (where status <> 'active' and not (status = 'parsed' and chunk_count = 0)), '{}') as hidden,
         coalesce(json_agg(json_build_array(id, source_id, changed::text, status, chunk_count)) filter (where changed >= least(a.horizon, now.xmin)), '[]') as versions
       from documents where tenant_id = $1 and scope = a.scope
     ) d`,
    [tenant, asked.map(({ scope }) => scope), asked.map(({ horizon }) => horizon)],
  );
  return rows.map(({ base, ...row }) => ({ ...row, snapshot: snapshotOf(row.snapshot, base), versions: row.versions.map(version) }));
}

type VersionRow = [id: string, source: string, changed: string, status: string, chunks: number];
const version = ([id, source, changed, status, chunks]: VersionRow): DocumentVersion => ({
  id,
  source,
  changed: Number(changed),
  status,
  chunks,
});

/**
 * Whether each scope is unchanged since all its documents were older than `horizon` and numbered `rows`: index-only. The
 * number of scopes stands in the text, because Postgres would plan the statement anew each time for an array of unknown length.
 */
export async function unchanged(
  query: Query,
  tenant: string,
  known: readonly { scope: number; horizon: number; rows: number }[],
): Promise<boolean> {
  const listed = known.map((_, i) => `($${3 * i + 2}::int, $${3 * i + 3}::xid8, $${3 * i + 4}::int)`).join(', ');
  const [row] = await query<{ same: boolean }>(
    prepared(`select bool_and(settled_moment() >= k.horizon and coalesce(d.newest < k.horizon, true) and d.rows = k.rows) as same
     from (values ${listed}) k(scope, horizon, rows)
     cross join lateral (
       select count(*) as rows, (select changed from documents where tenant_id = $1 and scope = k.scope order by changed desc limit 1) as newest
       from documents where tenant_id = $1 and scope = k.scope
     ) d`),
    [tenant, ...known.flatMap(({ scope, horizon, rows }) => [scope, horizon, rows])],
  );
  return row?.same === true;
}

/** All searchable documents. */
export async function activeDocuments(query: Query, tenant: string, scope: number): Promise<DocumentVersion[]> {
  const rows = await query<{ id: string; source: string; changed: string; chunks: number }>(
    `select id, source_id as source, changed::text, chunk_count as chunks from documents where tenant_id = $1 and scope = $2 and status = 'active' order by id`,
    [tenant, scope],
  );
  return rows.map((row) => ({ ...row, changed: Number(row.changed), status: 'active' }));
}

export interface ChunkRow {
  id: string;
  document_id: string;
  has_code: boolean;
  /** Length in terms. */
  terms: number;
  /** It is of a conversation. */
  turns: boolean;
}

export async function chunksOf(query: Query, tenant: string, documents: readonly string[]): Promise<ChunkRow[]> {
  return await query<ChunkRow & Record<string, unknown>>(
    `select id, document_id, has_code, coalesce(terms, 0) as terms, jsonb_array_length(turns) > 0 as turns from chunks where tenant_id = $1 and document_id = any($2) order by id`,
    [tenant, documents],
  );
}

/** Postings, chunk by chunk: by term they would take Postgres three times as long. */
export async function postingsOf(
  query: Query,
  tenant: string,
  chunks: readonly string[],
): Promise<{ id: string; terms: string; tfs: string }[]> {
  return await query<{ id: string; terms: string; tfs: string }>(
    `select chunk_id as id, string_agg(term, $3) as terms, trim(array_agg(tf)::text, '{}') as tfs from postings
     where tenant_id = $1 and chunk_id = any($2::bigint[]) group by chunk_id`,
    [tenant, chunks, between],
  );
}
