import { workflowIds } from '../../../contracts/temporal.ts';
import type { opportunities } from '../../../workflows/signals/opportunities/workflow.ts';
import { Service } from '../../kernel/service.ts';
import { OpportunityCommands } from './commands.ts';
import { OpportunityEvidence } from './details.ts';
import { Goals } from './goals.ts';
import { OpportunityQueries, priorityFilters, type Priorities, type PriorityFilter } from './queries.ts';
import { hasWork } from './work.ts';

/** Opportunities: clusters of customer statements, scored, with people's decisions. */
export class OpportunityService extends Service<'processes' | 'embedder' | 'log'> {
  readonly queries = new OpportunityQueries(this.deps);
  /** One opportunity with its statements, customers and passages. */
  readonly evidence = new OpportunityEvidence({ ...this.deps, queries: this.queries });
  readonly commands = new OpportunityCommands({ ...this.deps, queries: this.queries });
  readonly goals = new Goals(this.deps);

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
    await this.deps.processes.signalStarting<typeof opportunities>(
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
