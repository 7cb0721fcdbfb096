import type { Database } from '../../adapters/postgres/database.ts';

type Query = Database['query'];

/**
 * Callbacks of a context for changes of records in an earlier context. `query` belongs to the transaction of the
 * change; an error of a follower rolls it back. services/index.ts registers the followers, in the order of the
 * contexts.
 */
export interface Follower {
  /** A person removed sources: delete everything derived from these documents, also from generated texts. */
  documentsWithdrawn?(query: Query, tenant: string, documentIds: readonly string[]): Promise<void>;
  /**
   * Documents are retired, deleted or parsed again: data derived from their text is invalid. The documents are
   * locked.
   */
  documentsVoid?(query: Query, tenant: string, documentIds: readonly string[]): Promise<void>;
  /**
   * The passages of retired documents are about to be deleted. Called outside a transaction: a follower opens its
   * own.
   */
  passagesGoing?(db: Database, tenant: string, documentIds: readonly string[]): Promise<void>;
  sourcesDeleted?(query: Query, tenant: string, sourceIds: readonly string[]): Promise<void>;
  /** Entities were merged, split or given another type, or mentions were reassigned. The tenant's graph lock is held. */
  entitiesChanged?(query: Query, tenant: string, entityIds: readonly string[]): Promise<void>;
}

const registered: Follower[] = [];

export function follow(follower: Follower): void {
  registered.push(follower);
}

/** A process that does not load services/index.ts must not delete: the followers' data would remain. */
function all(): readonly Follower[] {
  if (registered.length === 0) throw new Error('no follower is registered: load services/index.ts');
  return registered;
}

export const followers: Required<Follower> = {
  async documentsWithdrawn(query, tenant, ids) {
    for (const each of all()) await each.documentsWithdrawn?.(query, tenant, ids);
  },
  async documentsVoid(query, tenant, ids) {
    for (const each of all()) await each.documentsVoid?.(query, tenant, ids);
  },
  async passagesGoing(db, tenant, ids) {
    for (const each of all()) await each.passagesGoing?.(db, tenant, ids);
  },
  async sourcesDeleted(query, tenant, ids) {
    for (const each of all()) await each.sourcesDeleted?.(query, tenant, ids);
  },
  async entitiesChanged(query, tenant, ids) {
    for (const each of all()) await each.entitiesChanged?.(query, tenant, ids);
  },
};
