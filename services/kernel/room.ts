import type { Database } from '../../adapters/postgres/database.ts';
import type { AppError } from '../../contracts/errors.ts';
import { lock } from './locks.ts';

interface Limit {
  /** What is counted, and for whom: `feeds/{tenant}`. Who adds to the same goes on one at a time. */
  of: string;
  most: number;
  /** A statement that counts as `n` what is there, without the one that is about to be written. */
  count: string;
  values: unknown[];
  refusal(n: number): AppError;
}

/**
 * Makes sure that there is room for one more, until this transaction ends. Counted without the lock, the last place is free
 * for everybody who looks at the same time.
 */
export async function assertRoom(query: Database['query'], { of, most, count, values, refusal }: Limit): Promise<void> {
  await lock(query, `room/${of}`);
  const [row] = await query<{ n: number }>(count, values);
  if (row!.n >= most) throw refusal(row!.n);
}
