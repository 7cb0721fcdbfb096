import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { AppError } from '../../../contracts/errors.ts';
import type { Parts } from './copied.ts';
import { cursorOf } from './cursors.ts';
import { tenantsOf } from './follow.ts';

export interface ProjectionStatus {
  /** The store that normally serves reads. */
  store: 'pgvector' | 'qdrant' | 'postgres' | 'neo4j';
  /** Passages or entities in the copy; null when there is none, or it does not answer. */
  projected: number | null;
  /** Documents or entities whose last change is not in the copy. Postgres answers for them. */
  pending: number;
  /** Age of the oldest change that is not in the copy, in seconds. */
  lag_seconds: number;
  /** The copy answers and its process is running. Reads work in any case. */
  healthy: boolean;
  /** The problem, for people. */
  problem?: string;
}

/**
 * Over all tenants.
 * @param runs whether the projection's process is running
 */
export async function statusOf({ db, copy }: Parts, runs: boolean): Promise<ProjectionStatus> {
  let projected: number | null = null;
  let problem = runs ? undefined : 'its process does not run';
  try {
    projected = (await copy.exists()) ? await copy.count() : 0;
  } catch (error) {
    problem = (error as Error).message;
  }
  let pending = 0;
  let lag = 0;
  for (const tenant of await tenantsOf(db)) {
    const found = await asTenant(tenant, async () => copy.behind(tenant, await cursorOf(db.query, tenant, copy.follower)));
    pending += found.records;
    lag = Math.max(lag, found.seconds);
  }
  return {
    store: copy.name,
    projected,
    pending,
    lag_seconds: Math.round(lag),
    healthy: problem === undefined,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Polling interval of the cursor, in ms. */
const lookEvery = 50;

/**
 * Waits until the copy has everything committed so far.
 * @throws AppError SERVICE_UNAVAILABLE after `withinMs`
 */
export async function caughtUp({ db, copy }: Parts, tenant: string, withinMs: number, wake: () => Promise<void>): Promise<void> {
  const until = Date.now() + withinMs;
  const [last] = await db.query<{ xid: string; id: string }>(
    'select xid::text, id::text from outbox where tenant_id = $1 order by xid desc, id desc limit 1',
    [tenant],
  );
  if (!last) return;
  for (;;) {
    const cursor = await cursorOf(db.query, tenant, copy.follower);
    if (cursor && !isBefore(cursor, last)) return;
    if (Date.now() >= until) {
      throw new AppError('SERVICE_UNAVAILABLE', 'The copy of the graph is behind.', {
        hint: 'It catches up by itself; GET /ready shows neo4j_sync.',
        retryAfterSeconds: 5,
        details: { store: copy.name },
      });
    }
    await wake();
    await new Promise((done) => setTimeout(done, lookEvery));
  }
}

const isBefore = (one: { xid: string; id: string }, other: { xid: string; id: string }): boolean => {
  const [a, b] = [BigInt(one.xid), BigInt(other.xid)];
  return a === b ? BigInt(one.id) < BigInt(other.id) : a < b;
};
