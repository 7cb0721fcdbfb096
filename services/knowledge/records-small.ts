import type { Database } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import { followers } from '../kernel/followers.ts';
import type { Chunk } from '../../engines/retrieval/chunking.ts';
import { termsVersion } from '../../engines/retrieval/terms.ts';
import { itemDlqId } from './records-items.ts';
import { vectorText, wellFormed } from './records.ts';

/** A content that is parsed, cut, counted and embedded, ready to be written. */
export interface ReadyDocument {
  ordinal: number;
  sourceId: string;
  documentId: string;
  identity: string;
  title: string;
  type: string;
  url: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  blob: string;
  contentKey: string;
  format: string;
  /** Metadata from the file. */
  about: Record<string, unknown>;
  /** Hash of the blob with the parsed content, if it is kept. */
  parsed: string | null;
  passages: { chunk: Chunk; frequencies: ReadonlyMap<string, number>; vector: Float32Array | null }[];
}

/**
 * Writes small documents, replaces their predecessors, and marks their items as done, in one transaction: a crash
 * leaves nothing or all of it. The caller keeps the number of passages small. Items that another attempt has finished
 * are skipped.
 */
export async function publishReady(
  db: Database,
  job: JobRef,
  base: { id: string; scope: number },
  model: string | null,
  documents: readonly ReadyDocument[],
): Promise<void> {
  const { tenant } = job;
  await db.transaction(async (query) => {
    const open = await query<{ ordinal: number }>(
      `select ordinal from ingest_items where tenant_id = $1 and job_id = $2 and ordinal = any($3) and status = 'pending' order by ordinal for update`,
      [tenant, job.id, documents.map((document) => document.ordinal)],
    );
    const wanted = new Set(open.map((row) => row.ordinal));
    const ready = documents.filter((document) => wanted.has(document.ordinal));
    if (ready.length === 0) return;
    const lengths = ready.map(({ passages }) => passages.map(({ frequencies }) => [...frequencies.values()].reduce((a, b) => a + b, 0)));
    const rows = JSON.stringify(
      ready.map((document, i) => ({
        ...document,
        passages: undefined,
        chunks: document.passages.length,
        terms: lengths[i]!.reduce((a, b) => a + b, 0),
      })),
      wellFormed,
    );

    // Locked in the order of ids, as everywhere.
    await query(
      `insert into knowledge_sources as s (tenant_id, id, kb_id, identity, title, type, url, tags, metadata, status, document_id, chunk_count)
       select $1, r."sourceId", $2, r.identity, r.title, r.type, r.url, r.tags, r.metadata, 'active', r."documentId", r.chunks
       from jsonb_to_recordset($3::jsonb) as r("sourceId" text, identity text, title text, type text, url text, tags text[], metadata jsonb, "documentId" text, chunks int)
       order by r."sourceId"
       on conflict (tenant_id, id) do update set revision = s.revision + 1, title = excluded.title, type = excluded.type, url = excluded.url,
         tags = case when excluded.tags = '{}' then s.tags else excluded.tags end, metadata = (s.metadata || excluded.metadata) - 'last_error',
         status = 'active', document_id = excluded.document_id, chunk_count = excluded.chunk_count, updated_at = now()`,
      [tenant, base.id, rows],
    );
    const retired = await query<{ id: string; source_id: string; scope: number }>(
      `update documents set status = 'retired', updated_at = now() where tenant_id = $1 and source_id = any($2) and status = 'active'
       returning id, source_id, scope`,
      [tenant, ready.map((document) => document.sourceId)],
    );
    await followers.documentsVoid(
      query,
      tenant,
      retired.map((row) => row.id),
    );
    await query(
      `insert into documents (tenant_id, id, source_id, scope, content_hash, blob, format, title, metadata, parsed, status, revision, chunk_count, terms, terms_version)
       select $1, r."documentId", r."sourceId", $2::int, r."contentKey", r.blob, r.format, r.title, r.about, r.parsed, 'active', s.revision, r.chunks, r.terms, ${termsVersion}
       from jsonb_to_recordset($3::jsonb) as r("documentId" text, "sourceId" text, "contentKey" text, blob text, format text, title text, about jsonb, parsed text, chunks int, terms bigint)
       join knowledge_sources s on s.tenant_id = $1 and s.id = r."sourceId"`,
      [tenant, base.scope, rows],
    );
    const chunks = ready.flatMap((document, i) =>
      document.passages.map(({ chunk, vector }, n) => ({
        ...chunk,
        documentId: document.documentId,
        sourceId: document.sourceId,
        terms: lengths[i]![n],
        embedding: vector ? vectorText(vector) : null,
        model: vector ? model : null,
      })),
    );
    const written = await query<{ id: string; document_id: string; ordinal: number }>(
      `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, has_code, code_blocks, turns, terms, model, embedding)
       select $1, $2::int, r."documentId", r."sourceId", r.ordinal, r.title, r.text, r.place, r."endPlace", r."hasCode", r."codeBlocks", r.turns, r.terms, r.model, r.embedding::halfvec
       from jsonb_to_recordset($3::jsonb) as r("documentId" text, "sourceId" text, ordinal int, title text, text text, place jsonb, "endPlace" jsonb,
         "hasCode" boolean, "codeBlocks" jsonb, turns jsonb, terms int, model text, embedding text)
       returning id, document_id, ordinal`,
      [tenant, base.scope, JSON.stringify(chunks, wellFormed)],
    );
    const idOf = new Map(written.map((row) => [`${row.document_id}#${row.ordinal}`, row.id]));
    const terms: string[] = [];
    const ids: string[] = [];
    const tfs: number[] = [];
    const dls: number[] = [];
    for (const [i, document] of ready.entries()) {
      for (const [n, { chunk, frequencies }] of document.passages.entries()) {
        const id = idOf.get(`${document.documentId}#${chunk.ordinal}`)!;
        for (const [term, tf] of frequencies) {
          terms.push(term.toWellFormed());
          ids.push(id);
          tfs.push(tf);
          dls.push(lengths[i]![n]!);
        }
      }
    }
    await query(
      `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
       select $1, $2::int, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p`,
      [tenant, base.scope, terms, ids, tfs, dls],
    );
    await query(
      `update ingest_items i set status = 'done', source_id = r."sourceId", document_id = r."documentId", chunk_count = r.chunks, blob = null, error = null, updated_at = now()
       from jsonb_to_recordset($3::jsonb) as r(ordinal int, "sourceId" text, "documentId" text, chunks int)
       where i.tenant_id = $1 and i.job_id = $2 and i.ordinal = r.ordinal`,
      [tenant, job.id, rows],
    );
    await query(
      `update dlq_items set status = 'resolved', updated_at = now()
       where tenant_id = $1 and job_id = $2 and id = any($3) and status in ('refused', 'retrying')`,
      [tenant, job.id, ready.map((document) => itemDlqId(job.id, document.ordinal))],
    );
    await query(
      `insert into outbox (tenant_id, type, subject, data)
       select $1, e.type, e.subject, jsonb_build_object('scope', e.scope, 'source_id', e.source_id)
       from unnest($2::text[], $3::text[], $4::int[], $5::text[]) as e(type, subject, scope, source_id)`,
      [
        tenant,
        [...retired.map(() => 'document.retired'), ...ready.map(() => 'document.published')],
        [...retired.map((row) => row.id), ...ready.map((document) => document.documentId)],
        [...retired.map((row) => row.scope), ...ready.map(() => base.scope)],
        [...retired.map((row) => row.source_id), ...ready.map((document) => document.sourceId)],
      ],
    );
  });
}
