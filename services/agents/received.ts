import type { DelegatedRef } from '../../contracts/activities/agents/delegation.ts';
import { isOver } from '../../contracts/agents/agents.ts';
import type { Caller } from '../../contracts/caller.ts';
import { credentialHeaders, type DelegatedTask } from '../../contracts/agents/delegations.ts';
import { AppError } from '../../contracts/errors.ts';
import { canonicalJson, newId } from '../../contracts/ids.ts';
import type { DelegatedAnswer } from '../../workflows/agents/delegation/process.ts';
import { findDelegated, insertDelegated, localCallback, taskView, type DelegatedRow, type NewDelegated } from './delegation-records.ts';
import { processOf, type DelegationNames } from './delegations.ts';
import { findAgent } from './records.ts';
import { Service } from '../kernel/service.ts';

/** A task as another agent sends it. */
export interface Incoming {
  taskId: string;
  sourceAgent?: string | undefined;
  targetAgent?: string | undefined;
  capability: string;
  parameters: Record<string, unknown>;
  priority: number;
  timeoutSeconds?: number | undefined;
  correlationId?: string | undefined;
  callbackUrl?: string | undefined;
  progressUrl?: string | undefined;
  callbackToken?: string | undefined;
}

/** The sender's callback, stored sealed in the row. */
interface Callback {
  token?: string | undefined;
  progressUrl?: string | undefined;
}

const callbackTimeoutMs = 10_000;

/** Tasks that other agents hand to this platform. */
export class Received extends Service<DelegationNames> {
  /**
   * Accepts a task. A task that is sent again with the same id is the same task.
   * @throws AppError CONFLICT when another task has the id, VALIDATION_ERROR (callback address)
   */
  async receive(caller: Caller, task: Incoming): Promise<DelegatedTask> {
    const { secrets, a2a, peers } = this.deps;
    for (const url of [task.callbackUrl, task.progressUrl]) if (url !== undefined) peers.check(url);
    const callback: Callback = { token: task.callbackToken, progressUrl: task.progressUrl };
    return taskView(
      await this.take(
        { tenant: caller.tenant, direction: 'received', id: task.taskId },
        {
          sourceAgent: task.sourceAgent ?? caller.principal,
          targetAgent: task.targetAgent ?? a2a.agentId,
          capability: task.capability,
          parameters: task.parameters,
          priority: task.priority,
          timeoutSeconds: task.timeoutSeconds ?? a2a.taskTimeoutSeconds,
          correlationId: task.correlationId ?? newId('corr'),
          sessionId: null,
          callbackUrl: task.callbackUrl ?? null,
          callbackToken: task.callbackToken === undefined && task.progressUrl === undefined ? null : secrets.seal(JSON.stringify(callback)),
          createdBy: caller.principal,
          keyId: caller.keyId,
        },
      ),
    );
  }

  /** Accepts a task that the tenant sent to this platform itself: without an HTTP request, on behalf of the sender's key. */
  async receiveOwn(sent: DelegatedRow): Promise<void> {
    await this.take(
      { tenant: sent.tenant_id, direction: 'received', id: sent.id },
      {
        sourceAgent: sent.source_agent,
        targetAgent: sent.target_agent,
        capability: sent.capability,
        parameters: sent.parameters,
        priority: sent.priority,
        timeoutSeconds: sent.timeout_seconds,
        correlationId: sent.correlation_id,
        sessionId: sent.session_id,
        callbackUrl: localCallback,
        callbackToken: null,
        createdBy: sent.created_by,
        keyId: sent.key_id,
      },
    );
  }

  /** Cancels it because its sender no longer waits. */
  async cancelOwn(sent: DelegatedRow): Promise<void> {
    const ref: DelegatedRef = { tenant: sent.tenant_id, direction: 'received', id: sent.id };
    const row = await findDelegated(this.db.query, ref);
    if (!row || isOver(row.status)) return;
    try {
      await this.deps.processes.ask<DelegatedAnswer>(processOf(ref, row), 'cancel', { by: sent.created_by }, sent.id);
    } catch (error) {
      // The task has just ended.
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
    }
  }

  private async take(ref: DelegatedRef, task: NewDelegated): Promise<DelegatedRow> {
    const { row, created } = await insertDelegated(this.db.query, ref, 'accepted', task);
    if (!created && !sameTask(row, task)) {
      throw new AppError('CONFLICT', `Another task has the id ${ref.id}.`, {
        hint: 'Give each task a unique id; the same task may be sent again unchanged.',
        details: { task_id: ref.id },
      });
    }
    if (!isOver(row.status)) await this.deps.processes.start(processOf(ref, row));
    return row;
  }

  /** Posts to a URL that the other agent gave. Its credential is sent only to the host that is registered for it. */
  async post(row: DelegatedRow, url: string, body: object, signal: AbortSignal): Promise<void> {
    const { db, peers, secrets } = this.deps;
    const opened = row.callback_token === null ? null : secrets.open(row.callback_token);
    const { token } = row.direction === 'received' ? callbackOf(opened) : { token: opened ?? undefined };
    const source = row.direction === 'received' ? await findAgent(db.query, row.tenant_id, row.source_agent) : null;
    const known = source?.credential && source.endpoint_url && originOf(source.endpoint_url) === originOf(url);
    await peers.fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'x-correlation-id': row.correlation_id,
        ...(token === undefined ? {} : { 'x-a2a-task-token': token }),
        ...(known ? credentialHeaders(secrets.open(source.credential!)) : {}),
      },
      accept: 'application/json',
      timeoutMs: callbackTimeoutMs,
      signal,
    });
  }

  /** Sends progress to the sender, if it asked for that. Never throws, because lost progress does no harm. */
  async postProgress(ref: DelegatedRef, signal: AbortSignal): Promise<void> {
    const row = await findDelegated(this.db.query, ref);
    if (!row || isOver(row.status) || row.progress === null || row.callback_token === null) return;
    const { progressUrl } = callbackOf(this.deps.secrets.open(row.callback_token));
    if (progressUrl === undefined) return;
    await this.post(row, progressUrl, { task_id: row.id, status: 'running', progress: row.progress }, signal).catch((error: unknown) =>
      this.deps.log.debug({ event: 'a2a_callback_error', task_id: row.id, error: String(error) }, 'progress not told'),
    );
  }
}

const callbackOf = (opened: string | null): Callback => (opened === null ? {} : (JSON.parse(opened) as Callback));

const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null);

/** Ignores tokens and deadlines, which may differ when a task is sent again. */
const sameTask = (row: DelegatedRow, task: NewDelegated): boolean =>
  canonicalJson([row.source_agent, row.capability, row.parameters, row.callback_url]) ===
  canonicalJson([task.sourceAgent, task.capability, task.parameters, task.callbackUrl]);
