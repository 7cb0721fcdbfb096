import type { Database } from '../../../adapters/postgres/database.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Change, Cursor } from './cursors.ts';

/**
 * The content of a copy and how to write it; following the outbox and rebuilding are shared. Records are what changes
 * are about: documents, entities. Parts belong to them: passages, relations.
 */
export interface Copied {
  readonly name: 'qdrant' | 'neo4j';
  readonly follower: string;
  /** Outbox entries per batch. */
  readonly changesAtOnce: number;
  /** False: never created, or wiped. */
  exists(): Promise<boolean>;
  ensure(): Promise<void>;
  removeTenant(tenant: string): Promise<void>;
  /** Ids of the records in an outbox entry. */
  concerned(change: Change): string[];
  /**
   * Makes the copy of these records equal to Postgres. Idempotent.
   * @param since changes committed before are in the copy; null: unknown
   * @returns the number of parts written
   */
  project(tenant: string, ids: string[], since: Cursor | null): Promise<number>;
  /** Count over all tenants: passages, entities. */
  count(): Promise<number>;
  /** Whether the tenant has anything to copy. */
  filled(tenant: string): Promise<boolean>;
  /** Ids of some records after `after`, in order; empty at the end. */
  page(tenant: string, after: string): Promise<string[]>;
  /**
   * Removes some parts that are not in Postgres.
   * @param after `next` of the previous call; null: the first
   */
  removeStrays(tenant: string, after: string | null): Promise<{ strays: number; next: string | null }>;
  /**
   * Number of changes not in the copy, and the age of the oldest.
   * @param cursor null: there is no complete copy
   */
  behind(tenant: string, cursor: Cursor | null): Promise<{ records: number; seconds: number }>;
}

export interface Parts {
  db: Database;
  copy: Copied;
}

/**
 * One writer per tenant: a worker that timed out but still runs must not write outdated rows after its successor. The
 * lock takes no transaction id, so it delays no reader of the outbox, and ends with the connection.
 * @throws AppError SERVICE_UNAVAILABLE when another worker is writing
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
