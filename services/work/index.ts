import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Ref } from '../../contracts/envelope.ts';
import { workflowIds } from '../../contracts/temporal.ts';
import { TaskClaims } from './claims.ts';
import { TaskCommands } from './commands.ts';
import { TaskProcesses } from './processes.ts';
import { TaskQueries } from './queries.ts';

export { platform } from './actors.ts';
export { seedPhases } from './phases.ts';
export { watchedTask, watchMade, workArguments, workTool } from './watching.ts';

/** Kanban work: tasks, phases, the board. */
export class WorkService {
  readonly queries: TaskQueries;
  readonly processes: TaskProcesses;
  readonly claims: TaskClaims;
  readonly commands: TaskCommands;
  /** Refs of an answer about a task: the task, its process in Temporal's UI, and the lease's holder. */
  readonly refs: (tenant: string, id: string, holder?: string | null) => Ref[];

  constructor(deps: { db: Database; temporal: Temporal }) {
    this.queries = new TaskQueries(deps.db);
    this.processes = new TaskProcesses(deps.temporal, this.queries);
    this.claims = new TaskClaims(deps.db, this.processes, this.queries);
    this.commands = new TaskCommands(deps.db, this.processes, this.queries);
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
