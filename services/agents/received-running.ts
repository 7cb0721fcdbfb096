import type { DelegatedRef } from '../../contracts/activities/agents/delegation.ts';
import { isOver, type DelegatedStatus } from '../../contracts/agents/agents.ts';
import { AppError } from '../../contracts/errors.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import type { Execute } from '../kernel/execution.ts';
import { Service } from '../kernel/service.ts';
import { watchMade } from '../work/index.ts';
import { onBehalf, putOnBoard, workOf } from './asked.ts';
import { findDelegated, noteProgress, stageOutcome, type DelegatedRow } from './delegation-records.ts';
import { latestOnly } from './delegation-sending.ts';
import type { Received } from './received.ts';

/** Poll interval while a call waits for a person's approval, in seconds. */
const approvalLooks = 5;

/** Runs tasks that other agents sent. Results go from the tool into the row and nowhere else. */
export class ReceivedRunning extends Service<never, { received: Received }> {
  /**
   * Calls the capability's tool. A repeated write acts once.
   * @throws AppError for errors that a retry may fix
   */
  async run(ref: DelegatedRef, execute: Execute, signal: AbortSignal, lastAttempt: boolean): Promise<DelegatedStatus> {
    const { db, received } = this.deps;
    const row = await this.open(ref);
    if (row === null || isOver(row.status)) return row?.status ?? 'cancelled';
    const telling = latestOnly(async (progress: { done: number; total?: number; message?: string }) => {
      await noteProgress(db.query, ref, progress);
      await received.postProgress(ref, signal);
    });
    const envelope = await onBehalf(row, row.created_by, execute)(row.capability, row.parameters, `received:${row.id}`, {
      waitMs: Math.max(0, row.deadline.getTime() - Date.now()),
      signal,
      onProgress: (done, total, message) =>
        telling.write({ done, ...(total === undefined ? {} : { total }), ...(message ? { message } : {}) }),
    });
    await telling.idle();
    // The call was stopped: its answer is not a result.
    signal.throwIfAborted();
    const { error } = envelope;
    if (error?.retryable && !lastAttempt) {
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        error.message,
        error.retry_after_seconds === undefined ? {} : { retryAfterSeconds: error.retry_after_seconds },
      );
    }
    const status = error ? 'failed' : 'completed';
    await stageOutcome(db.query, ref, { status, result: envelope.data, error: error && { code: error.code, message: hinted(error) } });
    return status;
  }

  /** Creates its task on the board by a normal tool call. @returns that task's id @throws AppError the tool's refusal */
  async openWork(ref: DelegatedRef, execute: Execute): Promise<string> {
    const { db } = this.deps;
    const row = await this.open(ref);
    if (!row) throw new AppError('NOT_FOUND', 'Task not found');
    if (row.work_task_id !== null) return row.work_task_id;
    if (isOver(row.status)) throw new AppError('CONFLICT', `The task is over: ${row.status}.`);
    const envelope = await putOnBoard(
      onBehalf(row, row.created_by, execute),
      { priority: row.priority, ...row.parameters },
      { delegated_task_id: ref.id, source_agent: row.source_agent, correlation_id: row.correlation_id },
      `received:${ref.id}`,
    );
    if (envelope.status === 'pending_approval') {
      throw new AppError('SERVICE_UNAVAILABLE', 'It waits for a person to approve it.', { retryAfterSeconds: approvalLooks });
    }
    const { error } = envelope;
    if (error) throw new AppError(error.code, hinted(error), { retryable: error.retryable });
    const id = await watchMade(db, ref.tenant, envelope, workflowIds.received(ref.tenant, ref.id));
    if (id === null) throw new Error('the board answered without a task');
    await db.query(`update delegated_tasks set work_task_id = $3 where tenant_id = $1 and direction = 'received' and id = $2`, [
      ref.tenant,
      ref.id,
      id,
    ]);
    return id;
  }

  /** Stores the outcome of its task on the board in the row. */
  async takeWorkResult(ref: DelegatedRef): Promise<DelegatedStatus> {
    const { db } = this.deps;
    const row = await this.open(ref);
    const task = row && (await workOf(db, row));
    if (!task) throw new AppError('NOT_FOUND', 'Its task on the board is gone.');
    const status = task.status === 'done' ? 'completed' : 'failed';
    await stageOutcome(db.query, ref, {
      status,
      result: { task_id: task.taskId, result: task.result },
      error: { code: 'WORK_FAILED', message: task.failure ?? 'The task on the board has failed.' },
    });
    return status;
  }

  /** Writes the progress of its task on the board and reports it to the sender. */
  async relayProgress(ref: DelegatedRef, signal: AbortSignal): Promise<void> {
    const row = await this.open(ref);
    const task = row && (await workOf(this.db, row));
    if (!task) return;
    await noteProgress(this.db.query, ref, {
      message: task.progress ?? (task.agent ? `${task.agent} works on it` : 'waits for an agent'),
    });
    await this.deps.received.postProgress(ref, signal);
  }

  private open(ref: DelegatedRef): Promise<DelegatedRow | null> {
    return findDelegated(this.db.query, ref);
  }
}

const hinted = ({ message, suggestion }: { message: string; suggestion?: string | undefined }): string =>
  [message, suggestion].filter(Boolean).join(' ').slice(0, 2_000);
