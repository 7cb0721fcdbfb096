import { WithStartWorkflowOperation } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isClosing, isGone, isUnanswered } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { listedStatus, queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { TaskAnswer } from '../../workflows/task/state.ts';
import type { TaskInput, task as taskWorkflow } from '../../workflows/task/workflow.ts';
import { snapshotOf, type TaskRow } from './records.ts';

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 15_000;
/** How long one attempt waits: a server under load drops updates that it has not written yet, and says nothing. */
const askAgainAfter = 4_000;
/** A server that refuses at once must not be asked in a tight loop. */
const maxAttempts = 5;

/** The task workflows as seen from outside: start, ask, start again. */
export class TaskProcesses {
  private readonly temporal: Temporal;

  constructor(temporal: Temporal) {
    this.temporal = temporal;
  }

  private options(tenant: string, row: TaskRow) {
    const input: TaskInput = { ref: { tenant, id: row.id }, task: snapshotOf(row) };
    return {
      workflowId: workflowIds.task(tenant, row.id),
      taskQueue: queues.interactive,
      args: [input] as [TaskInput],
      workflowTaskTimeout,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      staticSummary: summary(row.description),
      typedSearchAttributes: attributesOf({ tenant, kind: 'task', status: listedStatus(row.status), owner: row.created_by }),
    };
  }

  /** Starts the workflow of a row; a running one is left alone. */
  async start(tenant: string, row: TaskRow): Promise<void> {
    await this.guard(() => this.temporal.client.workflow.start<typeof taskWorkflow>('task', this.options(tenant, row)));
  }

  /**
   * Sends an update and waits for its answer. The update id is derived from `callKey` and the arguments,
   * so that a repeat of the same call is answered, not done twice.
   * @param row gives the state to start from when the workflow is gone; without it that is a CONFLICT.
   */
  async ask(tenant: string, id: string, update: string, args: object, callKey: string, row?: TaskRow): Promise<TaskAnswer> {
    const updateId = `${update}:${callKey}:${hashOf(args).slice(0, 16)}`;
    const until = Date.now() + answerWithin;
    return await this.guard(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.temporal.client.withDeadline(Math.min(until, Date.now() + askAgainAfter), () =>
            this.temporal.handle(workflowIds.task(tenant, id)).executeUpdate<TaskAnswer, [object]>(update, { args: [args], updateId }),
          );
        } catch (error) {
          // The run ended (mostly: continued as new) under the update, which is then as if never sent.
          if (isClosing(error) && attempt < maxAttempts) continue;
          // No answer yet. Asked again under the same id, an update that is known is waited for and a lost one is sent.
          if (isUnanswered(error) && attempt < maxAttempts && Date.now() < until - 100) continue;
          if (!isGone(error) || !row || row.status === 'done') throw error;
          // Never started (its creator died), or lost with Temporal's history: the row says how to go on.
          const startWorkflowOperation = new WithStartWorkflowOperation<typeof taskWorkflow>('task', this.options(tenant, row));
          return await this.temporal.client.workflow.executeUpdateWithStart<typeof taskWorkflow, TaskAnswer, [object]>(update, {
            args: [args],
            updateId,
            startWorkflowOperation,
          });
        }
      }
    });
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.temporal.client.withDeadline(Date.now() + answerWithin, work);
    } catch (error) {
      if (isGone(error)) {
        throw new AppError('CONFLICT', 'The task has ended.', { hint: 'work.task.get shows how.', details: { reason: 'closed' } });
      }
      throw asAppError(error);
    }
  }
}

/** One line for Temporal's list, without Markdown. */
function summary(description: string): string {
  const line = description.split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line || 'task';
}
