import type { Database } from '../../adapters/postgres/database.ts';
import type { AppError } from '../../contracts/errors.ts';
import { lock } from './locks.ts';

interface Limit {
  /** What is counted, and its owner: `feeds/{tenant}`. Additions under the same key are serialized. */
  of: string;
  most: number;
  /** A statement that counts the existing rows as `n`, without the new one. */
  count: string;
  values: unknown[];
  refusal(n: number): AppError;
}

/**
 * Checks that there is room for one more, and locks the count until this transaction ends. Without the lock,
 * concurrent callers would all see the last place free.
 */
export async function assertRoom(query: Database['query'], { of, most, count, values, refusal }: Limit): Promise<void> {
  await lock(query, `room/${of}`);
  const [row] = await query<{ n: number }>(count, values);
  if (row!.n >= most) throw refusal(row!.n);
}
