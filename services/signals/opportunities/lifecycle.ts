import type { Database } from '../../../adapters/postgres/database.ts';
import { noteEvent } from '../../kernel/outbox.ts';
import { untitled } from './title.ts';

type Query = Database['query'];

/** The actor of automatic changes. */
export const machine = 'signalbox';

export type OpportunityEvent = 'created' | 'status' | 'title' | 'factor' | 'merged' | 'split' | 'closed';

/** Kept permanently, so do not write titles that were generated from statements. */
export async function noteHistory(
  query: Query,
  tenant: string,
  id: string,
  event: OpportunityEvent,
  data: Record<string, unknown>,
  by = machine,
): Promise<void> {
  await query('insert into opportunity_history (tenant_id, opportunity_id, event, data, by) values ($1, $2, $3, $4, $5)', [
    tenant,
    id,
    event,
    JSON.stringify(data),
    by,
  ]);
}

/**
 * After a cluster was merged into another one: its opportunity is closed and refers to the other; people's decisions
 * are kept, unless the other has its own.
 */
export async function mergeOpportunities(query: Query, tenant: string, id: string, into: string): Promise<void> {
  // Members without vector, which were not compared, move along.
  await query('update opportunity_signals set cluster_id = $3 where tenant_id = $1 and cluster_id = $2', [tenant, id, into]);
  await query('delete from opportunity_clusters where tenant_id = $1 and id = $2', [tenant, id]);
  const [closed] = await query<{ title: string; title_by: string | null; status: string } & Record<string, unknown>>(
    `update opportunities set closed_at = now(), closed_reason = 'merged', merged_into = $3, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and id = $2 and closed_at is null returning title, title_by, status`,
    [tenant, id, into],
  );
  if (!closed) return;
  await query('update opportunities set merged_into = $3 where tenant_id = $1 and merged_into = $2', [tenant, id, into]);
  await query(
    `insert into opportunity_factors (tenant_id, opportunity_id, factor, value, reason, set_by, set_at)
     select tenant_id, $3, factor, value, reason, set_by, set_at from opportunity_factors where tenant_id = $1 and opportunity_id = $2
     on conflict do nothing`,
    [tenant, id, into],
  );
  if (closed.title_by !== null) {
    await query('update opportunities set title = $3, title_by = $4 where tenant_id = $1 and id = $2 and title_by is null', [
      tenant,
      into,
      closed.title,
      closed.title_by,
    ]);
  }
  const was = { status: closed.status, ...(closed.title_by === null ? {} : { title: closed.title }) };
  await noteHistory(query, tenant, id, 'merged', { into, ...was });
  await noteHistory(query, tenant, into, 'merged', { from: id, ...was });
  await noteEvent(query, tenant, 'opportunity.merged', id, { into });
}

/** A new cluster from statements of another one. */
export async function splitFrom(query: Query, tenant: string, from: string, id: string): Promise<void> {
  await noteHistory(query, tenant, id, 'split', { from });
}

/** Deletes a cluster without statements; its opportunity is closed, and keeps none of their text. */
export async function closeEmpty(query: Query, tenant: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await query('delete from opportunity_clusters where tenant_id = $1 and id = any($2::uuid[])', [tenant, ids]);
  const closed = await query<{ id: string }>(
    `update opportunities set closed_at = now(), closed_reason = 'no_evidence', signal_count = 0, statement_count = 0, customer_count = 0,
       score = 0, title = case when title_by is null then $3 else title end, rev = rev + 1, updated_at = now()
     where tenant_id = $1 and id = any($2::uuid[]) and closed_at is null returning id`,
    [tenant, ids, untitled],
  );
  for (const { id } of closed) {
    await noteHistory(query, tenant, id, 'closed', { reason: 'no_evidence' });
    await noteEvent(query, tenant, 'opportunity.closed', id, { reason: 'no_evidence' });
  }
}

/**
 * Removes text of documents that are about to be deleted from generated titles, which are generated again from the
 * rest. Called in the deleting transaction, while the signals still exist.
 * @returns opportunities with such a title, now or before: documents citing one may quote it
 */
export async function forgetTitles(query: Query, tenant: string, documentIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `select o.id from opportunities o where o.tenant_id = $1 and o.id in (
       select t.id from opportunities t cross join lateral jsonb_array_elements_text(t.computed->'titled_from') f(signal_id)
       join signals s on s.tenant_id = $1 and s.id = f.signal_id where t.tenant_id = $1 and s.document_id = any($2))
     order by o.id for update`,
    [tenant, documentIds],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  await query(
    `update opportunities o set title = $3, computed = computed - 'titled', scored_at = '-infinity', rev = rev + 1, updated_at = now()
     where tenant_id = $1 and id = any($2::uuid[]) and title_by is null
       and exists (select from signals s where s.tenant_id = $1 and s.id = o.computed->'titled_from'->>-1 and s.document_id = any($4))`,
    [tenant, ids, untitled, documentIds],
  );
  return ids;
}
