import type { Blobs } from '../../adapters/blobs/types.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Left, RemovalRef } from '../../contracts/activities/knowledge/removal.ts';
import { followers } from '../kernel/followers.ts';
import { dropUnreferenced } from '../kernel/blobs.ts';
import { isCalledOff, isRemoved, notRemoved, removalKey, removedTag } from './removal-marks.ts';
import {
  documentsOf,
  documentValue,
  markSources,
  noteDocuments,
  refuseItems,
  remains,
  removalSpec,
  retireDocuments,
  sourcesOf,
  sourceValue,
  type RemovalTarget,
} from './removal-records.ts';

type Query = Database['query'];

/** Limits per transaction: short transactions, and little loss on a kill. */
const chunkSlice = 1_000;
const documentSlice = 50;
const sourceSlice = 200;
const blobSlice = 100;

/**
 * Deletes hidden records of a removal for a while. Uses the current state: a source that was submitted again has no
 * mark, and only its retired documents are deleted.
 * @param forMs duration
 */
export async function removeSome({ db, blobs }: { db: Database; blobs: Blobs }, ref: RemovalRef, forMs = 10_000): Promise<Left> {
  const { tenant, jobId } = ref;
  const until = Date.now() + forMs;
  const { target } = await catchUp(db, ref);
  for (;;) {
    const stepped = await step(db, tenant, jobId, target);
    const over = !stepped || Date.now() >= until;
    const pending = await droppable(db.query, ref);
    if (pending.length >= blobSlice || (over && pending.length > 0)) await dropSome(db, blobs, ref, pending);
    if (!over) continue;
    const more = stepped || pending.length > blobSlice || (await remains(db.query, tenant, target));
    if (!more) await closeBase(db, tenant, target);
    return { more, chunks: await chunksLeft(db, tenant, target), counts: (await removalSpec(db.query, tenant, jobId)).counts };
  }
}

/** Also what a cancelled run published after the mark, and what a running activity created. */
async function catchUp(db: Database, { tenant, jobId }: RemovalRef) {
  const spec = await removalSpec(db.query, tenant, jobId);
  const { target, called_off: calledOff } = spec;
  await db.transaction(async (query) => {
    if (calledOff.length > 0) {
      await noteBlobs(query, tenant, jobId, await refuseItems(query, tenant, 'j.id = any($2)', [calledOff]));
      await markSources(
        query,
        tenant,
        `${sourcesOf(target)} and exists (select from ingest_items i where i.tenant_id = $1 and i.job_id = any($3)
           and i.source_id = s.id and i.document_id = s.document_id)`,
        [sourceValue(target), calledOff],
      );
    }
    const marked = await query<{ id: string }>(
      `select s.id from knowledge_sources s where s.tenant_id = $1 and ${sourcesOf(target)} and ${isRemoved('s')}
         and exists (select from documents d where d.tenant_id = $1 and d.source_id = s.id and d.status <> 'retired') order by s.id for update`,
      [tenant, sourceValue(target)],
    );
    if (marked.length > 0) {
      await retireDocuments(
        query,
        tenant,
        marked.map((row) => row.id),
      );
    }
  });
  return spec;
}

/** @returns whether there was anything to do */
async function step(db: Database, tenant: string, jobId: string, target: RemovalTarget): Promise<boolean> {
  const documents = await db.query<{ id: string; source_id: string }>(
    `select id, source_id from documents d where tenant_id = $1 and ${documentsOf(target)} and status = 'retired' order by id limit ${documentSlice}`,
    [tenant, documentValue(target)],
  );
  if (documents.length > 0) {
    const ids = documents.map((document) => document.id);
    await followers.passagesGoing(db, tenant, ids);
    if ((await deleteChunks(db, tenant, ids)) < chunkSlice)
      await purge(db, tenant, jobId, ids, [...new Set(documents.map((d) => d.source_id))]);
    return true;
  }
  const sources = await db.query<{ id: string }>(
    `select s.id from knowledge_sources s where s.tenant_id = $1 and ${sourcesOf(target)} and ${isRemoved('s')}
       and not exists (select from documents d where d.tenant_id = $1 and d.source_id = s.id) order by s.id limit ${sourceSlice}`,
    [tenant, sourceValue(target)],
  );
  if (sources.length === 0) return false;
  await purge(
    db,
    tenant,
    jobId,
    [],
    sources.map((source) => source.id),
  );
  return true;
}

async function deleteChunks(db: Database, tenant: string, documentIds: string[]): Promise<number> {
  const deleted = await db.query(
    // Locked, so that only passages of retired documents are deleted.
    `with dead as materialized (select id from documents where tenant_id = $1 and id = any($2) and status = 'retired' order by id for update),
       doomed as materialized (select c.id from chunks c join dead on dead.id = c.document_id where c.tenant_id = $1 limit ${chunkSlice}),
       words as (delete from postings p using doomed where p.tenant_id = $1 and p.chunk_id = doomed.id)
     delete from chunks c using doomed where c.tenant_id = $1 and c.id = doomed.id returning 1`,
    [tenant, documentIds],
  );
  return deleted.length;
}

/** Deletes empty documents, and empty sources that were not submitted again. */
async function purge(db: Database, tenant: string, jobId: string, documentIds: string[], sourceIds: string[]): Promise<void> {
  await db.transaction(async (query) => {
    await query('select 1 from knowledge_sources where tenant_id = $1 and id = any($2) order by id for update', [tenant, sourceIds]);
    const documents = await query<{ id: string; source_id: string; scope: number; blob: string; parsed: string | null }>(
      `delete from documents where tenant_id = $1 and id = any($2) and status = 'retired' returning id, source_id, scope, blob, parsed`,
      [tenant, documentIds],
    );
    const sources = await query<{ id: string }>(
      `delete from knowledge_sources s where s.tenant_id = $1 and s.id = any($2) and ${isRemoved('s')}
         and not exists (select from documents d where d.tenant_id = $1 and d.source_id = s.id) returning s.id`,
      [tenant, sourceIds],
    );
    await query(
      `update knowledge_sources s set metadata = metadata - '${removalKey}' where tenant_id = $1 and id = any($2) and metadata ? '${removalKey}' and ${notRemoved('s')}`,
      [tenant, sourceIds],
    );
    const gone = sources.map((source) => source.id);
    const blobs = [
      ...documents.flatMap(({ blob, parsed }) => (parsed === null ? [blob] : [blob, parsed])),
      ...(await forget(query, tenant, gone)),
    ];
    await noteBlobs(query, tenant, jobId, blobs);
    await noteDocuments(query, tenant, 'document.deleted', documents);
  });
}

/** To be checked after the rows that named them are deleted. */
async function noteBlobs(query: Query, tenant: string, jobId: string, blobs: string[]): Promise<void> {
  if (blobs.length === 0) return;
  await query(`update jobs set spec = jsonb_set(spec, '{blobs}', (spec->'blobs') || $3::jsonb) where tenant_id = $1 and id = $2`, [
    tenant,
    jobId,
    JSON.stringify(blobs),
  ]);
}

/** Noted blobs that can be checked now. Blobs of a cancelled ingestion wait until it has ended. */
async function droppable(query: Query, { tenant, jobId }: RemovalRef): Promise<string[]> {
  const { blobs, called_off: calledOff } = await removalSpec(query, tenant, jobId);
  if (blobs.length === 0 || calledOff.length === 0) return blobs;
  const named = await query<{ blob: string }>(
    `select spec->>'blob' as blob from jobs where tenant_id = $1 and id = any($2) and ${isCalledOff} and spec ? 'blob'`,
    [tenant, calledOff],
  );
  const held = new Set(named.map((row) => row.blob));
  return blobs.filter((blob) => !held.has(blob));
}

/**
 * Deletes other records of deleted sources.
 * @returns the blobs that they named
 */
async function forget(query: Query, tenant: string, sourceIds: string[]): Promise<string[]> {
  if (sourceIds.length === 0) return [];
  await query('delete from dlq_items where tenant_id = $1 and source_id = any($2)', [tenant, sourceIds]);
  await followers.sourcesDeleted(query, tenant, sourceIds);
  const items = await query<{ blob: string | null }>(
    `with old as (select i.job_id, i.ordinal, i.blob, j.status in ('queued', 'running') as running from ingest_items i
         join jobs j on j.tenant_id = i.tenant_id and j.id = i.job_id
       where i.tenant_id = $1 and i.source_id = any($2) and i.status <> 'pending' order by i.job_id, i.ordinal for update of i)
     update ingest_items i set identity = case when old.running then i.identity else 'removed:' || old.ordinal end, blob = null, title = null, url = null, filename = null, tags = '{}', metadata = '{}'
     from old where i.tenant_id = $1 and i.job_id = old.job_id and i.ordinal = old.ordinal returning old.blob`,
    [tenant, sourceIds],
  );
  // Only the job names a content that was refused or cancelled.
  const jobs = await query<{ blob: string | null }>(
    `select spec->>'blob' as blob from jobs where tenant_id = $1 and kind = 'ingest' and spec->>'source_id' = any($2)`,
    [tenant, sourceIds],
  );
  return [...new Set([...items, ...jobs].flatMap(({ blob }) => (blob === null ? [] : [blob])))];
}

async function dropSome(db: Database, blobs: Blobs, { tenant, jobId }: RemovalRef, pending: string[]): Promise<void> {
  const some = [...new Set(pending)].slice(0, blobSlice);
  await dropUnreferenced(db, blobs, tenant, some);
  await db.query(
    `update jobs set spec = jsonb_set(spec, '{blobs}', (select coalesce(jsonb_agg(b), '[]') from jsonb_array_elements_text(spec->'blobs') b where b <> all($3)))
     where tenant_id = $1 and id = $2`,
    [tenant, jobId, some],
  );
}

/** Deletes the base if it is empty; if sources were submitted to it meanwhile, it stays and loses its mark. */
async function closeBase(db: Database, tenant: string, target: RemovalTarget): Promise<void> {
  if ('source_id' in target) return;
  await db.transaction(async (query) => {
    const [base] = await query<{ marked: boolean; used: boolean }>(
      `select $3 = any(tags) as marked, exists (select from knowledge_sources s where s.tenant_id = $1 and s.kb_id = $2) as used
       from knowledge_bases where tenant_id = $1 and id = $2 and scope = $4 for update`,
      [tenant, target.kb_id, removedTag, target.scope],
    );
    if (!base?.marked) return;
    if (!base.used) {
      // Checked again under the lock: a source added while we waited for it keeps the base.
      const gone = await query(
        `delete from knowledge_bases b where tenant_id = $1 and id = $2 and not exists (select from knowledge_sources s where s.tenant_id = $1 and s.kb_id = $2) returning 1`,
        [tenant, target.kb_id],
      );
      if (gone.length > 0) return;
    }
    await query('update knowledge_bases set tags = array_remove(tags, $3), updated_at = now() where tenant_id = $1 and id = $2', [
      tenant,
      target.kb_id,
      removedTag,
    ]);
  });
}

async function chunksLeft(db: Database, tenant: string, target: RemovalTarget): Promise<number> {
  const [row] = await db.query<{ chunks: number }>(
    `select coalesce(sum(chunk_count), 0)::int as chunks from documents d where tenant_id = $1 and ${documentsOf(target)} and status = 'retired'`,
    [tenant, documentValue(target)],
  );
  return row?.chunks ?? 0;
}
