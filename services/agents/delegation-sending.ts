import type { PeerAddress, PeerPort, PeerState } from '../../adapters/peers/types.ts';
import type { DelegatedRef, DelegatedStart, Sent } from '../../contracts/activities/agents/delegation.ts';
import { isOver, workCapability, type DelegatedStatus } from '../../contracts/agents/agents.ts';
import { PeerFailure } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import {
  findDelegated,
  localCallback,
  noteProgress,
  resultView,
  stageOutcome,
  type DelegatedRow,
  type Outcome,
} from './delegation-records.ts';
import { newToken } from './delegation-rules.ts';
import type { DelegationReports } from './delegation-reports.ts';
import type { DelegationNames } from './delegations.ts';
import type { Received } from './received.ts';
import { findAgent, type AgentRow } from './records.ts';
import { Service } from '../kernel/service.ts';

/** A task could not be handed over. `code` becomes the code of its error. Retried unless final. */
export class HandOverFailure extends Error {
  readonly code: string;
  readonly final: boolean;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, message: string, more: { final: boolean; retryAfterSeconds?: number | undefined; cause?: unknown }) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'HandOverFailure';
    this.code = code;
    this.final = more.final;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Requests to other agents, for the workflows of delegated tasks. */
export class DelegationSending extends Service<DelegationNames | 'peerPorts', { received: Received; reports: DelegationReports }> {
  async open(ref: DelegatedRef): Promise<DelegatedStart | null> {
    const row = await findDelegated(this.db.query, ref);
    if (!row) return null;
    return {
      rev: row.rev,
      status: row.status,
      target: row.target_agent,
      capability: row.capability,
      work: row.direction === 'received' && row.capability === workCapability,
      deadline: row.deadline.getTime(),
      maxAttempts: 1 + this.deps.a2a.taskMaxRetries,
      callback: row.callback_url !== null,
    };
  }

  /**
   * Sends the task with a token, of which only the hash is stored. On a retry, the task is sent again only to a target
   * that accepts each task id once; for other targets the first attempt's effect is unknown, so the task fails.
   * @throws HandOverFailure
   */
  async send(ref: DelegatedRef, signal: AbortSignal): Promise<Sent> {
    const { db, a2a } = this.deps;
    const row = await findDelegated(db.query, ref);
    if (!row || isOver(row.status)) return { status: row?.status ?? 'cancelled', follow: false };
    const target = await this.target(row);
    if (target.protocol === 'local') {
      await this.deps.received.receiveOwn(row);
      await db.query(
        `update delegated_tasks set sent_at = now(), remote_id = id, ${accepted} where tenant_id = $1 and direction = 'sent' and id = $2`,
        [ref.tenant, ref.id],
      );
      return { status: 'accepted', follow: false };
    }
    const port = this.port(target);
    if (row.remote_id !== null) return { status: 'accepted', follow: port.follow !== null };
    if (row.sent_at !== null && !port.idempotent) throw ambiguous(target.id);

    const { token, hash } = newToken();
    await db.query(
      `update delegated_tasks set sent_at = now(), report_token = substring(coalesce(report_token, ''::bytea) || $3 from greatest(1, octet_length(coalesce(report_token, ''::bytea)) - 479))
       where tenant_id = $1 and direction = 'sent' and id = $2`,
      [ref.tenant, ref.id, hash],
    );
    try {
      const base = `${a2a.endpointUrl}/a2a/tasks/${encodeURIComponent(row.id)}`;
      const answer = await port.send(
        this.address(target),
        {
          id: row.id,
          sourceAgent: row.source_agent,
          targetAgent: row.target_agent,
          capability: row.capability,
          parameters: row.parameters,
          priority: row.priority,
          timeoutSeconds: Math.max(1, Math.ceil((row.deadline.getTime() - Date.now()) / 1_000)),
          correlationId: row.correlation_id,
          createdAt: row.created_at.toISOString(),
          callbackUrl: `${base}/result`,
          progressUrl: `${base}/progress`,
          callbackToken: token,
        },
        signal,
      );
      await db.query(
        `update delegated_tasks set remote_id = $3, remote_context = $4, ${accepted} where tenant_id = $1 and direction = 'sent' and id = $2`,
        [ref.tenant, ref.id, answer.remoteId, answer.remoteContext],
      );
      return { status: await this.take(ref, answer), follow: port.follow !== null };
    } catch (error) {
      throw await this.sendFailure(ref, target, port, error);
    }
  }

  /** Follows a task at the target until it ends. @throws HandOverFailure */
  async follow(ref: DelegatedRef, signal: AbortSignal): Promise<DelegatedStatus> {
    const row = await findDelegated(this.db.query, ref);
    if (!row || isOver(row.status)) return row?.status ?? 'cancelled';
    const target = await this.target(row);
    const { follow } = this.port(target);
    if (!follow || row.remote_id === null) throw new HandOverFailure('SEND_FAILED', 'There is nothing to follow.', { final: true });
    const writing = latestOnly((progress: Parameters<Parameters<typeof follow>[2]>[0]) => noteProgress(this.db.query, ref, progress));
    try {
      const state = await follow(this.address(target), row.remote_id, writing.write, signal);
      return await this.take(ref, state);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      throw new HandOverFailure('PEER_FAILED', failure.message, { final: failure.kind === 'refused', cause: error });
    } finally {
      await writing.idle();
    }
  }

  /** @throws HandOverFailure when the target could not be reached */
  async cancelAtTarget(ref: DelegatedRef, signal: AbortSignal): Promise<void> {
    const row = await findDelegated(this.db.query, ref);
    if (!row || row.sent_at === null) return;
    try {
      const target = await this.target(row);
      if (target.protocol === 'local') return await this.deps.received.cancelOwn(row);
      const remoteId = row.remote_id ?? (this.port(target).idempotent ? row.id : null);
      if (remoteId !== null) await this.port(target).cancel(this.address(target), remoteId, signal);
    } catch (error) {
      this.deps.log.warn(
        { event: 'a2a_send_cancel_failed', task_id: ref.id, error: messageOf(error) },
        'the cancel could not be sent to the target',
      );
      throw asFailure('SEND_FAILED', error);
    }
  }

  /** Calls the task's callback with its outcome. @throws HandOverFailure */
  async callBack(ref: DelegatedRef, signal: AbortSignal): Promise<void> {
    const row = await findDelegated(this.db.query, ref);
    if (!row?.callback_url || !isOver(row.status)) return;
    try {
      if (row.callback_url === localCallback)
        return void (await this.deps.reports.report(ref.tenant, ref.id, null, { outcome: outcomeOf(row) }));
      await this.deps.received.post(row, row.callback_url, resultView(row), signal);
    } catch (error) {
      this.deps.log.warn(
        { event: 'a2a_callback_error', task_id: ref.id, error: messageOf(error) },
        'the result could not be delivered to the callback',
      );
      throw asFailure('CALLBACK_FAILED', error);
    }
  }

  /** Stores the other side's report in the row. */
  private async take(ref: DelegatedRef, { status, result, error }: PeerState): Promise<DelegatedStatus> {
    if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return status;
    await stageOutcome(this.db.query, ref, { status, result, error });
    return status;
  }

  private async target(row: DelegatedRow): Promise<AgentRow> {
    const target = await findAgent(this.db.query, row.tenant_id, row.target_agent);
    if (!target) throw new HandOverFailure('SEND_FAILED', `Target agent not found: ${row.target_agent}`, { final: true });
    return target;
  }

  private port({ id, protocol }: AgentRow): PeerPort {
    if (protocol === 'signalbox' || protocol === 'a2a') return this.deps.peerPorts[protocol];
    throw new HandOverFailure('SEND_FAILED', `Agent ${id} has no supported protocol.`, { final: true });
  }

  private address({ endpoint_url, card, credential }: AgentRow): PeerAddress {
    return { endpointUrl: endpoint_url ?? '', card, credential: credential === null ? null : this.deps.secrets.open(credential) };
  }

  private async sendFailure(ref: DelegatedRef, target: AgentRow, port: PeerPort, error: unknown): Promise<unknown> {
    const failure = failureOf(error);
    if (!failure) return error;
    this.deps.log.warn(
      { event: 'a2a_send_task_failed', task_id: ref.id, target: target.id, error: failure.message },
      'a task could not be sent',
    );
    if (failure.kind === 'unknown' && !port.idempotent) return ambiguous(target.id, error);
    if (failure.kind === 'not_sent') {
      await this.db.query(
        `update delegated_tasks set sent_at = null where tenant_id = $1 and direction = 'sent' and id = $2 and remote_id is null`,
        [ref.tenant, ref.id],
      );
    }
    return asFailure(failure.kind === 'refused' ? 'REFUSED' : 'SEND_FAILED', error);
  }
}

/** The status that the workflow will write. `rev` stays, so that the workflow's own write counts. */
const accepted = `status = case when status = 'pending' then 'accepted' else status end, updated_at = now()`;

const ambiguous = (target: string, cause?: unknown): HandOverFailure =>
  new HandOverFailure(
    'AMBIGUOUS',
    `The connection to ${target} was lost after the task had been sent: it is not known whether the target accepted it, so it was not sent again.`,
    { final: true, cause },
  );

/** Compares by name, because another instance of the module may have thrown it. */
const failureOf = (error: unknown): PeerFailure | null =>
  error instanceof PeerFailure || (error instanceof Error && error.name === 'PeerFailure') ? (error as PeerFailure) : null;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);

function asFailure(code: string, error: unknown): unknown {
  const failure = failureOf(error);
  if (failure)
    return new HandOverFailure(code, failure.message, {
      final: failure.kind === 'refused',
      cause: error,
      retryAfterSeconds: failure.retryAfterSeconds,
    });
  if (!(error instanceof AppError)) return error;
  const { status } = (error.details ?? {}) as { status?: number };
  const again = error.retryable || status === 408 || status === 425;
  return new HandOverFailure(code, error.message, { final: !again, cause: error, retryAfterSeconds: error.retryAfterSeconds });
}

const outcomeOf = (row: DelegatedRow): Outcome => ({
  status: row.status as Outcome['status'],
  result: row.result,
  error: row.error ?? undefined,
  executionTimeMs: row.execution_time_ms ?? undefined,
});

/** Runs one write at a time; of the values that arrive meanwhile, only the last is written. */
export function latestOnly<T>(write: (value: T) => Promise<unknown>): { write(value: T): void; idle(): Promise<void> } {
  let next: { value: T } | null = null;
  let running: Promise<void> | null = null;
  const drain = async (): Promise<void> => {
    while (next) {
      const { value } = next;
      next = null;
      // Lost progress does no harm.
      await write(value).catch(() => {});
    }
    running = null;
  };
  return {
    write(value) {
      next = { value };
      running ??= drain();
    },
    idle: async () => void (await running),
  };
}
