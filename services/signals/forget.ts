import type { Database } from '../../adapters/postgres/database.ts';
import { countSignals } from './insight/counting.ts';

/**
 * Takes the signals of documents away, and out of all counts: in the transaction that retires or deletes the documents,
 * or reads them anew, with the documents locked. What people said of them stays, for when the source says the same again.
 */
export async function forgetSignals(query: Database['query'], tenant: string, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length === 0) return;
  const rows = await query<{ id: string }>('select id from signals where tenant_id = $1 and document_id = any($2) order by id for update', [
    tenant,
    documentIds,
  ]);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await countSignals(query, tenant, ids, -1);
  await query('delete from signals where tenant_id = $1 and id = any($2)', [tenant, ids]);
}

/** With their sources goes what people said of their statements. */
export async function forgetCorrections(query: Database['query'], tenant: string, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await query('delete from signal_corrections where tenant_id = $1 and source_id = any($2)', [tenant, sourceIds]);
}
