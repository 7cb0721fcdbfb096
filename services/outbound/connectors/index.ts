import type { ConnectorAttempt, ConnectorEnd, ConnectorRef } from '../../../contracts/activities/outbound/connector.ts';
import type { Caller } from '../../../contracts/caller.ts';
import type { Provider } from '../../../contracts/outbound/connectors.ts';
import type { Ref } from '../../../contracts/envelope.ts';
import { AppError, errorCodes, type ErrorCode } from '../../../contracts/errors.ts';
import { hashOf } from '../../../contracts/ids.ts';
import type { Job } from '../../../contracts/jobs.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import { connectorJobId, isUnfinished } from '../../kernel/jobs.ts';
import { Service } from '../../kernel/service.ts';
import { startOnce } from '../once.ts';
import { ConnectorMounts } from './mounts.ts';
import { callOf, endCall, openCall, type CallRow } from './records.ts';
import { attemptCall, parcelOf } from './sending.ts';

export interface Called<R> {
  /** Null: the call continues as a job, or nothing was sent. */
  response: R | null;
  dryRun: boolean;
  job: Job | null;
  refs: Ref[];
}

/** Calls that write to other systems. Each is sent at most once; if the outcome is unknown, the caller gets an error. */
export class ConnectorService extends Service<'processes' | 'secrets' | 'connectors' | 'jobs'> {
  readonly mounts = new ConnectorMounts(this.deps);
  /** How long a caller waits for the provider before it gets a job, in ms. */
  waitMs = 10_000;

  /**
   * Sends `request` once per `callKey`. Answers when the provider has answered, or after ten seconds with a job.
   * @throws AppError NOT_FOUND when the provider is not mounted; CONFLICT for another request under the same key, and for
   * an unknown outcome (`details.reason` ambiguous); or the provider's refusal
   */
  async call<R>(
    caller: Caller,
    { provider, operation, request, title }: { provider: Provider; operation: string; request: Record<string, unknown>; title: string },
    callKey: string,
  ): Promise<Called<R>> {
    const { db, jobs, secrets } = this.deps;
    const { tenant } = caller;
    const { dryRun, token } = await this.mounts.open(tenant, provider);
    if (!dryRun && token === null) {
      throw new AppError('CONFLICT', `${provider} is mounted without a token.`, {
        hint: 'connector.mount.set with {"token": …} gives it one.',
      });
    }
    const requestHash = hashOf({ operation, request });
    const call = await openCall(db.query, { tenant, provider, callKey, operation, requestHash, dryRun: dryRun ? request : null });
    if (call.request_hash !== requestHash) {
      throw new AppError('CONFLICT', 'Another request was made under this key before.', {
        hint: 'Take a new idempotency key for a new request.',
      });
    }
    if (call.status !== 'started') return done<R>(call, null, []);

    const id = connectorJobId(tenant, provider, callKey);
    const job = await jobs.open(tenant, {
      id,
      kind: 'connector_call',
      title,
      workflowId: workflowIds.connectorCall(tenant, id),
      spec: { provider, call_key: callKey, request: secrets.seal(JSON.stringify(request)) },
      createdBy: caller.principal,
    });
    await this.start(tenant, job, provider, callKey);
    const settled = await jobs.settle(tenant, id, this.waitMs);
    return done<R>((await callOf(db.query, tenant, provider, callKey))!, settled, jobs.refs(settled));
  }

  /** Restarts the workflow of an unfinished call. @throws AppError SERVICE_UNAVAILABLE */
  async restart(tenant: string, job: Job): Promise<void> {
    const [row] = await this.db.query<{ spec: { provider: Provider; call_key: string } }>(
      'select spec from jobs where tenant_id = $1 and id = $2',
      [tenant, job.job_id],
    );
    if (row) await this.start(tenant, job, row.spec.provider, row.spec.call_key);
  }

  /** For the process. */
  async attempt(ref: ConnectorRef, attempt: number, check: boolean, signal?: AbortSignal): Promise<ConnectorAttempt> {
    return await attemptCall(parcelOf({ ...this.deps, mounts: this.mounts }, ref, signal), attempt, check);
  }

  /** For the process. */
  async end(ref: ConnectorRef, end: ConnectorEnd): Promise<void> {
    await endCall(this.db.query, ref, end);
  }

  private async start(tenant: string, job: Job, provider: Provider, callKey: string): Promise<void> {
    if (!isUnfinished(job)) return;
    const call = await callOf(this.db.query, tenant, provider, callKey);
    await startOnce(this.deps.processes, job, { tenant, jobId: job.job_id, provider, callKey }, call?.attempts ?? 0);
  }
}

/** @throws AppError when the call failed or its outcome is unknown */
function done<R>(call: CallRow, job: Job | null, refs: Ref[]): Called<R> {
  if (call.status === 'completed') {
    return { response: call.dry_run ? null : (call.response as R), dryRun: call.dry_run, job: null, refs: call.dry_run ? [] : refs };
  }
  if (call.status === 'started') return { response: null, dryRun: false, job, refs };
  const { code, message, hint } = call.error!;
  throw new AppError(errorCodes.includes(code as ErrorCode) ? (code as ErrorCode) : 'INTERNAL', message, {
    ...(hint === undefined ? {} : { hint }),
    details: { reason: call.status === 'ambiguous' ? 'ambiguous' : 'refused' },
  });
}
