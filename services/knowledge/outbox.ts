import type { Database } from '../../adapters/postgres/database.ts';

export type DocumentEvent = 'document.published' | 'document.retired' | 'document.deleted';

/**
 * Notes what became of a document for those who follow the outbox: projections now, events later. Belongs into the
 * transaction of the change itself, and near its end, as a noted change holds back what commits after it.
 */
export async function noteDocument(
  query: Database['query'],
  tenant: string,
  type: DocumentEvent,
  documentId: string,
  data: { scope: number; source_id: string },
): Promise<void> {
  await query('insert into outbox (tenant_id, type, subject, data) values ($1, $2, $3, $4)', [
    tenant,
    type,
    documentId,
    JSON.stringify(data),
  ]);
}

/**
 * Deletes old changes that every follower has passed. Events go in the order in which they are told: who reads on after
 * one that is kept misses none. The last one stays: its reader must find it again.
 * @returns how many
 */
export async function pruneOutbox(db: Database, tenant: string, olderThanDays: number): Promise<number> {
  await db.query('select number_events($1)', [tenant]);
  const rows = await db.query(
    `delete from outbox o where o.tenant_id = $1 and o.created_at < now() - make_interval(days => $2)
       and (o.seq is null or o.seq < coalesce((select min(k.seq) from outbox k where k.tenant_id = $1 and k.seq is not null
         and (k.created_at >= now() - make_interval(days => $2) or k.seq = (select h.seq from event_heads h where h.tenant_id = $1)
           or exists (select from outbox_cursors c where c.tenant_id = $1 and (c.xid, c.id) < (k.xid, k.id)))), 9223372036854775807))
       and not exists (select from outbox_cursors c where c.tenant_id = $1 and (c.xid, c.id) < (o.xid, o.id)) returning 1`,
    [tenant, olderThanDays],
  );
  return rows.length;
}
