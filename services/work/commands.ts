import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { isGone } from '../../adapters/temporal/errors.ts';
import { lineOf, workerOf, type Caller } from '../../contracts/caller.ts';
import { AppError } from '../../contracts/errors.ts';
import { derivedId } from '../../contracts/ids.ts';
import { listedStatus, workflowIds } from '../../contracts/temporal.ts';
import type { Task } from '../../contracts/work/work.ts';
import type { TaskAnswer } from '../../workflows/work/task/state.ts';
import type { task as taskWorkflow } from '../../workflows/work/task/workflow.ts';
import type { Process } from '../kernel/processes.ts';
import { Service } from '../kernel/service.ts';
import { actorOf, holderOf } from './actors.ts';
import { taskView, type TaskQueries } from './queries.ts';
import { insertTask, reserveTask, unreserveTask, type NewTask } from './records.ts';
import { snapshotOf, type TaskRow } from './rows.ts';
import { wordsOf } from './words.ts';

/** Undefined: the phase's setting. */
export type Wanted = Omit<NewTask, 'needsReview' | 'description'> & { needsReview: boolean | undefined; description: string | undefined };

/** Candidates tried before a claim answers "nothing ready". Each miss means that another claim was faster. */
const claimTries = 20;

/**
 * Creates and assigns tasks. Each task has exactly one holder, even with concurrent claims and crashes. Each command is
 * safe to repeat with the same `callKey`.
 */
export class TaskCommands extends Service<never, { tasks: TaskProcesses; queries: TaskQueries }> {
  /** @throws AppError NOT_FOUND (phase, parent), VALIDATION_ERROR (unknown blocker, no words) */
  async create(caller: Caller, wanted: Wanted, callKey: string): Promise<Task> {
    const { tenant } = caller;
    const phase = await this.deps.queries.phase(tenant, wanted.phaseId);
    if (wanted.parentId) await this.deps.queries.row(tenant, wanted.parentId);
    const row = await insertTask(this.db, caller, derivedId('task', tenant, callKey), {
      ...wanted,
      ...wordsOf(wanted.title, wanted.description),
      needsReview: wanted.needsReview ?? phase.needs_review,
    });
    // A repeat after a crash finds the row and starts the workflow now.
    if (row.status !== 'done') await this.deps.tasks.start(tenant, row);
    return taskView(caller, row);
  }

  /**
   * The next ready task of a phase (high before low, then oldest first), under a lease. One statement reserves a
   * candidate row; the candidate's workflow decides.
   * @returns null when nothing is ready; `held` when the caller already holds a task.
   */
  async claim(
    caller: Caller,
    phaseId: number,
    leaseSeconds: number | undefined,
    callKey: string,
  ): Promise<{ task: Task; held: boolean } | null> {
    const { tenant, principal } = caller;
    const holder = holderOf(lineOf(caller), workerOf(caller));
    let phaseKnown = false;
    for (let attempt = 0; attempt < claimTries; attempt += 1) {
      const row = await reserveTask(this.db, { tenant, agent: principal, holder }, phaseId);
      if (row === 'busy') continue;
      if (!row) {
        if (!phaseKnown) await this.deps.queries.phase(tenant, phaseId);
        if ((await this.deps.queries.hindrances(caller, null)).paused) throw paused(principal);
        return null;
      }
      phaseKnown = true;
      try {
        const args = { actor: actorOf(caller), ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
        const answer = await this.deps.tasks.ask(tenant, row.id, 'claim', args, `${callKey}:${attempt}`);
        return claimed(caller, row, answer);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
        await unreserveTask(this.db, tenant, row.id, holder);
      }
    }
    return null;
  }

  /**
   * Claims a given task: a ready one, or (rework, retry) one in review or failed. @throws AppError CONFLICT (also when
   * the agent is paused)
   */
  async take(caller: Caller, id: string, leaseSeconds: number | undefined, callKey: string): Promise<{ task: Task; held: boolean }> {
    const { tenant, principal } = caller;
    const row = await this.deps.queries.row(tenant, id);
    const hindered = await this.deps.queries.hindrances(caller, id);
    if (hindered.paused) throw paused(principal);
    if (hindered.other) {
      throw new AppError('CONFLICT', `You already hold ${hindered.other}.`, {
        hint: 'Complete, fail or release it first.',
        details: { reason: 'holding', task_id: hindered.other },
      });
    }
    const args = { actor: actorOf(caller), resume: true, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) };
    const answer = await this.deps.tasks.ask(tenant, id, 'claim', args, callKey);
    return claimed(caller, row, answer);
  }
}

/** With its token also where the call is repeated in another session, after its answer was lost with the first one. */
const claimed = (caller: Caller, row: TaskRow, { task, held = false }: TaskAnswer): { task: Task; held: boolean } => ({
  task: { ...taskView(caller, row, task), fencing_token: task.token },
  held,
});

const paused = (agent: string): AppError =>
  new AppError('CONFLICT', `"${agent}" is paused and gets no new work.`, {
    hint: 'agent.registry.activate resumes it; agent.registry.list shows why it was paused.',
    details: { reason: 'paused' },
  });

type Rows = Pick<TaskQueries, 'row'>;

/** Starts, updates and restarts task workflows. */
export class TaskProcesses extends Service<'processes', { rows: Rows }> {
  /** Starts the workflow of a row, unless it runs or has completed. */
  async start(tenant: string, row: TaskRow): Promise<void> {
    await this.deps.processes.start(processOf(tenant, row)).catch((error: unknown) => {
      if (!isOver(error)) throw error;
    });
  }

  /** Starts the workflow of an open row that has none, even after one has completed: the row is older than Temporal then. */
  async restart(tenant: string, id: string): Promise<void> {
    await evenAfterOne(async (once) => {
      const row = await this.deps.rows.row(tenant, id);
      if (row.status !== 'done') await this.deps.processes.start({ ...processOf(tenant, row), once });
    });
  }

  /**
   * Sends an update and waits for its answer. A lost workflow is started again from its row.
   * @throws AppError the workflow's refusal; CONFLICT when the task is done
   */
  async ask(tenant: string, id: string, update: string, args: object, callKey: string): Promise<TaskAnswer> {
    // The workflow never started (its creator crashed) or was lost with Temporal's history: restart it from the row. The
    // row is read only in this case, because a task writes its last row before its workflow ends.
    const revive = async (once: boolean): Promise<Process<typeof taskWorkflow>> => {
      const row = await this.deps.rows.row(tenant, id);
      if (row.status === 'done') throw ended();
      return { ...processOf(tenant, row), once };
    };
    // A repeat from another session is the same call, and an edit's former values are not part of it.
    const said = { ...args, actor: null, edit: undefined };
    try {
      return await evenAfterOne((once) =>
        this.deps.processes.ask<TaskAnswer>({ id: workflowIds.task(tenant, id), revive: () => revive(once) }, update, args, callKey, said),
      );
    } catch (error) {
      throw isGone(error) || isOver(error) ? ended() : error;
    }
  }
}

/**
 * A workflow writes "done" before it completes. One that has completed under an open row belongs to newer records, which were
 * lost: the row is read again, and its workflow started anew. Never at the first attempt: the row may be older than the end.
 */
async function evenAfterOne<R>(work: (once: boolean) => Promise<R>): Promise<R> {
  try {
    return await work(true);
  } catch (error) {
    if (!isOver(error)) throw error;
    return await work(false);
  }
}

const processOf = (tenant: string, row: TaskRow): Process<typeof taskWorkflow> => ({
  workflow: 'task',
  id: workflowIds.task(tenant, row.id),
  queue: 'interactive',
  args: [{ ref: { tenant, id: row.id }, task: snapshotOf(row), rules: 3 }],
  tenant,
  kind: 'task',
  status: listedStatus(row.status),
  owner: row.created_by,
  summary: row.title ?? (row.description || 'task'),
  // The workflow completes only when its task is done: a late start with an older row must not start it again.
  once: true,
});

/** The start failed because the workflow has already completed. */
const isOver = (error: unknown): boolean => error instanceof WorkflowExecutionAlreadyStartedError;

const ended = (): AppError =>
  new AppError('CONFLICT', 'The task has ended.', {
    hint: 'Stop working on this task; work.task.get shows how it ended.',
    details: { reason: 'closed' },
  });
