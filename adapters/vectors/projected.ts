import type { Logger } from 'pino';
import { AppError } from '../../contracts/errors.ts';
import type { Database } from '../postgres/database.ts';
import { currentScope } from '../postgres/tenancy.ts';
import { pgvector } from './pgvector.ts';
import type { Near, NearestQuery, ProjectedVectors, VectorStore } from './types.ts';

/** With more changes that the copy may lack, Postgres answers alone. */
const mostChanges = 1_000;
/** Pause after a failure of the copy, in ms. */
const restFor = 5_000;
const attempts = 3;

interface Cursor {
  xid: string;
  id: string;
}

/**
 * Searches the copy and returns the answer that Postgres would give. The copy lags slightly, or, during a long
 * search, is ahead of the search's snapshot. Both affect only documents with an outbox entry after the cursor in the
 * snapshot: these are excluded in the copy and compared in Postgres, in the search's snapshot. After the copy has
 * answered, new entries are checked again.
 * @param look reads committed data outside the search's transaction
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
      // The cursor is removed during a rebuild, and then precedes the first entry of a transaction.
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
      // The copy is separated by tenant, not by team.
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
 * The copy's cursor; null when it cannot be used: the copy is incomplete, or the cursor comes from another Postgres
 * with higher transaction ids.
 */
async function cursorOf(query: Database['query'], tenant: string, follower: string): Promise<Cursor | null> {
  const [row] = await query<{ xid: string; id: string }>(
    `select xid::text, id::text from outbox_cursors
     where tenant_id = $1 and follower = $2 and xid <= coming_moment()`,
    [tenant, follower],
  );
  return row ?? null;
}

/** Documents changed after the cursor; null: too many. */
async function changedAfter(query: Database['query'], tenant: string, { xid, id }: Cursor): Promise<string[] | null> {
  // Passed as values: compared with another table's columns, the index would not be used.
  const rows = await query<{ subject: string }>(
    `select subject from outbox where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and type like 'document.%'
     order by xid, id limit ${mostChanges + 1}`,
    [tenant, xid, id],
  );
  return rows.length > mostChanges ? null : [...new Set(rows.map(({ subject }) => subject))];
}
