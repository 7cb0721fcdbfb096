import type { Database } from '../../adapters/postgres/database.ts';
import { namings } from '../../contracts/outbound/events.ts';

/** The name of an event `o`, in SQL; null: it has none. `nameOf` (contracts/outbound/events.ts) says the same. */
const nameSql = `case ${namings
  .map(({ name, type, field, values }) => `when o.type = '${type}' and o.data->>'${field}' in ('${values.join("', '")}') then '${name}'`)
  .join(' ')} end`;

/** Whether a filter includes an event `o`, in SQL: `types` has types and names, none for all; `subject` may be null. */
export const wantedBy = (types: string, subject: string): string =>
  `(cardinality(${types}) = 0 or o.type = any(${types}) or ${nameSql} = any(${types})) and (${subject} is null or o.subject = ${subject})`;

/** Whether a subscription `s` includes an event `o`. */
export const isWanted = wantedBy('s.types', 's.subject');

/**
 * Writes an event to the outbox, for projections, streams and webhooks. Call it in the transaction of the change,
 * near its end, because it delays the processing of later commits.
 */
export async function noteEvent(query: Database['query'], tenant: string, type: string, subject: string, data: object): Promise<void> {
  await query('insert into outbox (tenant_id, type, subject, data) values ($1, $2, $3, $4)', [tenant, type, subject, JSON.stringify(data)]);
}

export type DocumentEvent = 'document.published' | 'document.retired' | 'document.deleted';

/** Writes an event about a document. */
export async function noteDocument(
  query: Database['query'],
  tenant: string,
  type: DocumentEvent,
  documentId: string,
  data: { scope: number; source_id: string },
): Promise<void> {
  await noteEvent(query, tenant, type, documentId, data);
}

/**
 * Deletes old entries that every reader has passed, in the order of events, so that a reader after a kept entry
 * misses none. The last one stays, because its reader must find it again. Subscriptions are moved past deleted
 * entries; their events among these count as missed.
 * @returns how many
 */
export async function pruneOutbox(db: Database, tenant: string, olderThanDays: number): Promise<number> {
  await db.query('select number_events($1)', [tenant]);
  return await db.transaction(async (query) => {
    await dropLeftBehind(query, tenant, olderThanDays);
    const [row] = await query<{ n: number }>(
      `with gone as (
         delete from outbox o where o.tenant_id = $1 and o.created_at < now() - make_interval(days => $2)
           and (o.seq is null or o.seq < coalesce((select min(k.seq) from outbox k where k.tenant_id = $1 and k.seq is not null
             and (k.created_at >= now() - make_interval(days => $2) or k.seq = (select h.seq from event_heads h where h.tenant_id = $1)
               or exists (select from outbox_cursors c where c.tenant_id = $1 and (c.xid, c.id) < (k.xid, k.id)))), 9223372036854775807))
           and not exists (select from outbox_cursors c where c.tenant_id = $1 and (c.xid, c.id) < (o.xid, o.id))
         returning o.seq, o.type, o.subject, o.data),
       last as (select max(seq) as seq from gone),
       moved as (
         update event_subscriptions s set seq = last.seq, attempts = 0, failing_since = null, retry_at = null,
           missed = s.missed + (select count(*) from gone o where o.seq > s.seq and ${isWanted})
         from last where s.tenant_id = $1 and s.seq < last.seq)
       select count(*)::int as n from gone`,
      [tenant, olderThanDays],
    );
    return row!.n;
  });
}

/**
 * A reader that has not moved during the whole retention belongs to a copy that is no longer configured, or was
 * unavailable for so long that a rebuild is better. It rebuilds when it finds no cursor.
 */
async function dropLeftBehind(query: Database['query'], tenant: string, olderThanDays: number): Promise<void> {
  await query(
    `delete from outbox_cursors c where c.tenant_id = $1 and c.updated_at < now() - make_interval(days => $2)
       and exists (select from outbox o where o.tenant_id = $1 and (o.xid, o.id) > (c.xid, c.id)
         and o.created_at < now() - make_interval(days => $2))`,
    [tenant, olderThanDays],
  );
}
