import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { IngestRef, Published } from '../../contracts/activities/knowledge/ingest.ts';
import { noteDocument } from '../kernel/outbox.ts';
import { followers } from '../kernel/followers.ts';
import { dropUnreferenced } from '../kernel/blobs.ts';
import { noteRefusal, settleJob } from './records-dlq.ts';
import { tooLate, type DocumentStatus } from './records.ts';

/**
 * Publishes the document in place of its source's former one, unless a later submission was published first.
 * @param options.parsedOnly it was read but not indexed: it is stored, but no search finds it
 * @param options.ofJob false: the job covers other documents, too
 */
export async function publish(db: Database, ref: IngestRef, { parsedOnly = false, ofJob = true } = {}): Promise<Published> {
  const { tenant, documentId, sourceId } = ref;
  // Before the transaction, to keep it short; the chunks of a building document are complete by now.
  const [sums] = await db.query<{ chunks: number; terms: string; unindexed: number }>(
    `select count(*)::int as chunks, coalesce(sum(terms), 0) as terms, count(*) filter (where terms is null)::int as unindexed
     from chunks where tenant_id = $1 and document_id = $2`,
    [tenant, documentId],
  );
  return await db.transaction(async (query) => {
    await query('select 1 from knowledge_sources where tenant_id = $1 and id = $2 for update', [tenant, sourceId]);
    const rows = await query<{ id: string; status: DocumentStatus; revision: number; title: string; chunk_count: number; scope: number }>(
      `select id, status, revision, title, chunk_count, scope from documents
       where tenant_id = $1 and source_id = $2 and (id = $3 or status in ('active', 'parsed'))`,
      [tenant, sourceId, documentId],
    );
    const mine = rows.find((row) => row.id === documentId);
    const standing = rows.find((row) => row.id !== documentId);
    if (mine?.status === 'active' || mine?.status === 'parsed') return { state: 'active', chunks: mine.chunk_count, leftovers: true };
    if (!mine || mine.status === 'retired') {
      if (!standing) throw tooLate();
      return { state: 'superseded', chunks: mine?.chunk_count ?? 0, leftovers: true };
    }
    if (standing && standing.revision > mine.revision) {
      await query(`update documents set status = 'retired', updated_at = now() where tenant_id = $1 and id = $2`, [tenant, documentId]);
      return { state: 'superseded', chunks: mine.chunk_count, leftovers: true };
    }
    if (sums?.chunks !== mine.chunk_count || sums.unindexed > 0) {
      throw new Error(`document ${documentId} has ${sums?.chunks} of ${mine.chunk_count} chunks, ${sums?.unindexed} of them not indexed`);
    }
    if (standing) {
      await query(`update documents set status = 'retired', updated_at = now() where tenant_id = $1 and id = $2`, [tenant, standing.id]);
      await followers.documentsVoid(query, tenant, [standing.id]);
    }
    await query(`update documents set status = $4, terms = $3, updated_at = now() where tenant_id = $1 and id = $2`, [
      tenant,
      documentId,
      sums.terms,
      parsedOnly ? 'parsed' : 'active',
    ]);
    await query(
      `update knowledge_sources set document_id = $3, chunk_count = $4, title = $5, status = 'active', metadata = metadata - 'last_error', updated_at = now()
       where tenant_id = $1 and id = $2`,
      [tenant, sourceId, documentId, mine.chunk_count, mine.title],
    );
    if (ofJob) await settleJob(query, tenant, ref.jobId, 'resolved');
    if (!parsedOnly) {
      if (standing) await noteDocument(query, tenant, 'document.retired', standing.id, { scope: standing.scope, source_id: sourceId });
      await noteDocument(query, tenant, 'document.published', documentId, { scope: mine.scope, source_id: sourceId });
    }
    return { state: 'active', chunks: mine.chunk_count, leftovers: standing !== undefined };
  });
}

/** Retires an unpublished document, so that its own late activities cannot continue, and restores the source. */
export async function retireUnpublished(
  db: Database,
  { tenant, jobId, sourceId, documentId }: IngestRef,
  problem: string | null,
  refusal: { code: string; message: string } | null,
): Promise<void> {
  await db.transaction(async (query) => {
    await query('select 1 from knowledge_sources where tenant_id = $1 and id = $2 for update', [tenant, sourceId]);
    await query(`update documents set status = 'retired', updated_at = now() where tenant_id = $1 and id = $2 and status = 'building'`, [
      tenant,
      documentId,
    ]);
    // From here on a killed activity that had not opened the document yet cannot open it.
    await query(
      `update jobs set spec = spec || '{"document_id":null}' where tenant_id = $1 and id = $2 and spec->>'document_id' = $3
         and not exists (select from documents where tenant_id = $1 and id = $3 and status = 'active')`,
      [tenant, jobId, documentId],
    );
    await query(
      `update knowledge_sources s set updated_at = now(), metadata = metadata || jsonb_build_object('last_error', $3::text),
         status = case when s.document_id is null then 'error' else 'active' end
       where tenant_id = $1 and id = $2
         and not exists (select from documents d where d.tenant_id = $1 and d.source_id = $2 and d.status = 'building')`,
      [tenant, sourceId, problem ?? 'The ingestion was cancelled.'],
    );
    if (refusal) await noteRefusal(query, tenant, jobId, { ...refusal, step: 'parse' });
    else await settleJob(query, tenant, jobId, 'abandoned');
  });
}

/**
 * Deletes some remains of a source's retired documents.
 * @returns whether there may be more
 */
export async function deleteRetired(
  db: Database,
  blobs: Blobs,
  { tenant, sourceId }: Pick<IngestRef, 'tenant' | 'sourceId'>,
): Promise<boolean> {
  const [document] = await db.query<{ id: string; blob: string; parsed: string | null }>(
    `select id, blob, parsed from documents where tenant_id = $1 and source_id = $2 and status = 'retired' order by id limit 1`,
    [tenant, sourceId],
  );
  if (!document) return false;
  await followers.passagesGoing(db, tenant, [document.id]);
  const deleted = await db.query(
    `with doomed as materialized (select id from chunks where tenant_id = $1 and document_id = $2 order by id limit 500),
       words as (delete from postings p using doomed where p.tenant_id = $1 and p.chunk_id = doomed.id)
     delete from chunks c using doomed where c.tenant_id = $1 and c.id = doomed.id returning 1`,
    [tenant, document.id],
  );
  if (deleted.length === 0) {
    // Delete the bytes first: after a crash in between, the row still names them.
    const hashes = [document.blob, document.parsed].filter((hash) => hash !== null);
    await dropUnreferenced(db, blobs, tenant, hashes, document.id);
    await db.query(`delete from documents where tenant_id = $1 and id = $2 and status = 'retired'`, [tenant, document.id]);
  }
  return true;
}
