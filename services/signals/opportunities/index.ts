import type { Logger } from 'pino';
import type { Embedder } from '../../../adapters/models/embedder.ts';
import type { Database } from '../../../adapters/postgres/database.ts';
import type { Temporal } from '../../../adapters/temporal/client.ts';
import { workflowIds } from '../../../contracts/temporal.ts';
import type { opportunities } from '../../../workflows/signals/opportunities/workflow.ts';
import { Processes } from '../../kernel/processes.ts';
import { OpportunityCommands } from './commands.ts';
import { OpportunityEvidence } from './details.ts';
import { Goals } from './goals.ts';
import { OpportunityQueries, priorityFilters, type Priorities, type PriorityFilter } from './queries.ts';
import { hasWork } from './work.ts';

export interface OpportunityDeps {
  db: Database;
  temporal: Temporal;
  embedder: Embedder | null;
  log: Logger;
}

/** Opportunities: clusters of customer statements, scored, with people's decisions. */
export class OpportunityService {
  readonly queries: OpportunityQueries;
  /** One opportunity with its statements, customers and passages. */
  readonly evidence: OpportunityEvidence;
  readonly commands: OpportunityCommands;
  readonly goals: Goals;
  private readonly deps: OpportunityDeps;
  private readonly processes: Processes;

  constructor(deps: OpportunityDeps) {
    this.deps = deps;
    this.queries = new OpportunityQueries(deps.db);
    this.evidence = new OpportunityEvidence(deps.db, this.queries);
    this.commands = new OpportunityCommands(deps.db, this.queries);
    this.goals = new Goals(deps.db);
    this.processes = new Processes(deps.temporal);
  }

  /** The best open ones that match the filter. */
  async priorities(tenant: string, filter: PriorityFilter, limit: number): Promise<Priorities & { says: string }> {
    return { ...(await this.queries.priorities(tenant, filter, limit)), says: priorityFilters[filter].says };
  }

  /** Starts processing of changed signals, if there are any. Never fails: the next sweep does it otherwise. */
  async wakeSoon(tenant: string): Promise<void> {
    try {
      await this.tend(tenant);
    } catch (error) {
      this.deps.log.debug({ err: error, tenant }, 'opportunities wait for the next sweep');
    }
  }

  /**
   * Starts the tenant's process when there is work.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async tend(tenant: string): Promise<void> {
    if (await hasWork(this.deps, tenant)) await this.wake(tenant);
  }

  private async wake(tenant: string): Promise<void> {
    await this.processes.signalStarting<typeof opportunities>(
      {
        workflow: 'opportunities',
        id: workflowIds.opportunities(tenant),
        queue: 'background',
        args: [tenant],
        tenant,
        kind: 'opportunities',
        status: 'running',
        owner: 'signalbox',
        summary: 'Gathers signals into opportunities',
      },
      'wake',
    );
  }
}
