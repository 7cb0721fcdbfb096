import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { Boards } from './board.ts';
import { TaskChanges } from './changes.ts';
import { TaskCommands, TaskProcesses } from './commands.ts';
import { TaskHistories } from './history.ts';
import { Lanes } from './lanes.ts';
import { TaskQueries } from './queries.ts';
import { RunBudgets } from './run-budgets.ts';
import { RunQueries } from './run-queries.ts';
import { RunReviews } from './run-reviews.ts';
import { Runs } from './runs.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';

export { platform } from './actors.ts';
export { seedPhases } from './phases.ts';
export { watchedTask } from './queries.ts';
export { watchMade } from './records.ts';
export { isRunning } from './run-queries.ts';

/** Kanban work: tasks, phases, the board, and runs of agents. */
export class WorkService extends Service<'temporal' | 'processes' | 'notices'> {
  readonly queries = new TaskQueries(this.deps);
  readonly boards = new Boards(this.deps);
  readonly lanes = new Lanes(this.deps);
  readonly histories = new TaskHistories({ ...this.deps, queries: this.queries });
  readonly processes = new TaskProcesses({ ...this.deps, rows: this.queries });
  readonly commands = new TaskCommands({ ...this.deps, tasks: this.processes, queries: this.queries });
  readonly changes = new TaskChanges({ ...this.deps, tasks: this.processes, queries: this.queries });
  readonly runQueries = new RunQueries({ ...this.deps, queries: this.queries });
  readonly runs = new Runs({ ...this.deps, changes: this.changes, queries: this.queries, runs: this.runQueries });
  readonly runReviews = new RunReviews({ ...this.deps, changes: this.changes, runs: this.runQueries });
  readonly runBudgets = new RunBudgets({ ...this.deps, queries: this.queries });

  /** Refs of an answer about a run. */
  runRefs(tenant: string, run: { id: string; task_id: string }): Ref[] {
    return [{ type: 'run', id: run.id }, ...this.refs(tenant, run.task_id)];
  }

  /** Refs of an answer about a task: the task, its workflow in Temporal's UI, and the lease's holder. */
  refs(tenant: string, id: string, holder?: string | null): Ref[] {
    return [
      { type: 'task', id },
      ...this.deps.processes.refs(workflowIds.task(tenant, id)),
      ...(holder ? [{ type: 'agent' as const, id: holder }] : []),
    ];
  }
}

export const createWork = (kernel: Kernel) => ({ work: new WorkService(kernel) });
