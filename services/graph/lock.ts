import type { Database } from '../../adapters/postgres/database.ts';
import { lock } from '../kernel/locks.ts';

/**
 * One writer of a tenant's graph at a time, until the transaction ends: mentions, entities, relations and facts are
 * folded from each other, and two who fold at once would each miss what the other writes. Taken before any row is
 * locked. Keep the transaction short; embed and extract before it.
 */
export async function lockGraph(query: Database['query'], tenant: string): Promise<void> {
  await lock(query, `graph/${tenant}`);
}
