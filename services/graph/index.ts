import type { Caller } from '../../contracts/caller.ts';

import { EntityChanges } from './changes-commands.ts';
import { GraphClearing } from './clear.ts';
import { EntityCommands } from './entity-commands.ts';
import { EntityQueries } from './entity-queries.ts';
import { EpisodeProcesses } from './episodes-process.ts';
import { Episodes } from './episodes.ts';
import { GraphExplorer } from './explore.ts';
import { IssueFlags } from './flags.ts';
import { groupWarnings } from './groups.ts';
import { lacksVectors } from './embed-names.ts';
import { EntityLookup } from './lookup.ts';
import { ProvenanceTracer, type FindPassages, type OpportunityChain } from './provenance.ts';
import { Reviews } from './reviews.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { FactSearch } from './search-facts.ts';
import { NodeSearch } from './search-nodes.ts';
import { GraphSummary, type TopOpportunities } from './summary.ts';
import { TableLinking } from './tables.ts';
import { resolutionStats, type ResolutionStats } from './stats.ts';
import type { KnowledgeService } from '../knowledge/index.ts';
import { passagesBySearch } from './passages.ts';

export { countForGraph, graphSlice } from './pipeline.ts';
export { tidyEntities } from './forget.ts';
export { areaOf } from './areas.ts';
export { activeEntities, profiledView, refView } from './entity-view.ts';
export { lockGraph } from './lock.ts';
export type { Candidate } from './lookup-decide.ts';
export type { EntityLookup } from './lookup.ts';
export { passagesBySearch } from './passages.ts';
export type { FindPassages } from './provenance.ts';
export { excerptAt, isSignal } from './signals.ts';

/** When a name means an entity, and when two entities are one: 0 to 1 each. */
export interface MatchSettings {
  fuzzy: number;
  embedding: number;
  /** A runner-up this near makes a name ambiguous. */
  margin: number;
  autoMerge: number;
  review: number;
}

interface FromOthers {
  /** The search of the knowledge bases. */
  find: FindPassages;
  /** What signals were gathered into. */
  opportunities: { top: TopOpportunities; chain: OpportunityChain };
}

/** Who and what the evidence is about: entities, their relations, dated facts, and people's decisions about them. */
export class GraphService extends Service<keyof Kernel, FromOthers> {
  /** Which entity a name means. */
  readonly lookup = new EntityLookup(this.deps);
  readonly entities = new EntityQueries({ ...this.deps, lookup: this.lookup });
  /** What people and other systems say about entities. */
  readonly commands = new EntityCommands({ ...this.deps, lookup: this.lookup });
  readonly explorer = new GraphExplorer({ ...this.deps, lookup: this.lookup });
  readonly summary = new GraphSummary({ ...this.deps, opportunities: this.deps.opportunities.top });
  readonly provenance = new ProvenanceTracer({ ...this.deps, lookup: this.lookup, opportunity: this.deps.opportunities.chain });
  readonly flags = new IssueFlags({ ...this.deps, lookup: this.lookup });
  readonly reviews = new Reviews(this.deps);
  /** Merges, splits and proposals of them. */
  readonly changes = new EntityChanges({ ...this.deps, lookup: this.lookup });
  readonly episodeProcesses = new EpisodeProcesses(this.deps);
  /** What is said to the graph directly. */
  readonly episodes = new Episodes({ ...this.deps, episodeProcesses: this.episodeProcesses });
  readonly clearing = new GraphClearing({ ...this.deps, episodeProcesses: this.episodeProcesses });
  readonly nodes = new NodeSearch({ ...this.deps, lookup: this.lookup });
  readonly facts = new FactSearch(this.deps);
  /** Rows of tables that are the same thing. */
  readonly tables = new TableLinking(this.deps);

  /** Of callers that name Graphiti groups. */
  groupWarnings(caller: Caller, given: string | readonly string[] | undefined): string[] {
    return groupWarnings(this.deps.log, caller, given);
  }

  /** Has names and facts without a vector embedded, by the tenant's own process; never fails. */
  async embedSoon(tenant: string): Promise<void> {
    const { db, embedder, log } = this.deps;
    try {
      if (await lacksVectors(db, embedder, tenant)) await this.episodeProcesses.wake(tenant);
    } catch (error) {
      log.debug({ err: error, tenant }, 'embedding waits for the next sweep');
    }
  }

  /** How resolution does, told by what people decided. @param type null: all */
  async stats(tenant: string, windowDays: number, type: string | null): Promise<ResolutionStats> {
    return await resolutionStats(this.db, tenant, windowDays, type);
  }
}

export const createGraph = (kernel: Kernel, { knowledge }: { knowledge: KnowledgeService }, above: Pick<FromOthers, 'opportunities'>) => ({
  graph: new GraphService({ ...kernel, ...above, find: passagesBySearch(knowledge.search) }),
});
