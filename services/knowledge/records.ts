import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { IngestRef } from '../../contracts/activities/knowledge/ingest.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import { AppError, notFound } from '../../contracts/errors.ts';
import type { Chunk } from '../../engines/retrieval/chunking.ts';
import { termsVersion } from '../../engines/retrieval/terms.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { RunSpec } from './runs-spec.ts';

type Query = Database['query'];

/** `jobs.spec` of an ingestion: everything its process needs to start again. */
export interface IngestSpec extends Record<string, unknown> {
  kind: 'transcript' | 'document';
  kb_id: string;
  source_id: string;
  /** Null: discarded; the next submission gets a new one. */
  document_id: string | null;
  /** The source's revision of the latest submission of this content. */
  revision: number;
  blob: string;
  /** Tells the parser the format; absent for pasted text of unknown format. */
  filename: string | null;
  title: string | null;
  /** The title if neither the caller nor the content has one. */
  fallback_title: string;
  chunk_size: number;
  content_key?: string;
  media_type?: string | null;
  /** Read and keep it, without indexing. */
  parse_only?: boolean;
  /** A small text: ingested on the queue `light`. */
  light?: boolean;
}

export interface NewSource {
  id: string;
  kbId: string;
  identity: string;
  title: string;
  type: string;
  url: string | null;
  /** Undefined: unchanged. */
  tags: string[] | undefined;
  metadata: Record<string, unknown>;
}

/** The document is gone or retired: this activity is too late. */
export const tooLate = (): AppError => new AppError('GONE', 'The document was discarded or replaced.');

/** Creates the source, or increments its revision. */
async function nextRevision(query: Query, tenant: string, source: NewSource, jobId: string): Promise<number> {
  const { id, kbId, identity, title, type, url, tags = null } = source;
  const metadata = JSON.stringify(source.metadata);
  // Not `on conflict … do update`: two concurrent inserts may collide in the other unique index, which is an error.
  const [made] = await query<{ revision: number }>(
    // A deleted source continues its revisions, so that ids of its documents are never reused.
    `insert into knowledge_sources (tenant_id, id, kb_id, identity, title, type, url, tags, metadata, status, revision)
     values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::text[], '{}'), $9, 'indexing',
       1 + coalesce((select (spec->>'revision')::int from jobs where tenant_id = $1 and id = $10 and rev > 0), 0))
     on conflict do nothing returning revision`,
    [tenant, id, kbId, identity, title, type, url, tags, metadata, jobId],
  );
  if (made) return made.revision;
  const [there] = await query<{ revision: number }>(
    `update knowledge_sources set revision = revision + 1, type = $3, url = $4, tags = coalesce($5::text[], tags), metadata = metadata || $6::jsonb
     where tenant_id = $1 and id = $2 returning revision`,
    [tenant, id, type, url, tags, metadata],
  );
  if (!there) throw new Error(`source ${id} is neither new nor there`);
  return there.revision;
}

/**
 * Records a submission: its source with a new revision, and whether its job must run (again). `opened`: no run has
 * started it. One transaction under the source's lock, so that concurrent submissions agree.
 */
export async function enlist(
  db: Database,
  tenant: string,
  source: NewSource,
  jobId: string,
  documentIdFor: (revision: number) => string,
): Promise<{ start: boolean; opened: boolean; rev: number; documentId: string; ending: boolean }> {
  return await db.transaction(async (query) => {
    await ensureBase(query, tenant, source.kbId);
    const revision = await nextRevision(query, tenant, source, jobId);
    const [job] = await query<{ status: string; rev: number; spec: IngestSpec }>(
      'select status, rev, spec from jobs where tenant_id = $1 and id = $2 for update',
      [tenant, jobId],
    );
    if (!job) throw new Error(`job ${jobId} has no row`);
    const running = job.status === 'queued' || job.status === 'running';
    // The last submission wins, even if the same content was submitted before.
    const kept = await query<{ status: string }>(
      `update documents set revision = $3 where tenant_id = $1 and id = $2 and status <> 'retired' returning status`,
      [tenant, job.spec.document_id, revision],
    );
    const stands = kept[0]?.status === 'active' || kept[0]?.status === 'parsed';
    const again = !running && !(job.status === 'completed' && stands);
    const documentId = again || job.spec.document_id === null ? documentIdFor(revision) : job.spec.document_id;
    const [{ rev }] = (await query<{ rev: number }>(
      `update jobs set spec = spec || $3::jsonb ${
        again
          ? `, rev = rev + 1, status = 'queued', progress = '{"stage":"queued"}',
         result = null, error = null, finished_at = null, cancel_asked_at = null, updated_at = now()`
          : ''
      }
       where tenant_id = $1 and id = $2 returning rev`,
      [tenant, jobId, JSON.stringify({ revision, ...(again ? { document_id: documentId } : {}) })],
    )) as [{ rev: number }];
    if ((again || running) && !stands) {
      await query(`update knowledge_sources set status = 'indexing', updated_at = now() where tenant_id = $1 and id = $2`, [
        tenant,
        source.id,
      ]);
    }
    return {
      start: again || running,
      opened: again || job.status === 'queued',
      rev,
      documentId,
      ending: running && job.spec.document_id === null,
    };
  });
}

/** Ends a job that was cancelled before anything had worked on it. */
export async function endUnstarted(db: Database, tenant: string, jobId: string): Promise<void> {
  await db.query(
    `update jobs set status = 'cancelled', cancel_asked_at = coalesce(cancel_asked_at, now()), rev = rev + 1, finished_at = now(), updated_at = now()
     where tenant_id = $1 and id = $2 and status = 'queued' and spec->>'document_id' is null`,
    [tenant, jobId],
  );
}

/** Creates the base if it is new, and protects it from deletion until the transaction ends. */
export async function ensureBase(query: Query, tenant: string, kbId: string): Promise<void> {
  // Read first: a conflicting insert uses up a number.
  const known = await query('select 1 from knowledge_bases where tenant_id = $1 and id = $2 for key share', [tenant, kbId]);
  if (known.length > 0) return;
  await query('insert into knowledge_bases (tenant_id, id, name) values ($1, $2, $2) on conflict do nothing', [tenant, kbId]);
}

export async function specOf(db: Database, tenant: string, jobId: string): Promise<IngestSpec> {
  const [row] = await db.query<{ spec: IngestSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, jobId]);
  if (!row) throw new Error(`job ${jobId} has no row`);
  return row.spec;
}

export type DocumentStatus = 'building' | 'active' | 'retired' | 'parsed';

/** @throws Error when the job has no row */
export async function runSpecOf(db: Database, { tenant, id }: JobRef): Promise<RunSpec> {
  const [row] = await db.query<{ spec: RunSpec }>('select spec from jobs where tenant_id = $1 and id = $2', [tenant, id]);
  if (!row) throw new Error(`job ${id} has no row`);
  return row.spec;
}

/** @throws AppError NOT_FOUND when it was deleted meanwhile */
export async function baseOf(db: Database, tenant: string, id: string): Promise<{ id: string; scope: number }> {
  const [row] = await db.query<{ id: string; scope: number }>('select id, scope from knowledge_bases where tenant_id = $1 and id = $2', [
    tenant,
    id,
  ]);
  if (!row) throw notFound('knowledge base', id, 'knowledge.base.list shows those there are.');
  return row;
}

/** The document of a source that searches currently find. */
export async function standingDocument(
  db: Database,
  tenant: string,
  sourceId: string,
): Promise<{ id: string; content_hash: string; chunk_count: number } | null> {
  const [row] = await db.query<{ id: string; content_hash: string; chunk_count: number }>(
    `select id, content_hash, chunk_count from documents where tenant_id = $1 and source_id = $2 and status = 'active'`,
    [tenant, sourceId],
  );
  return row ?? null;
}

export interface DocumentRow extends Row, Columns<'documents', 'id' | 'scope' | 'chunk_count'> {
  status: DocumentStatus;
}

/**
 * The document's row, created if new.
 * @throws AppError GONE when its run was discarded
 */
export async function openDocument(db: Database, { tenant, jobId, sourceId, documentId }: IngestRef): Promise<DocumentRow> {
  return await db.transaction(async (query) => {
    // The lock for changes of the revision, and for discarding a document.
    await query('select 1 from knowledge_sources where tenant_id = $1 and id = $2 for update', [tenant, sourceId]);
    const [row] = await query<DocumentRow>(
      `insert into documents as d (tenant_id, id, source_id, scope, content_hash, blob, format, title, status, revision, terms_version)
       select j.tenant_id, $4, $3, b.scope, coalesce(j.spec->>'content_key', j.spec->>'blob'), j.spec->>'blob', '', j.spec->>'fallback_title', 'building', (j.spec->>'revision')::int, ${termsVersion}
       from jobs j join knowledge_bases b on b.tenant_id = j.tenant_id and b.id = j.spec->>'kb_id'
       where j.tenant_id = $1 and j.id = $2 and j.spec->>'document_id' = $4
       on conflict (tenant_id, id) do update set updated_at = now() returning d.id, d.status, d.scope, d.chunk_count`,
      [tenant, jobId, sourceId, documentId],
    );
    if (!row || row.status === 'retired') throw tooLate();
    return row;
  });
}

/**
 * Runs `work` while the document is guaranteed to be building.
 * @throws AppError GONE when it is not
 */
async function whileBuilding<T>(db: Database, { tenant, documentId }: IngestRef, work: (query: Query) => Promise<T>): Promise<T> {
  return await db.transaction(async (query) => {
    const rows = await query(`select 1 from documents where tenant_id = $1 and id = $2 and status = 'building' for share`, [
      tenant,
      documentId,
    ]);
    if (rows.length === 0) throw tooLate();
    return await work(query);
  });
}

/** A lone surrogate, which Postgres refuses, becomes the replacement character. */
export const wellFormed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value);

export async function insertChunks(db: Database, ref: IngestRef, scope: number, chunks: readonly Chunk[]): Promise<void> {
  await whileBuilding(db, ref, (query) =>
    query(
      `insert into chunks (tenant_id, scope, document_id, source_id, ordinal, title, body, place, end_place, has_code, code_blocks, turns)
       select $1, $2::int, $3, $4, r.ordinal, r.title, r.text, r.place, r."endPlace", r."hasCode", r."codeBlocks", r.turns
       from jsonb_to_recordset($5::jsonb) as r(ordinal int, title text, text text, place jsonb, "endPlace" jsonb, "hasCode" boolean, "codeBlocks" jsonb, turns jsonb)
       order by r.ordinal
       on conflict (tenant_id, document_id, ordinal) do nothing`,
      [ref.tenant, scope, ref.documentId, ref.sourceId, JSON.stringify(chunks, wellFormed)],
    ),
  );
}

export async function describeDocument(
  db: Database,
  ref: IngestRef,
  read: { format: string; title: string; metadata: Record<string, unknown>; chunks: number; parsed: string | null },
): Promise<void> {
  await whileBuilding(db, ref, (query) =>
    query(
      `update documents set format = $3, title = $4, metadata = $5, chunk_count = $6, parsed = $7, updated_at = now() where tenant_id = $1 and id = $2`,
      [
        ref.tenant,
        ref.documentId,
        read.format,
        read.title.toWellFormed(),
        JSON.stringify(read.metadata, wellFormed),
        read.chunks,
        read.parsed,
      ],
    ),
  );
}

export interface PendingChunk extends Row, Columns<'chunks', 'id' | 'scope' | 'title' | 'body'> {}

/** Chunks of a range without postings, or without vectors of this model. */
export async function pendingChunks(db: Database, ref: IngestRef, from: number, to: number, model: string | null): Promise<PendingChunk[]> {
  return await db.query<PendingChunk>(
    `select id, scope, title, body from chunks
     where tenant_id = $1 and document_id = $2 and ordinal >= $3 and ordinal < $4
       and (terms is null or ($5::text is not null and model is distinct from $5))
     order by ordinal`,
    [ref.tenant, ref.documentId, from, to, model],
  );
}

export interface IndexedChunk {
  id: string;
  frequencies: ReadonlyMap<string, number>;
  vector: Float32Array | null;
}

/** Postings and vectors of some chunks, in one statement each. */
export async function writeIndex(
  db: Database,
  ref: IngestRef,
  scope: number,
  chunks: readonly IndexedChunk[],
  model: string | null,
): Promise<void> {
  const terms: string[] = [];
  const ids: string[] = [];
  const tfs: number[] = [];
  const lengths: number[] = [];
  const dls = chunks.map((chunk) => [...chunk.frequencies.values()].reduce((sum, tf) => sum + tf, 0));
  for (const [i, chunk] of chunks.entries()) {
    for (const [term, tf] of chunk.frequencies) {
      terms.push(term.toWellFormed());
      ids.push(chunk.id);
      tfs.push(tf);
      lengths.push(dls[i]!);
    }
  }
  await whileBuilding(db, ref, async (query) => {
    await query(
      `insert into postings (tenant_id, scope, term, chunk_id, tf, dl)
       select $1, $2::int, p.* from unnest($3::text[], $4::bigint[], $5::real[], $6::int[]) p
       on conflict do nothing`,
      [ref.tenant, scope, terms, ids, tfs, lengths],
    );
    await query(
      `update chunks c set terms = v.terms, embedding = coalesce(v.embedding::halfvec, c.embedding),
         model = case when v.embedding is null then c.model else $5 end
       from unnest($2::bigint[], $3::int[], $4::text[]) v(id, terms, embedding)
       where c.tenant_id = $1 and c.id = v.id`,
      [ref.tenant, chunks.map((chunk) => chunk.id), dls, chunks.map((chunk) => (chunk.vector ? vectorText(chunk.vector) : null)), model],
    );
  });
}

export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;
