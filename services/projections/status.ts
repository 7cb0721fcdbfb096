import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import { cursorOf } from './cursors.ts';
import { tenantsOf, type Parts } from './follow.ts';

export interface ProjectionStatus {
  store: 'pgvector' | 'qdrant';
  /** Passages in the copy; null when there is none, or it cannot be asked. */
  projected: number | null;
  /** Documents whose last change is not in the copy yet. Searches take them from Postgres. */
  pending: number;
  /** Age of the oldest change that is not in the copy, in seconds. */
  lag_seconds: number;
  /** The copy answers and its process runs. Searches work in any case. */
  healthy: boolean;
  /** What is wrong, for people. */
  problem?: string;
}

/** Of all tenants together. @param runs whether the projection's process runs */
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
    const found = await asTenant(tenant, () => behind(db, tenant, copy.follower));
    pending += found.documents;
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

async function behind(db: Database, tenant: string, follower: string): Promise<{ documents: number; seconds: number }> {
  const cursor = await cursorOf(db.query, tenant, follower);
  const [row] = cursor
    ? await db.query<{ documents: number; seconds: number }>(
        `select count(distinct o.subject)::int as documents, coalesce(extract(epoch from now() - min(o.created_at)), 0)::float8 as seconds
         from outbox o where o.tenant_id = $1 and (o.xid, o.id) > ($2::xid8, $3::bigint) and o.type like 'document.%'`,
        [tenant, cursor.xid, cursor.id],
      )
    : await db.query<{ documents: number; seconds: number }>(
        `select count(*)::int as documents, 0::float8 as seconds from documents where tenant_id = $1 and status = 'active'`,
        [tenant],
      );
  return row ?? { documents: 0, seconds: 0 };
}
