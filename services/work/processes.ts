import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { isGone } from '../../adapters/temporal/errors.ts';
import { AppError } from '../../contracts/errors.ts';
import { listedStatus, workflowIds } from '../../contracts/temporal.ts';
import type { TaskAnswer } from '../../workflows/work/task/state.ts';
import type { task as taskWorkflow } from '../../workflows/work/task/workflow.ts';
import type { Process } from '../kernel/processes.ts';
import { Service } from '../kernel/service.ts';
import type { TaskQueries } from './queries.ts';
import { snapshotOf, type TaskRow } from './records.ts';

type Rows = Pick<TaskQueries, 'row'>;

/** Access to the task workflows: start, update, restart. */
export class TaskProcesses extends Service<'processes', { rows: Rows }> {
  /** Starts the workflow of a row; does nothing if it is running or has ended. */
  async start(tenant: string, row: TaskRow): Promise<void> {
    await this.deps.processes.start(processOf(tenant, row)).catch((error: unknown) => {
      if (!isOver(error)) throw error;
    });
  }

  /**
   * Sends an update and waits for its answer. A lost workflow is restarted from its row.
   * @throws AppError the workflow's refusal; CONFLICT when the task is done
   */
  async ask(tenant: string, id: string, update: string, args: object, callKey: string): Promise<TaskAnswer> {
    // Never started (its creator died), or lost with Temporal's history: restart it from the row, which is read only
    // then, because a task writes its last row before it ends.
    const revive = async (): Promise<Process<typeof taskWorkflow>> => {
      const row = await this.deps.rows.row(tenant, id);
      if (row.status === 'done') throw ended();
      return processOf(tenant, row);
    };
    try {
      // A repeat from another session is the same request.
      const said = { ...args, actor: null };
      return await this.deps.processes.ask<TaskAnswer>({ id: workflowIds.task(tenant, id), revive }, update, args, callKey, said);
    } catch (error) {
      throw isGone(error) || isOver(error) ? ended() : error;
    }
  }
}

const processOf = (tenant: string, row: TaskRow): Process<typeof taskWorkflow> => ({
  workflow: 'task',
  id: workflowIds.task(tenant, row.id),
  queue: 'interactive',
  args: [{ ref: { tenant, id: row.id }, task: snapshotOf(row) }],
  tenant,
  kind: 'task',
  status: listedStatus(row.status),
  owner: row.created_by,
  summary: row.description || 'task',
  // It completes only when its task is done, so a caller with an outdated row must not start it again.
  once: true,
});

/** It was about to be restarted, but has ended. */
const isOver = (error: unknown): boolean => error instanceof WorkflowExecutionAlreadyStartedError;

const ended = (): AppError =>
  new AppError('CONFLICT', 'The task has ended.', {
    hint: 'Stop working on this task; work.task.get shows how it ended.',
    details: { reason: 'closed' },
  });
