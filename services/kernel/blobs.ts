import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Database } from '../../adapters/postgres/database.ts';

/**
 * Deletes those of the given blobs that no row refers to.
 * @param besides a document whose row is about to be deleted
 * @returns how many
 */
export async function dropUnreferenced(
  db: Database,
  blobs: Blobs,
  tenant: string,
  hashes: readonly string[],
  besides: string | null = null,
): Promise<number> {
  const real = hashes.filter((hash) => /^[0-9a-f]{64}$/.test(hash));
  return real.length === 0 ? 0 : await blobs.delete(tenant, real, (asked) => referenced(db.query, tenant, asked, besides));
}

async function referenced(query: Database['query'], tenant: string, hashes: string[], besides: string | null): Promise<Set<string>> {
  const rows = await query<{ blob: string }>(
    `select blob from documents where tenant_id = $1 and blob = any($2) and id is distinct from $3
     union select parsed from documents where tenant_id = $1 and parsed = any($2) and id is distinct from $3
     union select blob from ingest_items where tenant_id = $1 and blob = any($2)
     union select sha256 from artifacts where tenant_id = $1 and sha256 = any($2)
     union select sha256 from exports where tenant_id = $1 and sha256 = any($2) and expires_at > now()
     union select spec->>'blob' from jobs where tenant_id = $1 and status in ('queued', 'running') and spec->>'blob' = any($2)
     union select j.spec->>'blob' from dlq_items d join jobs j on j.tenant_id = d.tenant_id and j.id = d.job_id
       where d.tenant_id = $1 and d.status in ('parked', 'refused', 'retrying') and j.spec->>'blob' = any($2)`,
    [tenant, hashes, besides],
  );
  return new Set(rows.map((row) => row.blob));
}

/** Hashes of all blobs that rows of a tenant name. */
export async function blobsNamed(query: Database['query'], tenant: string): Promise<string[]> {
  const rows = await query<{ blob: string }>(
    `select blob from documents where tenant_id = $1
     union select parsed from documents where tenant_id = $1
     union select blob from ingest_items where tenant_id = $1
     union select sha256 from artifacts where tenant_id = $1
     union select sha256 from exports where tenant_id = $1 and expires_at > now()
     union select spec->>'blob' from jobs where tenant_id = $1 and status in ('queued', 'running')
     union select j.spec->>'blob' from dlq_items d join jobs j on j.tenant_id = d.tenant_id and j.id = d.job_id
       where d.tenant_id = $1 and d.status in ('parked', 'refused', 'retrying')`,
    [tenant],
  );
  return rows.flatMap(({ blob }) => (/^[0-9a-f]{64}$/.test(blob ?? '') ? [blob] : []));
}
