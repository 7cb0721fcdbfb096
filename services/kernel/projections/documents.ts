import type { Database } from '../../../adapters/postgres/database.ts';
import type { ProjectedVectors, VectorPoint } from '../../../adapters/vectors/types.ts';
import type { Columns } from '../../../prisma/rows.ts';
import type { Copied } from './copied.ts';
import type { Cursor } from './cursors.ts';

/** Passages read and written per step. */
const pageSize = 200;
/** Documents written before the cursor moves and the time is checked. */
export const documentsAtOnce = 50;

interface PassageRow
  extends Record<string, unknown>, Columns<'chunks', 'id' | 'scope' | 'document_id' | 'ordinal' | 'source_id' | 'has_code'> {
  vector: number[];
  terms: string[] | null;
  times: number[] | null;
  length: number | null;
}

/**
 * Makes the copy of these documents equal to Postgres: all passages of active documents, none of others. During the
 * write the copy may have a part of a document; searches do not use it for these documents then.
 * @returns the number of passages written
 */
async function projectDocuments(db: Database, copy: ProjectedVectors, tenant: string, documents: string[]): Promise<number> {
  await copy.removeDocuments(tenant, documents);
  let passages = 0;
  let after: [string, number] = ['', -1];
  for (;;) {
    const rows = await db.query<PassageRow>(
      `select c.id::text, c.scope, c.document_id, c.ordinal, c.source_id, c.has_code, c.embedding::real[] as vector, w.terms, w.times, w.length
       from chunks c
       join documents d on d.tenant_id = c.tenant_id and d.id = c.document_id and d.status = 'active'
       cross join lateral (
         select array_agg(p.term) as terms, array_agg(p.tf) as times, max(p.dl) as length
         from postings p where p.tenant_id = $1 and p.chunk_id = c.id) w
       where c.tenant_id = $1 and c.document_id = any($2) and c.model = $3 and (c.document_id, c.ordinal) > ($4, $5)
       order by c.document_id, c.ordinal limit ${pageSize}`,
      [tenant, documents, copy.model, ...after],
    );
    const last = rows.at(-1);
    if (!last) return passages;
    await copy.upsert(tenant, rows.map(pointOf));
    passages += rows.length;
    after = [last.document_id, last.ordinal];
  }
}

const pointOf = (row: PassageRow): VectorPoint => ({
  id: row.id,
  scope: row.scope,
  documentId: row.document_id,
  sourceId: row.source_id,
  hasCode: row.has_code,
  vector: row.vector,
  terms: (row.terms ?? []).map((term, i) => [term, row.times?.[i] ?? 1]),
  length: row.length ?? 0,
});

async function filled(db: Database, tenant: string): Promise<boolean> {
  return (await db.query(`select 1 from documents where tenant_id = $1 and status = 'active' limit 1`, [tenant])).length > 0;
}

async function page(db: Database, tenant: string, after: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from documents where tenant_id = $1 and status = 'active' and id > $2 order by id limit ${documentsAtOnce}`,
    [tenant, after],
  );
  return rows.map(({ id }) => id);
}

async function notActive(db: Database, tenant: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<{ id: string }>(`select id from documents where tenant_id = $1 and status = 'active' and id = any($2)`, [
    tenant,
    ids,
  ]);
  const active = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !active.has(id));
}

async function behind(db: Database, tenant: string, cursor: Cursor | null): Promise<{ records: number; seconds: number }> {
  const [row] = cursor
    ? await db.query<{ records: number; seconds: number }>(
        `select count(distinct o.subject)::int as records, coalesce(extract(epoch from now() - min(o.created_at)), 0)::float8 as seconds
         from outbox o where o.tenant_id = $1 and (o.xid, o.id) > ($2::xid8, $3::bigint) and o.type like 'document.%'`,
        [tenant, cursor.xid, cursor.id],
      )
    : await db.query<{ records: number; seconds: number }>(
        `select count(*)::int as records, 0::float8 as seconds from documents where tenant_id = $1 and status = 'active'`,
        [tenant],
      );
  return row ?? { records: 0, seconds: 0 };
}

/** Active documents with their passages, copied to the vector store. */
export const vectorsCopied = (db: Database, copy: ProjectedVectors): Copied => ({
  name: 'qdrant',
  follower: copy.follower,
  changesAtOnce: documentsAtOnce,
  exists: () => copy.exists(),
  ensure: () => copy.ensure(),
  removeTenant: (tenant) => copy.removeTenant(tenant),
  concerned: ({ type, subject }) => (type.startsWith('document.') ? [subject] : []),
  project: (tenant, ids) => projectDocuments(db, copy, tenant, ids),
  count: () => copy.count(),
  filled: (tenant) => filled(db, tenant),
  page: (tenant, after) => page(db, tenant, after),
  async removeStrays(tenant, after) {
    const { ids, next } = await copy.documents(tenant, after);
    const strays = await notActive(db, tenant, ids);
    await copy.removeDocuments(tenant, strays);
    return { strays: strays.length, next };
  },
  behind: (tenant, cursor) => behind(db, tenant, cursor),
});
