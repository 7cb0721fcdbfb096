import type { Database } from '../../adapters/postgres/database.ts';

/**
 * An advisory lock until the end of the transaction; others wait. Take it before locking any row.
 * @param key resource and owner: `graph/{tenant}`
 */
export async function lock(query: Database['query'], key: string): Promise<void> {
  await query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
