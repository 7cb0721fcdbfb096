import type { Logger } from 'pino';
import { AppError } from '../../contracts/errors.ts';
import type { Database } from '../postgres/database.ts';
import { currentScope } from '../postgres/tenancy.ts';
import type { GraphCopy, GraphStore } from './types.ts';

/** Pause after a failure of the copy, in ms. */
const restFor = 5_000;

/**
 * Uses the copy while it is complete and has every committed change, checked before and after the answer; otherwise
 * Postgres answers. So a read always includes everything committed before it.
 */
export function traversedInCopy(copy: GraphCopy, postgres: GraphStore, query: Database['query'], log: Logger): GraphStore {
  let restUntil = 0;

  async function ask<T>(tenant: string, question: (store: GraphStore) => Promise<T>): Promise<T> {
    // The copy is separated by tenant, not by team.
    if (Date.now() >= restUntil && !currentScope()) {
      const place = await inStep(query, tenant, copy.follower);
      if (place !== null) {
        try {
          const answer = await question(copy);
          if ((await inStep(query, tenant, copy.follower)) === place) return answer;
        } catch (error) {
          if (!(error instanceof AppError) || error.details?.['store'] !== 'neo4j') throw error;
          restUntil = Date.now() + restFor;
          log.warn({ err: error, rest_ms: restFor }, 'the graph is traversed in Postgres: its copy cannot be used');
        }
      }
    }
    return await question(postgres);
  }

  return {
    name: copy.name,
    related: (tenant, ...rest) => ask(tenant, (store) => store.related(tenant, ...rest)),
    around: (tenant, ...rest) => ask(tenant, (store) => store.around(tenant, ...rest)),
    shortestPath: (tenant, ...rest) => ask(tenant, (store) => store.shortestPath(tenant, ...rest)),
  };
}

/** The copy's outbox position, if no relevant change came after it; else null. */
async function inStep(query: Database['query'], tenant: string, follower: string): Promise<string | null> {
  const [cursor] = await query<{ xid: string; id: string }>(
    `select xid::text, id::text from outbox_cursors
     where tenant_id = $1 and follower = $2 and xid <= coming_moment()`,
    [tenant, follower],
  );
  if (!cursor) return null;
  // Passed as values: compared with another table's columns, the index would not be used.
  const [newer] = await query(
    `select 1 from outbox where tenant_id = $1 and (xid, id) > ($2::xid8, $3::bigint) and type = 'graph.changed' limit 1`,
    [tenant, cursor.xid, cursor.id],
  );
  return newer ? null : `${cursor.xid}/${cursor.id}`;
}
