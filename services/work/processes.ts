import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { attributesOf } from '../../adapters/temporal/attributes.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { asAppError, isClosing, isGone, isUnanswered } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { hashOf } from '../../contracts/ids.ts';
import { listedStatus, queues, workflowIds, workflowTaskTimeout } from '../../contracts/temporal.ts';
import type { TaskAnswer } from '../../workflows/work/task/state.ts';
import type { TaskInput, task as taskWorkflow } from '../../workflows/work/task/workflow.ts';
import type { TaskQueries } from './queries.ts';
import { snapshotOf, type TaskRow } from './records.ts';

/** How long a caller waits for Temporal before the outcome is called unknown, in ms. */
const answerWithin = 15_000;
/** How long one attempt waits: a server under load drops updates that it has not written yet, and says nothing. */
const askAgainAfter = 4_000;
/** A server that refuses at once must not be asked in a tight loop. */
const maxAttempts = 5;

type Rows = Pick<TaskQueries, 'row'>;

/** The task workflows as seen from outside: start, ask, start again. */
export class TaskProcesses {
  private readonly temporal: Temporal;
  private readonly rows: Rows;

  constructor(temporal: Temporal, rows: Rows) {
    this.temporal = temporal;
    this.rows = rows;
  }

  private options(tenant: string, row: TaskRow) {
    const input: TaskInput = { ref: { tenant, id: row.id }, task: snapshotOf(row) };
    return {
      workflowId: workflowIds.task(tenant, row.id),
      taskQueue: queues.interactive,
      args: [input] as [TaskInput],
      workflowTaskTimeout,
      workflowIdConflictPolicy: 'USE_EXISTING' as const,
      // It completes only when its task is done: whoever comes late with an older row must not begin it again.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
      staticSummary: summary(row.description),
      typedSearchAttributes: attributesOf({ tenant, kind: 'task', status: listedStatus(row.status), owner: row.created_by }),
    };
  }

  /** Starts the workflow of a row; a running one is left alone, and so is one that has come to its end. */
  async start(tenant: string, row: TaskRow): Promise<void> {
    await this.guard(() =>
      this.temporal.client.workflow.start<typeof taskWorkflow>('task', this.options(tenant, row)).catch((error: unknown) => {
        if (!isOver(error)) throw error;
      }),
    );
  }

  /**
   * Sends an update and waits for its answer. The update id is derived from `callKey` and the arguments,
   * so that a repeat of the same call is answered, not done twice. A workflow that is gone is started again from its row.
   * @throws AppError as the workflow refuses; CONFLICT when the task is done
   */
  async ask(tenant: string, id: string, update: string, args: object, callKey: string): Promise<TaskAnswer> {
    // Whoever repeats a call in another session asks for the same.
    const updateId = `${update}:${callKey}:${hashOf({ ...args, actor: null }).slice(0, 16)}`;
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
          if (!isGone(error)) throw error;
          // Never started (its creator died), or lost with Temporal's history: the row says how to go on. It is read only
          // now, since a task writes its last row before it ends.
          const row = await this.rows.row(tenant, id);
          if (row.status === 'done') throw error;
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
      if (isGone(error) || isOver(error)) {
        throw new AppError('CONFLICT', 'The task has ended.', {
          hint: 'Stop working on this task; work.task.get shows how it ended.',
          details: { reason: 'closed' },
        });
      }
      throw asAppError(error);
    }
  }
}

/** It was to be started again, and has come to its end. */
const isOver = (error: unknown): boolean => error instanceof WorkflowExecutionAlreadyStartedError;

/** One line for Temporal's list, without Markdown. */
function summary(description: string): string {
  const line = description.split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line || 'task';
}
