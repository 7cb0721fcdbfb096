import type { Database } from '../../adapters/postgres/database.ts';
import { lock } from '../kernel/locks.ts';

/**
 * One writer of a tenant's graph at a time, until the transaction ends: mentions, entities, relations and facts
 * depend on each other, and two concurrent folds would each miss the other's writes. Take it before locking any row.
 * Keep the transaction short; embed and extract before it.
 */
export async function lockGraph(query: Database['query'], tenant: string): Promise<void> {
  await lock(query, `graph/${tenant}`);
}
