import type { Database } from '../../adapters/postgres/database.ts';
import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { SecretBox } from '../../adapters/secrets/box.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { LedgerCheck, LedgerCourse } from '../../contracts/activities/ledger.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, errorCodes } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { eachInTurn } from '../kernel/isolation.ts';
import { isUnfinished, type Jobs } from '../kernel/jobs.ts';
import { Processes } from '../kernel/processes.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { sealLedger } from './ledger-chain.ts';
import { verifyLedger, verifyPart } from './ledger-verify.ts';

/** Retention in days. */
const retentionDays = 400;
const never = new AbortController().signal;
/** How long a caller waits for its verification, in ms; then the answer is the job. */

/** The chain of a tenant's ledger: linking, verification, retention. */
export class LedgerChain {
  private readonly db: Database;
  private readonly secrets: SecretBox;
  private readonly jobs: Jobs;
  private readonly processes: Processes;

  constructor({ db, secrets, temporal, jobs }: { db: Database; secrets: SecretBox; temporal: Temporal; jobs: Jobs }) {
    this.db = db;
    this.secrets = secrets;
    this.jobs = jobs;
    this.processes = new Processes(temporal);
  }

  /**
   * Verifies the ledger in a process; joins a running one of the tenant.
   * @returns the job; with the check as its result if it ended in time
   * @throws AppError as the job failed
   */
  async verification(
    { tenant, principal }: Caller,
    callKey: string,
    { waitMs = waitDefault, onProgress }: { waitMs?: number; onProgress?: (done: number, total?: number) => void } = {},
  ): Promise<Job> {
    const id = derivedId('job', tenant, 'ledger_verify', callKey);
    // With one id for all, a job begun while the previous process closes would have no process.
    const [last] = await this.db.query<{ id: string }>(
      `select id from jobs where tenant_id = $1 and kind = 'ledger_verify' and finished_at is not null order by finished_at desc limit 1`,
      [tenant],
    );
    const workflowId = workflowIds.ledgerVerify(tenant, last?.id ?? 'first');
    const job = await this.jobs.join(tenant, {
      id,
      kind: 'ledger_verify',
      title: 'Verification of the ledger',
      workflowId,
      spec: {},
      createdBy: principal,
    });
    if (isUnfinished(job)) await this.restart(tenant, job);
    const settled = await this.jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
      const { done, total } = progress as { done?: number; total?: number };
      onProgress?.(done ?? 0, total);
    });
    if (settled.status === 'failed' || settled.status === 'cancelled') {
      const code = errorCodes.find((known) => known === settled.error?.code) ?? 'CONFLICT';
      throw new AppError(code, settled.error?.message ?? 'The verification was cancelled.', { details: { job_id: settled.job_id } });
    }
    return settled;
  }

  /**
   * Starts the process of an unfinished job; does nothing if it is running.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async restart(tenant: string, job: Job): Promise<void> {
    await this.processes.startJob('ledger_verify', tenant, job);
  }

  part(tenant: string, course: LedgerCourse | null, signal: AbortSignal): Promise<LedgerCourse> {
    return verifyPart({ db: this.db, secrets: this.secrets }, tenant, course, signal);
  }

  /** Runs in this process, and blocks it for the duration. */
  verify(tenant: string, signal: AbortSignal = never): Promise<LedgerCheck> {
    return verifyLedger(this.db, this.secrets, tenant, signal);
  }

  /**
   * Links the new rows of all tenants.
   * @throws its failure, after all had their turn
   */
  async sealAll(): Promise<void> {
    const tenants = await this.db.query<{ id: string }>('select list_tenants() as id');
    await eachInTurn(tenants, ({ id }) => asTenant(id, () => sealLedger(this.db, this.secrets, id)));
  }

  /**
   * Deletes rows past their retention.
   * @returns rows removed
   */
  async retain(days = retentionDays): Promise<number> {
    const [row] = await this.db.query<{ removed: string }>('select retain_ledger($1) as removed', [days]);
    return Number(row?.removed ?? 0);
  }
}
