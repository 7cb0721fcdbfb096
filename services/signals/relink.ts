import type { Database } from '../../adapters/postgres/database.ts';
import { countSignals } from './insight/counting.ts';

type Query = Database['query'];

const featuresKnown = `exists (select from evidence_directories v where v.tenant_id = $1 and jsonb_array_length(v.directory->'features') > 0)`;
/** Types that the reading of a document decides, by the names in `signal_names`. */
const readTypes = `('customer', 'feature', 'competitor')`;

/**
 * Entities of signals: those named by the reading; of other types, those mentioned in the statement, and so are
 * features where the directory knows none. Signals of documents without a reading: all those mentioned, and the
 * customers of the whole document. $1 is the tenant, $2 the signals.
 */
const linked = `
  insert into signal_entities (tenant_id, signal_id, entity_id, type, occurred_at)
  select s.tenant_id, s.id, e.id, e.type, s.occurred_at from signals s
  join entity_mentions m on m.tenant_id = $1 and m.entity_id is not null
    and ((m.chunk_id = s.chunk_id and m.end_at > 0 and m.start_at < s.end_at and m.end_at > s.start_at)
      or (m.document_id = s.document_id and m.end_at = 0 and m.type = 'customer'))
  join entities e on e.tenant_id = $1 and e.id = m.entity_id
  where s.tenant_id = $1 and s.id = any($2)
    and not (e.type in ${readTypes} and (e.type <> 'feature' or ${featuresKnown}) and exists (select from document_readings r where r.tenant_id = $1 and r.document_id = s.document_id))
  union
  select s.tenant_id, s.id, e.id, e.type, s.occurred_at from signals s
  join signal_names n on n.tenant_id = $1 and n.signal_id = s.id
  join entity_aliases a on a.tenant_id = $1 and a.type = n.type and a.key = n.key
  join entities e on e.tenant_id = $1 and e.id = a.entity_id
  where s.tenant_id = $1 and s.id = any($2)
  order by 2, 3 on conflict do nothing`;

/** Links signals without links. The caller holds the tenant's graph lock, and updates the counts. */
export async function linkSignals(query: Query, tenant: string, signalIds: readonly string[]): Promise<void> {
  await query(linked, [tenant, signalIds]);
}

/**
 * Updates links and counts of the signals of these entities: linked ones, and those that mention one. After merges,
 * splits and changes of type. The caller holds the tenant's graph lock.
 */
export async function relinkSignals(query: Query, tenant: string, entityIds: readonly string[]): Promise<void> {
  if (entityIds.length === 0) return;
  const rows = await query<{ id: string }>(
    `select signal_id as id from signal_entities where tenant_id = $1 and entity_id = any($2)
     union
     select s.id from entity_mentions m join signals s on s.tenant_id = $1 and s.document_id = m.document_id
       and ((m.chunk_id = s.chunk_id and m.end_at > 0 and m.start_at < s.end_at and m.end_at > s.start_at) or (m.end_at = 0 and m.type = 'customer'))
     where m.tenant_id = $1 and m.entity_id = any($2)
     union
     select n.signal_id from entity_aliases a join signal_names n on n.tenant_id = $1 and n.type = a.type and n.key = a.key
     where a.tenant_id = $1 and a.entity_id = any($2) order by id`,
    [tenant, entityIds],
  );
  const ids = rows.map((row) => row.id);
  if (ids.length > 0) await relink(query, tenant, ids);
}

/** Links counted signals anew, with their counts. The caller holds the tenant's graph lock. */
export async function relink(query: Query, tenant: string, signalIds: readonly string[]): Promise<void> {
  await countSignals(query, tenant, signalIds, -1);
  await query('delete from signal_entities where tenant_id = $1 and signal_id = any($2)', [tenant, signalIds]);
  await linkSignals(query, tenant, signalIds);
  await countSignals(query, tenant, signalIds, 1);
}
