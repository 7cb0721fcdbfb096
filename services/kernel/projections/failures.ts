import type { Database } from '../../../adapters/postgres/database.ts';
import { asTenant } from '../../../adapters/postgres/tenancy.ts';
import { AppError } from '../../../contracts/errors.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { Witness } from './follow.ts';

/** Attempts before a failure is shown as a dead letter. */
const attemptsBefore = 5;
/** One per tenant, because its changes are followed in order. */
const itemId = 'dlq_neo4j_sync';

/**
 * Shows a tenant whose graph cannot be copied as a dead letter, and keeps retrying: each poll is another attempt, and
 * a success resolves it. Others do not wait for it. Attempts are counted in this process, so after a restart the
 * first four are not shown.
 */
export function graphFailures(db: Database): Witness {
  const failed = new Map<string, number>();
  const settled = new Set<string>();
  return {
    async followed(tenant) {
      failed.delete(tenant);
      if (settled.has(tenant)) return;
      await asTenant(tenant, () => settle(db, tenant));
      settled.add(tenant);
    },

    async failed(tenant, error) {
      const attempts = (failed.get(tenant) ?? 0) + 1;
      failed.set(tenant, attempts);
      settled.delete(tenant);
      if (attempts < attemptsBefore) return false;
      await asTenant(tenant, () => note(db, tenant, error, attempts));
      return true;
    },
  };
}

async function note(db: Database, tenant: string, error: unknown, attempts: number): Promise<void> {
  const { code, message } =
    error instanceof AppError ? error : { code: 'INTERNAL', message: 'The graph could not be written to Neo4j; the log has the reason.' };
  await db.query(
    `insert into dlq_items as d (tenant_id, id, job_id, workflow_id, title, stage, step, error_code, error, attempts, status)
     values ($1, $2, $3, $3, 'Copy of the graph in Neo4j', 'neo4j_sync', 'project', $4, $5, $6, 'refused')
     on conflict (tenant_id, id) do update set error_code = excluded.error_code, error = excluded.error, last_failed_at = now(), updated_at = now(),
       attempts = case when d.status in ('refused', 'retrying', 'abandoned') then d.attempts + 1 else excluded.attempts end,
       first_failed_at = case when d.status = 'resolved' then now() else d.first_failed_at end,
       decided_by = case when d.status = 'resolved' then null else d.decided_by end,
       -- Given up is given up, until it has worked once.
       status = case when d.status = 'abandoned' then 'abandoned' else 'refused' end`,
    [tenant, itemId, workflowIds.projection('graph'), code, message.slice(0, 500), attempts],
  );
}

async function settle(db: Database, tenant: string): Promise<void> {
  await db.query(`update dlq_items set status = 'resolved', updated_at = now() where tenant_id = $1 and id = $2 and status <> 'resolved'`, [
    tenant,
    itemId,
  ]);
}
