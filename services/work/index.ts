import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { TaskAttachments } from './attachments.ts';
import { TaskGraphs } from './graph.ts';
import { Plans } from './plans.ts';
import { Recurrences } from './recurrences.ts';
import { SavedBoards } from './saved-boards.ts';
import { Templates } from './templates.ts';
import { Boards } from './board.ts';
import { TaskChanges } from './changes.ts';
import { TaskCounts } from './counts.ts';
import { TaskCommands, TaskProcesses } from './commands.ts';
import { TaskHistories } from './history.ts';
import { Lanes } from './lanes.ts';
import { TaskShaping } from './shape.ts';
import { TaskQueries } from './queries.ts';
import { RunBudgets } from './run-budgets.ts';
import { RunQueries } from './run-queries.ts';
import { RunReviews } from './run-reviews.ts';
import { Runs } from './runs.ts';
import { IssueImport } from './trackers/importing.ts';
import { IssueLeaving } from './trackers/leaving.ts';
import { IssueMessages } from './trackers/messages.ts';
import { RunPulls } from './trackers/pulls.ts';
import { IssueTelling } from './trackers/telling.ts';
import { Trackers } from './trackers/trackers.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';

export { platform } from './actors.ts';
export { seedPhases } from './phases.ts';
export { watchedTask } from './queries.ts';
export { watchMade } from './records.ts';
export { isRunning } from './run-queries.ts';

/** Kanban work: tasks, phases, the board, plans, and runs of agents. */
export class WorkService extends Service<'temporal' | 'processes' | 'language' | 'notices' | 'trackers' | 'secrets'> {
  readonly queries = new TaskQueries(this.deps);
  readonly boards = new Boards(this.deps);
  readonly lanes = new Lanes(this.deps);
  readonly counts = new TaskCounts(this.deps);
  readonly histories = new TaskHistories({ ...this.deps, queries: this.queries });
  readonly processes = new TaskProcesses({ ...this.deps, rows: this.queries });
  readonly commands = new TaskCommands({ ...this.deps, tasks: this.processes, queries: this.queries });
  readonly changes = new TaskChanges({ ...this.deps, tasks: this.processes, queries: this.queries });
  readonly runQueries = new RunQueries({ ...this.deps, queries: this.queries });
  readonly runs = new Runs({ ...this.deps, changes: this.changes, queries: this.queries, runs: this.runQueries });
  readonly runReviews = new RunReviews({ ...this.deps, changes: this.changes, runs: this.runQueries });
  readonly runBudgets = new RunBudgets({ ...this.deps, queries: this.queries });

  readonly shaping = new TaskShaping({ ...this.deps, tasks: this.processes, queries: this.queries });

  readonly templates = new Templates({ ...this.deps, commands: this.commands });
  readonly recurrences = new Recurrences({ ...this.deps, templates: this.templates });
  readonly attachments = new TaskAttachments({ ...this.deps, queries: this.queries });
  readonly graphs = new TaskGraphs({ ...this.deps, queries: this.queries });
  readonly saved = new SavedBoards(this.deps);
  readonly plans = new Plans({ ...this.deps, tasks: this.processes, queries: this.queries });

  readonly trackers = new Trackers({ ...this.deps, queries: this.queries });
  readonly issueMessages = new IssueMessages(this.deps);
  readonly issueLeaving = new IssueLeaving(this.deps);
  readonly issueImport = new IssueImport({
    ...this.deps,
    leaving: this.issueLeaving,
    commands: this.commands,
    shaping: this.shaping,
    changes: this.changes,
    queries: this.queries,
  });
  readonly issueTelling = new IssueTelling({ ...this.deps, messages: this.issueMessages });
  readonly pulls = new RunPulls({ ...this.deps, runs: this.runQueries, reviews: this.runReviews });

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
