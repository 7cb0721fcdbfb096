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
import { EntityFacts } from './entity-facts.ts';
import { Mentions } from './mentions.ts';
import { Neighbourhoods } from './neighbourhood.ts';
import { ChangeUndo } from './undo.ts';
import { ReviewCases } from './review-case.ts';
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
export { currentDirectory, directoryOfTenant, isOutdated, namesHash } from './directory.ts';
export { graphTogether, inputOfDocument } from './again.ts';
export { teachPerson } from './teach.ts';
export { correctionsIn, type PersonCorrection, type ReadingCorrections } from './corrections.ts';
export { documentColumns, documentInput, givenOf, passagesOfDocument, type DocumentRow } from './document-input.ts';
export { activeEntities, profiledView, refView } from './entity-view.ts';
export { readByModel, type ModelReading } from './model-reading.ts';
export { lockGraph } from './lock.ts';
export type { Candidate } from './lookup-decide.ts';
export type { EntityLookup } from './lookup.ts';
export { passagesBySearch } from './passages.ts';
export type { FindPassages } from './provenance.ts';
export { excerptAt, isSignal } from './signals.ts';

/** Thresholds for matching names and entities, each 0 to 1. */
export interface MatchSettings {
  fuzzy: number;
  embedding: number;
  /** A name is ambiguous if the second-best match is this close. */
  margin: number;
  autoMerge: number;
  review: number;
}

interface FromOthers {
  /** Search over the knowledge bases. */
  find: FindPassages;
  /** Opportunities, as far as the graph needs them. */
  opportunities: { top: TopOpportunities; chain: OpportunityChain };
  /** Starts reading documents again whose names have other meanings now; never fails. */
  readAgain(tenant: string): Promise<void>;
}

/** The knowledge graph: entities, their relations, dated facts, and people's decisions about them. */
export class GraphService extends Service<keyof Kernel, FromOthers> {
  /** Finds the entity of a name. */
  readonly lookup = new EntityLookup(this.deps);
  readonly entities = new EntityQueries({ ...this.deps, lookup: this.lookup });
  /** Statements of people and other systems about entities. */
  readonly commands = new EntityCommands({ ...this.deps, lookup: this.lookup, read: this.deps.readAgain });
  readonly mentions = new Mentions({ ...this.deps, lookup: this.lookup });
  readonly entityFacts = new EntityFacts({ ...this.deps, lookup: this.lookup });
  readonly neighbourhoods = new Neighbourhoods({ ...this.deps, lookup: this.lookup });
  readonly explorer = new GraphExplorer({ ...this.deps, lookup: this.lookup });
  readonly summary = new GraphSummary({ ...this.deps, opportunities: this.deps.opportunities.top });
  readonly provenance = new ProvenanceTracer({ ...this.deps, lookup: this.lookup, opportunity: this.deps.opportunities.chain });
  readonly flags = new IssueFlags({ ...this.deps, lookup: this.lookup });
  readonly reviews = new Reviews(this.deps);
  /** All that a person looks at before deciding a question. */
  readonly cases = new ReviewCases(this.deps);
  readonly undo = new ChangeUndo(this.deps);
  /** Merges, splits and proposals of them. */
  readonly changes = new EntityChanges({ ...this.deps, lookup: this.lookup });
  readonly episodeProcesses = new EpisodeProcesses(this.deps);
  /** Episodes added directly to the graph. */
  readonly episodes = new Episodes({ ...this.deps, episodeProcesses: this.episodeProcesses });
  readonly clearing = new GraphClearing({ ...this.deps, episodeProcesses: this.episodeProcesses });
  readonly nodes = new NodeSearch({ ...this.deps, lookup: this.lookup });
  readonly facts = new FactSearch(this.deps);
  /** Links rows of tables that are the same thing. */
  readonly tables = new TableLinking(this.deps);

  /** Warnings for callers that name Graphiti groups. */
  groupWarnings(caller: Caller, given: string | readonly string[] | undefined): string[] {
    return groupWarnings(this.deps.log, caller, given);
  }

  /** Has the tenant's process embed names and facts without vectors; never fails. */
  async embedSoon(tenant: string): Promise<void> {
    const { db, embedder, log } = this.deps;
    try {
      if (await lacksVectors(db, embedder, tenant)) await this.episodeProcesses.wake(tenant);
    } catch (error) {
      log.debug({ err: error, tenant }, 'embedding waits for the next sweep');
    }
  }

  /**
   * Quality of the resolution, based on people's decisions.
   * @param type null: all
   */
  async stats(tenant: string, windowDays: number, type: string | null): Promise<ResolutionStats> {
    return await resolutionStats(this.db, tenant, windowDays, type);
  }
}

export const createGraph = (kernel: Kernel, { knowledge }: { knowledge: KnowledgeService }, above: Omit<FromOthers, 'find'>) => ({
  graph: new GraphService({ ...kernel, ...above, find: passagesBySearch(knowledge.search) }),
});
