import type { Database } from '../../adapters/postgres/database.ts';
import { countSignals } from './insight/counting.ts';
import { unsettle } from './relate.ts';

/**
 * Deletes the signals of documents and their counts: in the transaction that retires or deletes the documents, or
 * reads them again, with the documents locked. People's corrections stay, for when the source contains the statement
 * again.
 */
export async function forgetSignals(query: Database['query'], tenant: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  await query('delete from document_readings where tenant_id = $1 and document_id = any($2)', [tenant, documentIds]);
  const rows = await query<{ id: string }>('select id from signals where tenant_id = $1 and document_id = any($2) order by id for update', [
    tenant,
    documentIds,
  ]);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await countSignals(query, tenant, ids, -1);
  await query('delete from signals where tenant_id = $1 and id = any($2)', [tenant, ids]);
  await unsettle(query, tenant, ids);
}

/** Deleting sources also deletes corrections of their statements. */
export async function forgetCorrections(query: Database['query'], tenant: string, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await query('delete from signal_corrections where tenant_id = $1 and source_id = any($2)', [tenant, sourceIds]);
  await query('delete from reading_corrections where tenant_id = $1 and source_id = any($2)', [tenant, sourceIds]);
}
