import type { Database } from '../../adapters/postgres/database.ts';
import type { Parked } from '../../contracts/activities/knowledge/dlq.ts';
import type { JobRef } from '../../contracts/activities/kernel/jobs.ts';

/** Why a content cannot be ingested, however often it is retried unchanged. */
export interface Refusal {
  code: string;
  message: string;
  step: string;
}

/** Records that a process waits for a decision about this stage. */
export async function park(db: Database, { tenant, id: jobId }: JobRef, parked: Parked): Promise<void> {
  await db.query(
    `insert into dlq_items as d (tenant_id, id, job_id, workflow_id, source_id, title, stage, step, error_code, error, attempts, status)
     select $1, $3, $2, workflow_id, spec->>'source_id', title, $4, $5, $6, $7, $8, 'parked' from jobs where tenant_id = $1 and id = $2
     on conflict (tenant_id, id) do update set status = 'parked', stage = excluded.stage, step = excluded.step,
       error_code = excluded.error_code, error = excluded.error, attempts = excluded.attempts, decided_by = null,
       last_failed_at = now(), updated_at = now()`,
    [tenant, jobId, parked.id, parked.stage, parked.step, parked.code, parked.message, parked.attempts],
  );
}

export async function settleParked(
  db: Database,
  tenant: string,
  id: string,
  status: 'retrying' | 'resolved' | 'abandoned' | 'refused',
  by: string | null,
): Promise<void> {
  await db.query(
    `update dlq_items set status = $3, decided_by = coalesce($4, decided_by), updated_at = now() where tenant_id = $1 and id = $2`,
    [tenant, id, status, by],
  );
}

/** Records a content whose process has ended because it cannot be read. */
export async function noteRefusal(
  query: Database['query'],
  tenant: string,
  jobId: string,
  { code, message, step }: Refusal,
): Promise<void> {
  await query(
    `insert into dlq_items as d (tenant_id, id, job_id, workflow_id, source_id, title, stage, step, error_code, error, attempts, status)
     select $1, $3, $2, workflow_id, spec->>'source_id', title, 'extraction', $4, $5, $6, 1, 'refused' from jobs where tenant_id = $1 and id = $2
     on conflict (tenant_id, id) do update set status = 'refused', step = excluded.step, error_code = excluded.error_code,
       error = excluded.error, attempts = d.attempts + 1, last_failed_at = now(), updated_at = now()`,
    [tenant, jobId, `dlq_${jobId.replace(/^job_/, '')}_0`, step, code, message],
  );
}

/** Resolves the open entries of this job. */
export async function settleJob(query: Database['query'], tenant: string, jobId: string, status: 'resolved' | 'abandoned'): Promise<void> {
  await query(
    `update dlq_items set status = $3, updated_at = now() where tenant_id = $1 and job_id = $2 and status in ('parked', 'refused', 'retrying')`,
    [tenant, jobId, status],
  );
}
