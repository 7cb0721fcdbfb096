import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { Chunk } from '../../engines/retrieval/chunking.ts';
import { vectorsIfReachable } from './reading.ts';
import { publish } from './records-publish.ts';
import type { ReadyDocument } from './records-small.ts';
import { describeDocument, insertChunks, pendingChunks, tooLate, wellFormed, writeIndex } from './records.ts';
import { termFrequencies, termsVersion } from '../../engines/retrieval/terms.ts';

export type StagedDocument = Omit<ReadyDocument, 'passages'> & { chunks: readonly Chunk[] };

/** Passages inserted, and passages embedded and indexed, per transaction. */
const insertSlice = 200;
const indexSlice = 25;

/**
 * Builds a big document of a run in steps, invisible until it is complete. After a kill it continues with the missing
 * parts.
 * @returns its number of passages; null: the time is over, and more is left
 */
export async function buildInStages(
  db: Database,
  embedder: Embedder | null,
  job: JobRef,
  base: { id: string; scope: number },
  document: StagedDocument,
  { beat, signal, spent }: { beat(): void; signal: AbortSignal; spent(): boolean },
): Promise<number | null> {
  const { sourceId, documentId, chunks } = document;
  const ref = { tenant: job.tenant, jobId: job.id, sourceId, documentId };
  const model = embedder?.id ?? null;
  await open(db, job, base, document);
  for (let from = 0; from < chunks.length; from += insertSlice) {
    beat();
    await insertChunks(db, ref, base.scope, chunks.slice(from, from + insertSlice));
  }
  const { format, title, about: metadata, parsed } = document;
  await describeDocument(db, ref, { format, title, metadata, parsed, chunks: chunks.length });
  let indexed = 0;
  for (let from = 0; from < chunks.length; from += indexSlice) {
    beat();
    const pending = await pendingChunks(db, ref, from, from + indexSlice, model);
    if (pending.length === 0) continue;
    if (indexed > 0 && spent()) return null;
    const vectors = await vectorsIfReachable(embedder, pending, signal);
    const rows = pending.map(({ id, body, title: heading }, i) => ({
      id,
      frequencies: termFrequencies(body, heading ?? undefined),
      vector: vectors[i] ?? null,
    }));
    await writeIndex(db, ref, base.scope, rows, model);
    indexed += rows.length;
    signal.throwIfAborted();
  }
  await publish(db, ref, { ofJob: false });
  return chunks.length;
}

/** Creates the source's new revision and the document, unless a previous attempt did. */
async function open(db: Database, job: JobRef, base: { id: string; scope: number }, document: StagedDocument): Promise<void> {
  const { tenant } = job;
  const { sourceId, documentId, identity, title, type, url, tags, metadata, ordinal } = document;
  await db.transaction(async (query) => {
    // Refused meanwhile, because its source was deleted: then it must not come back.
    const wanted = await query(
      `select 1 from ingest_items where tenant_id = $1 and job_id = $2 and ordinal = $3 and status = 'pending' for update`,
      [tenant, job.id, ordinal],
    );
    if (wanted.length === 0) throw tooLate();
    const known = await query('select 1 from documents where tenant_id = $1 and id = $2', [tenant, documentId]);
    if (known.length > 0) return;
    await query(
      `insert into knowledge_sources as s (tenant_id, id, kb_id, identity, title, type, url, tags, metadata, status)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'indexing')
       on conflict (tenant_id, id) do update set revision = s.revision + 1, type = excluded.type, url = excluded.url,
         tags = case when excluded.tags = '{}' then s.tags else excluded.tags end, metadata = s.metadata || excluded.metadata,
         status = 'indexing', updated_at = now()`,
      [tenant, sourceId, base.id, identity, title.toWellFormed(), type, url, tags, JSON.stringify(metadata, wellFormed)],
    );
    await query(
      `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, terms_version)
       select $1, $2, $3, $4::int, $5, $6, $7, $8, 'building', revision, ${termsVersion} from knowledge_sources where tenant_id = $1 and id = $3`,
      [tenant, documentId, sourceId, base.scope, document.contentKey, document.blob, document.format, title.toWellFormed()],
    );
    await query(
      `update ingest_items set source_id = $4, document_id = $5, updated_at = now() where tenant_id = $1 and job_id = $2 and ordinal = $3`,
      [tenant, job.id, ordinal, sourceId, documentId],
    );
  });
}

/**
 * An abandoned attempt is retired, so that its late activities cannot continue, and deleted with the replaced
 * documents.
 */
export async function retireGivenUp(db: Database, { tenant, id }: JobRef): Promise<void> {
  await db.query(
    `with given_up as (
       update documents d set status = 'retired', updated_at = now() from ingest_items i
       where d.tenant_id = $1 and i.tenant_id = $1 and i.job_id = $2 and i.document_id = d.id and d.status = 'building'
         and i.status in ('failed', 'refused', 'pending') returning d.source_id)
     update knowledge_sources s set updated_at = now(), status = case when s.document_id is null then 'error' else 'active' end
     where s.tenant_id = $1 and s.id in (select source_id from given_up)`,
    [tenant, id],
  );
}
