import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { TaskChanges } from './changes.ts';
import { TaskCommands, TaskProcesses } from './commands.ts';
import { TaskQueries } from './queries.ts';

export { platform } from './actors.ts';
export { seedPhases } from './phases.ts';
export { watchedTask } from './queries.ts';
export { watchMade } from './records.ts';

/** Kanban work: tasks, phases, the board. */
export class WorkService {
  readonly queries: TaskQueries;
  readonly processes: TaskProcesses;
  readonly commands: TaskCommands;
  readonly changes: TaskChanges;
  /** What an answer about a task points at: the task, its process in Temporal's UI, and whose lease it was about. */
  readonly refs: (tenant: string, id: string, holder?: string | null) => Ref[];

  constructor(deps: { db: Database; temporal: Temporal }) {
    this.queries = new TaskQueries(deps.db);
    this.processes = new TaskProcesses(deps.temporal, this.queries);
    this.commands = new TaskCommands(deps.db, this.processes, this.queries);
    this.changes = new TaskChanges(deps.db, this.processes, this.queries);
    this.refs = (tenant, id, holder) => {
      const workflowId = workflowIds.task(tenant, id);
      const url = deps.temporal.link(workflowId);
      return [
        { type: 'task', id },
        { type: 'workflow', id: workflowId, ...(url ? { url } : {}) },
        ...(holder ? [{ type: 'agent' as const, id: holder }] : []),
      ];
    };
  }
}
