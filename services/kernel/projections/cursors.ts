import type { Database } from '../../../adapters/postgres/database.ts';

type Query = Database['query'];

/** A position in a tenant's outbox; `xid` and `id` exceed the exact integers of JavaScript. */
export interface Cursor {
  xid: string;
  id: string;
}

/** An outbox entry, as far as copies need it. */
export interface Change {
  type: string;
  subject: string;
  /** For `graph.changed`. */
  entities: string[] | null;
}

/** Marks a copy under construction, with the outbox's position when it began. */
const building = (follower: string): string => `${follower}:building`;

/** Null: the copy is not complete, or the cursor comes from another Postgres with higher transaction ids. */
export async function cursorOf(query: Query, tenant: string, follower: string): Promise<Cursor | null> {
  const [row] = await query<{ xid: string; id: string }>(
    `select xid::text, id::text from outbox_cursors
     where tenant_id = $1 and follower = $2 and xid <= coming_moment()`,
    [tenant, follower],
  );
  return row ?? null;
}

/**
 * Entries committed after the cursor, in order, up to the point before which nothing can be committed any more.
 * @returns the entries, and the position after the last one; null when there is nothing new
 */
export async function changesAfter(
  query: Query,
  tenant: string,
  { xid, id }: Cursor,
  limit: number,
): Promise<{ changes: Change[]; to: Cursor; more: boolean } | null> {
  const rows = await query<Change & Cursor & Record<string, unknown>>(
    `select xid::text, id::text, type, subject, data->'entities' as entities from outbox o
     where tenant_id = $1 and (o.xid, o.id) > ($2::xid8, $3::bigint) and o.xid < settled_moment()
     order by o.xid, o.id limit ${limit}`,
    [tenant, xid, id],
  );
  const last = rows.at(-1);
  return last ? { changes: rows, to: { xid: last.xid, id: last.id }, more: rows.length === limit } : null;
}

/** Never goes back, and does nothing while the copy is being rebuilt. */
export async function advance(query: Query, tenant: string, follower: string, { xid, id }: Cursor): Promise<void> {
  await query(
    `update outbox_cursors set xid = $3::xid8, id = $4, updated_at = now()
     where tenant_id = $1 and follower = $2 and (xid, id) < ($3::xid8, $4::bigint)`,
    [tenant, follower, xid, id],
  );
}

/** From here on searches do not use the copy, until `complete`. Later entries are followed afterwards. */
export async function beginBuilding(db: Database, tenant: string, follower: string): Promise<void> {
  await db.transaction(async (query) => {
    await query('delete from outbox_cursors where tenant_id = $1 and follower = $2', [tenant, follower]);
    await query(
      `insert into outbox_cursors (tenant_id, follower, xid, id) values ($1, $2, settled_moment(), 0)
       on conflict (tenant_id, follower) do update set xid = excluded.xid, updated_at = now()`,
      [tenant, building(follower)],
    );
  });
}

export async function isBuilding(query: Query, tenant: string, follower: string): Promise<boolean> {
  return (await query('select 1 from outbox_cursors where tenant_id = $1 and follower = $2', [tenant, building(follower)])).length > 0;
}

/** @returns false when the rebuild was cancelled meanwhile and must begin again */
export async function complete(query: Query, tenant: string, follower: string): Promise<boolean> {
  const rows = await query(
    `update outbox_cursors set follower = $2, updated_at = now() where tenant_id = $1 and follower = $3
       and not exists (select from outbox_cursors where tenant_id = $1 and follower = $2) returning 1`,
    [tenant, follower, building(follower)],
  );
  return rows.length > 0;
}

/** The copy is empty: deletes its cursors. */
export async function forget(query: Query, tenant: string, follower: string): Promise<void> {
  await query('delete from outbox_cursors where tenant_id = $1 and follower in ($2, $3)', [tenant, follower, building(follower)]);
}
