import { asTenant } from '../../adapters/postgres/tenancy.ts';
import type { LedgerCheck, LedgerCourse } from '../../contracts/activities/governance/ledger.ts';
import type { Caller } from '../../contracts/caller.ts';
import { AppError, errorCodes } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import type { Job } from '../../contracts/jobs.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { eachInTurn } from '../kernel/isolation.ts';
import { isUnfinished } from '../kernel/jobs.ts';
import type { RetainOptions } from '../kernel/retention.ts';
import { waitDefault } from '../kernel/waiting.ts';
import { Service } from '../kernel/service.ts';
import { sealLedger } from './ledger-chain.ts';
import { verifyLedger, verifyPart } from './ledger-verify.ts';

/** Rows of a batch, a tenth of a second of work. */
const perBatch = 10_000;
const never = new AbortController().signal;

/** The chain of a tenant's ledger: linking, verification, retention. */
export class LedgerChain extends Service<'secrets' | 'jobs' | 'processes' | 'keep'> {
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
    const job = await this.deps.jobs.join(tenant, {
      id,
      kind: 'ledger_verify',
      title: 'Verification of the ledger',
      workflowId,
      spec: {},
      createdBy: principal,
    });
    if (isUnfinished(job)) await this.restart(tenant, job);
    const settled = await this.deps.jobs.settle(tenant, job.job_id, waitMs, ({ progress }) => {
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
    await this.deps.processes.startJob('ledger_verify', tenant, job);
  }

  /** The link with this hash, which somebody kept as the head of the chain; null: the chain has no such link, or none any more. */
  async linkOf(tenant: string, hash: string): Promise<{ link: string; at: string } | null> {
    const [row] = await this.db.query<{ seq: string; created_at: Date }>(
      'select seq, created_at from ledger_seals where tenant_id = $1 and hash = $2',
      [tenant, Buffer.from(hash, 'hex')],
    );
    return row ? { link: row.seq, at: row.created_at.toISOString() } : null;
  }

  part(tenant: string, course: LedgerCourse | null, signal: AbortSignal): Promise<LedgerCourse> {
    return verifyPart({ db: this.db, secrets: this.deps.secrets }, tenant, course, signal);
  }

  /** Runs in this process, and blocks it for the duration. */
  verify(tenant: string, signal: AbortSignal = never): Promise<LedgerCheck> {
    return verifyLedger(this.db, this.deps.secrets, tenant, signal);
  }

  /**
   * Links the new rows of all tenants that have some.
   * @param goesOn asked before each tenant; false ends the round
   * @returns how many tenants had new rows
   * @throws its failure, after all had their turn
   */
  async sealAll(goesOn: () => boolean | Promise<boolean> = () => true): Promise<number> {
    const tenants = await this.db.query<{ id: string }>('select tenants_to_link() as id');
    await eachInTurn(tenants, async ({ id }) => {
      if (await goesOn()) await asTenant(id, () => sealLedger(this.db, this.deps.secrets, id));
    });
    return tenants.length;
  }

  /**
   * Deletes rows past their retention, the oldest first. Each batch is a transaction of its own and takes whole links, so
   * the ledger can be verified after each. Safe at any time, also twice at once.
   * @returns rows removed
   */
  async retain({ forMs = Infinity, signal, batch = perBatch }: RetainOptions = {}): Promise<number> {
    const days = this.deps.keep.ledgerDays;
    if (days === 0) return 0;
    const until = performance.now() + forMs;
    for (let total = 0; ;) {
      signal?.throwIfAborted();
      if (performance.now() > until) return total;
      const [row] = await this.db.query<{ removed: string | null }>('select retain_ledger_batch($1, $2) as removed', [days, batch]);
      if (row!.removed === null) return total;
      total += Number(row!.removed);
    }
  }
}
