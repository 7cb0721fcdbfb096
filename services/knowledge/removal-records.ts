import type { Database } from '../../adapters/postgres/database.ts';
import type { RemovalCounts, RemovalRef } from '../../contracts/activities/knowledge/removal.ts';
import { hiddenBases } from '../../contracts/graph/graph.ts';
import { followers } from '../kernel/followers.ts';
import { isRemoved, notRemoved, removalKey, removedTag } from './removal-marks.ts';

type Query = Database['query'];

/** Target of a removal: one source, or a base with all its sources. */
export type RemovalTarget = { source_id: string } | { kb_id: string; scope: number };

/** `jobs.spec` of a removal: everything its process needs. */
export interface RemovalSpec extends Record<string, unknown> {
  target: RemovalTarget;
  counts: RemovalCounts;
  /** Jobs that were ingesting the target. */
  called_off: string[];
  /** Blobs of deleted documents that are still to be checked. */
  blobs: string[];
}

/** SQL over knowledge_sources `s`, documents `d`: the rows of the target, given as $2. */
export const sourcesOf = (target: RemovalTarget): string => ('source_id' in target ? 's.id = $2' : 's.kb_id = $2');
export const documentsOf = (target: RemovalTarget): string => ('source_id' in target ? 'd.source_id = $2' : 'd.scope = $2');
export const sourceValue = (target: RemovalTarget): string => ('source_id' in target ? target.source_id : target.kb_id);
export const documentValue = (target: RemovalTarget): string | number => ('source_id' in target ? target.source_id : target.scope);

/**
 * Hides sources atomically: marks them with a new revision and retires their documents. Already marked ones are
 * skipped. Lock order everywhere: items, sources by id, documents, jobs.
 * @param where over knowledge_sources `s`; $1 is the tenant, `values` follow
 */
export async function markSources(query: Query, tenant: string, where: string, values: unknown[]): Promise<RemovalCounts> {
  const locked = await query<{ id: string }>(
    `select s.id from knowledge_sources s where s.tenant_id = $1 and ${where} and ${notRemoved('s')} order by s.id for update`,
    [tenant, ...values],
  );
  const ids = locked.map((row) => row.id);
  if (ids.length === 0) return { sources: 0, documents: 0, chunks: 0 };
  await query(
    `update knowledge_sources set revision = revision + 1, document_id = null, chunk_count = 0, tags = '{}', description = null, priority = 0,
       metadata = jsonb_build_object('${removalKey}', jsonb_build_object('revision', revision + 1)), updated_at = now()
     where tenant_id = $1 and id = any($2)`,
    [tenant, ids],
  );
  const chunks = await retireDocuments(query, tenant, ids);
  return { sources: ids.length, documents: chunks.length, chunks: chunks.reduce((sum, count) => sum + count, 0) };
}

/**
 * Retires all documents of these sources, so that no search finds them and no late activity continues.
 * @returns their numbers of passages
 */
export async function retireDocuments(query: Query, tenant: string, sourceIds: string[]): Promise<number[]> {
  // The former status shows whether the document was ever announced.
  const retired = await query<{ id: string; source_id: string; scope: number; chunk_count: number; former: string }>(
    `with open as (select id, status as former from documents where tenant_id = $1 and source_id = any($2) and status <> 'retired' for update)
     update documents d set status = 'retired', updated_at = now() from open
     where d.tenant_id = $1 and d.id = open.id returning d.id, d.source_id, d.scope, d.chunk_count, open.former`,
    [tenant, sourceIds],
  );
  const ids = retired.map((row) => row.id);
  await followers.documentsWithdrawn(query, tenant, ids);
  await followers.documentsVoid(query, tenant, ids);
  await noteDocuments(
    query,
    tenant,
    'document.retired',
    retired.filter((row) => row.former === 'active'),
  );
  return retired.map((row) => row.chunk_count);
}

/** As `noteDocument`, for many documents. */
export async function noteDocuments(
  query: Query,
  tenant: string,
  type: 'document.retired' | 'document.deleted',
  documents: readonly { id: string; source_id: string; scope: number }[],
): Promise<void> {
  if (documents.length === 0) return;
  await query(
    `insert into outbox (tenant_id, type, subject, data)
     select $1, $2, d.id, jsonb_build_object('scope', d.scope, 'source_id', d.source_id)
     from unnest($3::text[], $4::int[], $5::text[]) as d(id, scope, source_id)`,
    [tenant, type, documents.map((d) => d.id), documents.map((d) => d.scope), documents.map((d) => d.source_id)],
  );
}

/**
 * Refuses waiting contents of runs that were submitted before the removal. Their identities stay, or a repeated
 * collection would add them again.
 * @returns the blobs they named
 * @param where over jobs `j` and ingest_items `i`; $1 is the tenant, `values` follow
 */
export async function refuseItems(query: Query, tenant: string, where: string, values: unknown[]): Promise<string[]> {
  const refused = await query<{ blob: string | null }>(
    `with waiting as (
       select i.job_id, i.ordinal, i.blob from ingest_items i join jobs j on j.tenant_id = i.tenant_id and j.id = i.job_id
       where i.tenant_id = $1 and i.status = 'pending' and j.status in ('queued', 'running') and ${where}
       order by i.job_id, i.ordinal for update of i)
     update ingest_items i set status = 'refused', error = '{"code":"GONE","message":"Its source was deleted before its turn came."}',
       blob = null, title = null, url = null, filename = null, tags = '{}', metadata = '{}', updated_at = now()
     from waiting w where i.tenant_id = $1 and i.job_id = w.job_id and i.ordinal = w.ordinal returning w.blob`,
    [tenant, ...values],
  );
  return refused.flatMap(({ blob }) => (blob === null ? [] : [blob]));
}

/**
 * Removes the document from every job that is ingesting the target.
 * @returns these jobs
 */
async function callOffJobs(query: Query, tenant: string, field: 'source_id' | 'kb_id', value: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `with open as (select id from jobs where tenant_id = $1 and status in ('queued', 'running') and kind <> 'removal' and spec->>'${field}' = $2 order by id for update)
     update jobs j set spec = case when j.spec ? 'document_id' then j.spec || '{"document_id":null}' else j.spec end
     from open where j.tenant_id = $1 and j.id = open.id returning j.id`,
    [tenant, value],
  );
  return rows.map((row) => row.id);
}

export interface Marked {
  jobId: string;
  workflowId: string;
  rev: number;
  /** False: it was removed before, and nothing of it was submitted since. */
  open: boolean;
}

interface NewRemoval {
  jobId: string;
  workflowId: string;
  title: string;
  createdBy: string;
}

/** @returns null when there is no such source and never was one to remove */
export async function markSource(db: Database, tenant: string, sourceId: string, removal: NewRemoval): Promise<Marked | null> {
  return await db.transaction(async (query) => {
    const [source] = await query<{ kb_id: string; identity: string }>(
      `select kb_id, identity from knowledge_sources where tenant_id = $1 and id = $2 and kb_id <> all($3)`,
      [tenant, sourceId, hiddenBases],
    );
    if (!source) return await formerly(query, tenant, removal);
    const blobs = await refuseItems(query, tenant, `j.spec->>'kb_id' = $2 and i.identity = $3`, [source.kb_id, source.identity]);
    const counts = await markSources(query, tenant, 's.id = $2', [sourceId]);
    const calledOff = counts.sources > 0 ? await callOffJobs(query, tenant, 'source_id', sourceId) : [];
    return await openJob(query, tenant, removal, { target: { source_id: sourceId }, counts, called_off: calledOff, blobs });
  });
}

/** @returns null when there is no such base and never was one to remove */
export async function markBase(db: Database, tenant: string, kbId: string, removal: NewRemoval): Promise<Marked | null> {
  return await db.transaction(async (query) => {
    const blobs = await refuseItems(query, tenant, `j.spec->>'kb_id' = $2`, [kbId]);
    const [base] = await query<{ scope: number; marked: boolean }>(
      'select scope, $3 = any(tags) as marked from knowledge_bases where tenant_id = $1 and id = $2 for update',
      [tenant, kbId, removedTag],
    );
    if (!base) return await formerly(query, tenant, removal);
    const counts = await markSources(query, tenant, 's.kb_id = $2', [kbId]);
    const fresh = !base.marked || counts.sources > 0 || blobs.length > 0;
    if (!base.marked) {
      await query('update knowledge_bases set tags = tags || $3::text, updated_at = now() where tenant_id = $1 and id = $2', [
        tenant,
        kbId,
        removedTag,
      ]);
    }
    const calledOff = fresh ? await callOffJobs(query, tenant, 'kb_id', kbId) : [];
    return await openJob(
      query,
      tenant,
      removal,
      { target: { kb_id: kbId, scope: base.scope }, counts, called_off: calledOff, blobs },
      fresh,
    );
  });
}

async function formerly(query: Query, tenant: string, { jobId, workflowId }: NewRemoval): Promise<Marked | null> {
  const [job] = await query<{ rev: number; status: string }>(`select rev, status from jobs where tenant_id = $1 and id = $2`, [
    tenant,
    jobId,
  ]);
  return job ? { jobId, workflowId, rev: job.rev, open: job.status === 'queued' || job.status === 'running' } : null;
}

/** The job's row, opened (again) unless it is running and nothing was added. */
async function openJob(
  query: Query,
  tenant: string,
  { jobId, workflowId, title, createdBy }: NewRemoval,
  spec: RemovalSpec,
  fresh = spec.counts.sources > 0 || spec.blobs.length > 0,
): Promise<Marked> {
  const [job] = await query<{ rev: number; status: string; spec: RemovalSpec }>(
    'select rev, status, spec from jobs where tenant_id = $1 and id = $2 for update',
    [tenant, jobId],
  );
  const running = job?.status === 'queued' || job?.status === 'running';
  if (job && running && !fresh) return { jobId, workflowId, rev: job.rev, open: true };
  // Unfinished parts of a running removal are included.
  const whole: RemovalSpec = running
    ? {
        ...spec,
        counts: sum(job.spec.counts, spec.counts),
        called_off: [...new Set([...job.spec.called_off, ...spec.called_off])],
        blobs: [...job.spec.blobs, ...spec.blobs],
      }
    : { ...spec, blobs: [...(job?.spec.blobs ?? []), ...spec.blobs] };
  const [{ rev }] = (await query<{ rev: number }>(
    `insert into jobs as j (tenant_id, id, kind, workflow_id, status, title, progress, spec, created_by)
     values ($1, $2, 'removal', $3, 'queued', $4, '{"stage":"queued"}', $5, $6)
     on conflict (id) do update set status = 'queued', rev = j.rev + 1, progress = excluded.progress, spec = excluded.spec, result = null, error = null,
       finished_at = null, created_by = excluded.created_by, updated_at = now()
     returning rev`,
    [tenant, jobId, workflowId, title, JSON.stringify(whole), createdBy],
  )) as [{ rev: number }];
  return { jobId, workflowId, rev, open: true };
}

const sum = (a: RemovalCounts, b: RemovalCounts): RemovalCounts => ({
  sources: a.sources + b.sources,
  documents: a.documents + b.documents,
  chunks: a.chunks + b.chunks,
});

export async function removalSpec(query: Query, tenant: string, jobId: string): Promise<RemovalSpec> {
  const [row] = await query<{ spec: RemovalSpec }>(`select spec from jobs where tenant_id = $1 and id = $2 and kind = 'removal'`, [
    tenant,
    jobId,
  ]);
  if (!row) throw new Error(`job ${jobId} has no row`);
  return row.spec;
}

/**
 * Counts of a base, for a preview of its removal.
 * @returns null when there is no such base
 */
export async function countBase(query: Query, tenant: string, kbId: string): Promise<RemovalCounts | null> {
  const [row] = await query<{ [K in keyof RemovalCounts]: number }>(
    `select (select count(*)::int from knowledge_sources s where s.tenant_id = $1 and s.kb_id = b.id and ${notRemoved('s')}) as sources,
       (select count(*)::int from documents d where d.tenant_id = $1 and d.scope = b.scope and d.status <> 'retired') as documents,
       (select coalesce(sum(chunk_count), 0)::int from documents d where d.tenant_id = $1 and d.scope = b.scope and d.status <> 'retired') as chunks
     from knowledge_bases b where b.tenant_id = $1 and b.id = $2`,
    [tenant, kbId],
  );
  return row ?? null;
}

export async function reopened(db: Database, { tenant, jobId }: RemovalRef): Promise<boolean> {
  const [job] = await db.query<{ status: string; spec: RemovalSpec }>('select status, spec from jobs where tenant_id = $1 and id = $2', [
    tenant,
    jobId,
  ]);
  if (!job) throw new Error(`job ${jobId} has no row`);
  return job.status !== 'completed' || (await remains(db.query, tenant, job.spec.target));
}

/** Whether a marked part of the target still exists. */
export async function remains(query: Query, tenant: string, target: RemovalTarget): Promise<boolean> {
  const [row] = await query<{ left: boolean }>(
    `select exists (select from knowledge_sources s where s.tenant_id = $1 and ${sourcesOf(target)} and ${isRemoved('s')}) as left`,
    [tenant, sourceValue(target)],
  );
  return row?.left ?? false;
}
