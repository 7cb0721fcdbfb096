import type { Logger } from 'pino';
import { AppError } from '../../contracts/errors.ts';
import type { Database } from '../postgres/database.ts';
import { currentScope } from '../postgres/tenancy.ts';
import { pgvector } from './pgvector.ts';
import type { Near, NearestQuery, ProjectedVectors, VectorStore } from './types.ts';

/** With more changes that the copy may not have, Postgres answers alone. */
const mostChanges = 1_000;
/** How long a copy that failed is left alone, in ms. */
const restFor = 5_000;
const attempts = 3;

interface Cursor {
  xid: string;
  id: string;
}

/**
 * Searches the copy, and gives the answer Postgres would give. The copy runs a little behind, and when a search takes
 * long, ahead of what that search sees. Both concern only documents with an entry in the outbox after the cursor that
 * the search sees: these are left out in the copy and compared in Postgres, in the search's own view. Whether there
 * are more of them by now is looked up after the copy has answered.
 * @param look reads what is committed, outside of the search's transaction
 */
export function searchedInCopy(copy: ProjectedVectors, look: Database['query'], log: Logger): VectorStore {
  let restUntil = 0;

  async function inCopy(wanted: NearestQuery, query: Database['query']): Promise<Near[] | null> {
    const { tenant } = wanted;
    const seen = await cursorOf(query, tenant, copy.follower);
    let changed = seen && (await changedAfter(query, tenant, seen));
    for (let attempt = 1; seen && changed && attempt <= attempts; attempt += 1) {
      const found = await copy.nearest({ ...wanted, hidden: changed });
      const now = await cursorOf(look, tenant, copy.follower).catch(() => null);
      // The cursor is taken away while the copy is made anew, and then stands before the first entry of a transaction.
      if (!now || (now.id === '0' && now.xid !== seen.xid)) return null;
      const changedByNow: string[] | null = await changedAfter(look, tenant, seen).catch(() => null);
      if (changedByNow?.length !== changed.length) {
        changed = changedByNow;
        continue;
      }
      const fresh = changed.length > 0 ? await pgvector.nearest({ ...wanted, documents: changed }, query) : [];
      const hidden = new Set(wanted.hidden);
      return [...found.filter(({ documentId }) => !hidden.has(documentId)), ...fresh]
        .sort((one, other) => other.score - one.score || Number(one.id) - Number(other.id))
        .slice(0, wanted.limit)
        .map(({ id, score }) => ({ id, score }));
    }
    return null;
  }

  return {
    name: copy.name,
    async nearest(wanted, query) {
      // The copy knows tenants, and nothing of what a team may see.
      if (wanted.model === copy.model && Date.now() >= restUntil && !currentScope()) {
        try {
          const near = await inCopy(wanted, query);
          if (near) return near;
        } catch (error) {
          if (!(error instanceof AppError) || !error.details?.['store']) throw error;
          restUntil = Date.now() + restFor;
          log.warn({ err: error, rest_ms: restFor }, 'vectors are searched in Postgres: their copy cannot be used');
        }
      }
      return await pgvector.nearest(wanted, query);
    },
  };
}

/**
 * How far the copy has come; null when it cannot be relied on: it is not complete, or its cursor comes from another
 * Postgres, whose transactions counted higher.
 */
async function cursorOf(query: Database['query'], tenant: string, follower: string): Promise<Cursor | null> {
  const [row] = await query<{ xid: string; id: string }>(
    `select xid::text, id::text from outbox_cursors
     where tenant_id = $1 and follower = $2 and xid <= pg_snapshot_xmax(pg_current_snapshot())`,
    [tenant, follower],
  );
  return row ?? null;
}

/** Documents with changes after the cursor; null: more changes than are worth telling apart. */
async function changedAfter(query: Database['query'], tenant: string, { xid, id }: Cursor): Promise<string[] | null> {
  // The place is given as values: compared with another table's columns it is not looked up in the index.
  const rows = await query<{ subject: string }>(
    `select subject from outbox where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and type like 'document.%'
     order by xid, id limit ${mostChanges + 1}`,
    [tenant, xid, id],
  );
  return rows.length > mostChanges ? null : [...new Set(rows.map(({ subject }) => subject))];
}
