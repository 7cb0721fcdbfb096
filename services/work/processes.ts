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

/** The task workflows as seen from outside: start, ask, start again. */
export class TaskProcesses extends Service<'processes', { rows: Rows }> {
  /** Starts the workflow of a row; a running one is left alone, and so is one that has come to its end. */
  async start(tenant: string, row: TaskRow): Promise<void> {
    await this.deps.processes.start(processOf(tenant, row)).catch((error: unknown) => {
      if (!isOver(error)) throw error;
    });
  }

  /**
   * Sends an update and waits for its answer. A workflow that is gone is started again from its row.
   * @throws AppError as the workflow refuses; CONFLICT when the task is done
   */
  async ask(tenant: string, id: string, update: string, args: object, callKey: string): Promise<TaskAnswer> {
    // Never started (its creator died), or lost with Temporal's history: the row says how to go on. It is read only
    // then, since a task writes its last row before it ends.
    const revive = async (): Promise<Process<typeof taskWorkflow>> => {
      const row = await this.deps.rows.row(tenant, id);
      if (row.status === 'done') throw ended();
      return processOf(tenant, row);
    };
    try {
      // Whoever repeats a call in another session asks for the same.
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
  // It completes only when its task is done: whoever comes late with an older row must not begin it again.
  once: true,
});

/** It was to be started again, and has come to its end. */
const isOver = (error: unknown): boolean => error instanceof WorkflowExecutionAlreadyStartedError;

const ended = (): AppError =>
  new AppError('CONFLICT', 'The task has ended.', {
    hint: 'Stop working on this task; work.task.get shows how it ended.',
    details: { reason: 'closed' },
  });
