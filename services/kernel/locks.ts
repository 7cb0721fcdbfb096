import type { Database } from '../../adapters/postgres/database.ts';

/**
 * One holder of this key at a time, until the transaction ends; others wait. Taken before any row is locked.
 * @param key what is guarded and whose it is: `graph/{tenant}`
 */
export async function lock(query: Database['query'], key: string): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
