import type { Database } from '../../adapters/postgres/database.ts';

type Query = Database['query'];

/**
 * What a context does when records of a context below it go or change. `query` belongs to the transaction of the change;
 * what a follower throws undoes it. services/index.ts registers the followers, in the order of the contexts.
 */
export interface Follower {
  /** Sources are taken away by a person: nothing of these documents is kept, also not in what was written from them. */
  documentsWithdrawn?(query: Query, tenant: string, documentIds: readonly string[]): Promise<void>;
  /** Documents are retired, deleted or read anew: what was gathered from their text is void. The documents are locked. */
  documentsVoid?(query: Query, tenant: string, documentIds: readonly string[]): Promise<void>;
  /** The passages of retired documents are about to be deleted. In no transaction: a follower opens its own. */
  passagesGoing?(db: Database, tenant: string, documentIds: readonly string[]): Promise<void>;
  sourcesDeleted?(query: Query, tenant: string, sourceIds: readonly string[]): Promise<void>;
  /** Entities were merged, split or given another type, or mentions moved between them. The tenant's graph lock is held. */
  entitiesChanged?(query: Query, tenant: string, entityIds: readonly string[]): Promise<void>;
}

const registered: Follower[] = [];

export function follow(follower: Follower): void {
  registered.push(follower);
}

/** A process that does not load services/index.ts must not delete: it would leave behind what the followers know. */
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
