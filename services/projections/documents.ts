import type { Database } from '../../adapters/postgres/database.ts';
import type { ProjectedVectors, VectorPoint } from '../../adapters/vectors/types.ts';
import { AppError } from '../../contracts/errors.ts';

/** Passages read and written at once. */
const pageSize = 200;

interface PassageRow extends Record<string, unknown> {
  id: string;
  scope: number;
  document_id: string;
  ordinal: number;
  source_id: string;
  has_code: boolean;
  vector: number[];
  terms: string[] | null;
  times: number[] | null;
  length: number | null;
}

/**
 * Makes the copy hold of these documents what Postgres has now: all passages of those that are active, nothing of
 * the others. While they are written the copy may hold a part of one; searches do not ask it about them then.
 * @returns how many passages were written
 */
export async function projectDocuments(db: Database, copy: ProjectedVectors, tenant: string, documents: string[]): Promise<number> {
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

/**
 * One writer per tenant: a worker that was given up but lives on must not write what it read before its successor.
 * The lock takes no transaction id, so that it holds back nobody who follows the outbox, and goes with the connection.
 * @throws AppError SERVICE_UNAVAILABLE when somebody else is at it
 */
export async function asOnlyWriter<T>(db: Database, copy: ProjectedVectors, tenant: string, work: () => Promise<T>): Promise<T> {
  return await db.transaction(async (query) => {
    const [row] = await query<{ held: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held', [
      `${copy.follower}/${tenant}`,
    ]);
    if (!row?.held) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Another worker is still writing this tenant to the copy of the vectors.', {
        hint: 'It ends, or its connection does: this is tried again.',
        retryAfterSeconds: 5,
      });
    }
    return await work();
  });
}
