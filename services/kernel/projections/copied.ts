import type { Database } from '../../../adapters/postgres/database.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Change, Cursor } from './cursors.ts';

/**
 * What a copy holds and how it is brought in step; following the outbox and rebuilding are the same for all. Records
 * are what changes are noted about: documents, entities. Parts are what hangs on them: passages, relations.
 */
export interface Copied {
  readonly name: 'qdrant' | 'neo4j';
  readonly follower: string;
  /** Entries of the outbox followed at once. */
  readonly changesAtOnce: number;
  /** False: never made, or wiped. */
  exists(): Promise<boolean>;
  ensure(): Promise<void>;
  removeTenant(tenant: string): Promise<void>;
  /** Ids of the records that an entry of the outbox concerns. */
  concerned(change: Change): string[];
  /**
   * Makes the copy hold of these records what Postgres has now. Repeated, it changes nothing.
   * @param since the copy has what was committed before; null: nothing can be relied on
   * @returns how many parts were written
   */
  project(tenant: string, ids: string[], since: Cursor | null): Promise<number>;
  /** Of all tenants together: passages, entities. */
  count(): Promise<number>;
  /** Whether the tenant has anything to be copied. */
  filled(tenant: string): Promise<boolean>;
  /** Ids of some records from behind `after`, in order; empty at the end. */
  page(tenant: string, after: string): Promise<string[]>;
  /** Removes some of what should not be there. @param after `next` of the call before; null: the first */
  removeStrays(tenant: string, after: string | null): Promise<{ strays: number; next: string | null }>;
  /** Changes that are not in the copy yet, and the age of the oldest. @param cursor null: there is no complete copy */
  behind(tenant: string, cursor: Cursor | null): Promise<{ records: number; seconds: number }>;
}

export interface Parts {
  db: Database;
  copy: Copied;
}

/**
 * One writer per tenant: a worker that was given up but lives on must not write what it read before its successor.
 * The lock takes no transaction id, so that it holds back nobody who follows the outbox, and goes with the connection.
 * @throws AppError SERVICE_UNAVAILABLE when somebody else is at it
 */
export async function asOnlyWriter<T>({ db, copy }: Parts, tenant: string, work: () => Promise<T>): Promise<T> {
  return await db.transaction(async (query) => {
    const [row] = await query<{ held: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held', [
      `${copy.follower}/${tenant}`,
    ]);
    if (!row?.held) {
      throw new AppError('SERVICE_UNAVAILABLE', 'Another worker is still writing this tenant to the copy.', {
        hint: 'It ends, or its connection does: this is tried again.',
        retryAfterSeconds: 5,
      });
    }
    return await work();
  });
}
