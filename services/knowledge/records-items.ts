import type { Database, Row } from '../../adapters/postgres/database.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';
import type { ItemCounts, ItemRange } from '../../contracts/activities/knowledge/ingest-run.ts';
import type { Columns } from '../../prisma/rows.ts';
import type { Refusal } from './records-dlq.ts';

/** A new content of a run. */
export interface NewItem {
  /** A later submission with the same identity replaces this one. */
  identity: string;
  title?: string | undefined;
  type: string;
  url?: string | undefined;
  /** Tells the parser the format. */
  filename?: string | undefined;
  mediaType?: string | undefined;
  /** Absent: read from `url` (a file) when it is processed. */
  blob?: string | undefined;
  bytes?: number | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface ItemRow
  extends Row, Columns<'ingest_items', 'ordinal' | 'identity' | 'title' | 'type' | 'url' | 'filename' | 'media_type' | 'blob' | 'tags'> {
  metadata: Record<string, unknown>;
}

/**
 * Adds items after the existing ones; known identities are skipped.
 * @returns the new number of items
 */
export async function addItems(db: Database, { tenant, id }: JobRef, items: readonly NewItem[]): Promise<number> {
  return await db.transaction(async (query) => {
    // A collector that was believed dead may still be running: only one may add, or ordinals would collide. The
    // update also shows that a long submission is alive: the sweep treats untouched rows as interrupted.
    await query('update jobs set updated_at = now() where tenant_id = $1 and id = $2', [tenant, id]);
    const [{ count }] = (await query<{ count: number }>(
      `with known as (select coalesce(max(ordinal) + 1, 0) as next, count(*)::int as count from ingest_items where tenant_id = $1 and job_id = $2),
         fresh as (
           select r.*, row_number() over (order by r.n) - 1 as place from jsonb_to_recordset($3::jsonb)
             as r(n int, identity text, title text, type text, url text, filename text, "mediaType" text, blob text, bytes bigint, tags text[], metadata jsonb)
           where not exists (select from ingest_items i where i.tenant_id = $1 and i.job_id = $2 and i.identity = r.identity)
         ), added as (
           insert into ingest_items (tenant_id, job_id, ordinal, identity, title, type, url, filename, media_type, blob, bytes, tags, metadata)
           select $1, $2, k.next + f.place, f.identity, f.title, f.type, f.url, f.filename, f."mediaType", f.blob, f.bytes,
             coalesce(f.tags, '{}'), coalesce(f.metadata, '{}') from fresh f, known k
           returning 1)
       select (select count from known) + (select count(*)::int from added) as count`,
      [tenant, id, JSON.stringify(unique(items).map((item, n) => ({ n, ...item })))],
    )) as [{ count: number }];
    return count;
  });
}

/** The last item of each identity. */
const unique = (items: readonly NewItem[]): NewItem[] => [...new Map(items.map((item) => [item.identity, item])).values()];

export async function pendingItems(db: Database, { tenant, id }: JobRef, { from, to }: ItemRange): Promise<ItemRow[]> {
  return await db.query<ItemRow>(
    `select ordinal, identity, title, type, url, filename, media_type, blob, tags, metadata from ingest_items
     where tenant_id = $1 and job_id = $2 and ordinal >= $3 and ordinal < $4 and status = 'pending' order by ordinal`,
    [tenant, id, from, to],
  );
}

/** Range of the pending items; null when there are none. */
export async function pendingRange(db: Database, { tenant, id }: JobRef): Promise<ItemRange | null> {
  const [row] = await db.query<{ from: number | null; to: number | null }>(
    `select min(ordinal) as from, max(ordinal) + 1 as to from ingest_items where tenant_id = $1 and job_id = $2 and status = 'pending'`,
    [tenant, id],
  );
  return row?.from == null || row.to === null ? null : { from: row.from, to: row.to };
}

export async function countItems(db: Database, { tenant, id }: JobRef): Promise<ItemCounts> {
  const [row] = await db.query<{ [K in keyof ItemCounts]: number }>(
    `select count(*)::int as total, count(*) filter (where status = 'done')::int as done,
       count(*) filter (where status = 'unchanged')::int as unchanged, count(*) filter (where status = 'refused')::int as refused,
       count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'pending')::int as left,
       coalesce(sum(chunk_count), 0)::int as chunks
     from ingest_items where tenant_id = $1 and job_id = $2`,
    [tenant, id],
  );
  return row!;
}

/** The item's source already has this content. */
export async function itemUnchanged(
  db: Database,
  { tenant, id }: JobRef,
  ordinal: number,
  standing: { sourceId: string; documentId: string; chunks: number },
): Promise<void> {
  await db.transaction(async (query) => {
    const rows = await query(
      `update ingest_items set status = 'unchanged', source_id = $4, document_id = $5, chunk_count = $6, blob = null, error = null, updated_at = now()
       where tenant_id = $1 and job_id = $2 and ordinal = $3 and status = 'pending' returning 1`,
      [tenant, id, ordinal, standing.sourceId, standing.documentId, standing.chunks],
    );
    if (rows.length > 0) await resolveLetter(query, { tenant, id }, ordinal);
  });
}

/** A big item's document was published in stages. */
export async function itemDone(
  db: Database,
  job: JobRef,
  ordinal: number,
  sourceId: string,
  documentId: string,
  chunks: number,
): Promise<void> {
  await db.transaction(async (query) => {
    await query(
      `update ingest_items set status = 'done', source_id = $4, document_id = $5, chunk_count = $6, blob = null, error = null, updated_at = now()
       where tenant_id = $1 and job_id = $2 and ordinal = $3`,
      [job.tenant, job.id, ordinal, sourceId, documentId, chunks],
    );
    await resolveLetter(query, job, ordinal);
  });
}

/** Resolves the open entry of an item. */
async function resolveLetter(query: Database['query'], { tenant, id }: JobRef, ordinal: number): Promise<void> {
  await query(
    `update dlq_items set status = 'resolved', updated_at = now()
     where tenant_id = $1 and job_id = $2 and id = $3 and status in ('parked', 'refused', 'retrying')`,
    [tenant, id, itemDlqId(id, ordinal)],
  );
}

export const itemDlqId = (jobId: string, ordinal: number | ''): string => `dlq_${jobId.replace(/^job_/, '')}_i${ordinal}`;

/** The content itself is faulty: recorded with the item and as a dead letter. */
export async function itemRefused(
  db: Database,
  job: JobRef,
  item: { ordinal: number; title: string; sourceId: string },
  { code, message, step }: Refusal,
): Promise<void> {
  await db.transaction(async (query) => {
    const rows = await query(
      `update ingest_items set status = 'refused', source_id = $4, error = $5, updated_at = now()
       where tenant_id = $1 and job_id = $2 and ordinal = $3 and status = 'pending' returning 1`,
      [job.tenant, job.id, item.ordinal, item.sourceId, JSON.stringify({ code, message })],
    );
    if (rows.length === 0) return;
    await query(
      `insert into dlq_items as d (tenant_id, id, job_id, workflow_id, source_id, title, stage, step, error_code, error, attempts, status)
       select $1, $3, $2, workflow_id, $4, $5, 'extraction', $6, $7, $8, 1, 'refused' from jobs where tenant_id = $1 and id = $2
       on conflict (tenant_id, id) do update set status = 'refused', step = excluded.step, error_code = excluded.error_code,
         error = excluded.error, attempts = d.attempts + 1, last_failed_at = now(), updated_at = now()`,
      [job.tenant, job.id, itemDlqId(job.id, item.ordinal), item.sourceId, item.title, step, code, message],
    );
  });
}

/** Abandoned by a person, or the run ends without them. An item that was being retried waits for a decision again. */
export async function failItems(
  db: Database,
  { tenant, id }: JobRef,
  { from, to }: ItemRange,
  error: { code: string; message: string },
): Promise<void> {
  await db.query(
    `with failed as (
       update ingest_items set status = 'failed', error = $5, updated_at = now()
       where tenant_id = $1 and job_id = $2 and ordinal >= $3 and ordinal < $4 and status = 'pending' returning ordinal)
     update dlq_items d set status = 'refused', error_code = $6, error = $7, last_failed_at = now(), updated_at = now()
     from failed f where d.tenant_id = $1 and d.job_id = $2 and d.status = 'retrying' and d.id = $8::text || f.ordinal`,
    [tenant, id, from, to, JSON.stringify(error), error.code, error.message, itemDlqId(id, '')],
  );
}

export interface ItemView extends Row, Columns<'ingest_items', 'title' | 'identity' | 'url' | 'status' | 'source_id' | 'chunk_count'> {
  error: { code: string; message: string } | null;
}

/** Some items, failures first. */
export async function someItems(db: Database, { tenant, id }: JobRef, limit: number): Promise<ItemView[]> {
  return await db.query<ItemView>(
    `select title, identity, url, status, source_id, chunk_count, error from ingest_items where tenant_id = $1 and job_id = $2
     order by status in ('done', 'unchanged'), ordinal limit $3`,
    [tenant, id, limit],
  );
}

/** Some sources of this run whose former documents are not deleted yet. */
export async function sourcesWithLeftovers(db: Database, { tenant, id }: JobRef): Promise<string[]> {
  const rows = await db.query<{ source_id: string }>(
    `select distinct d.source_id from documents d where d.tenant_id = $1 and d.status = 'retired'
       and exists (select from ingest_items i where i.tenant_id = $1 and i.job_id = $2 and i.source_id = d.source_id) limit 200`,
    [tenant, id],
  );
  return rows.map((row) => row.source_id);
}
