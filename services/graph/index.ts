import type { Logger } from 'pino';
import type { Blobs } from '../../adapters/blobs/files.ts';
import type { GraphStore } from '../../adapters/graph/types.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Caller } from '../../contracts/caller.ts';

import { Jobs } from '../kernel/jobs.ts';
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
import { ReviewProcesses } from '../kernel/reviews/reviews-process.ts';
import { FactSearch } from './search-facts.ts';
import { NodeSearch } from './search-nodes.ts';
import { GraphSummary, type TopOpportunities } from './summary.ts';
import { TableLinking } from './tables.ts';
import { resolutionStats, type ResolutionStats } from './stats.ts';

export { countForGraph, graphSlice } from './pipeline.ts';
export { tidyEntities } from './forget.ts';
export { areaOf } from './areas.ts';
export { activeEntities, profiledView, refView } from './entity-view.ts';
export { lockGraph } from './lock.ts';
export type { Candidate } from './lookup-decide.ts';
export type { EntityLookup } from './lookup.ts';
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

export interface GraphDeps {
  db: Database;
  blobs: Blobs;
  temporal: Temporal;
  embedder: Embedder | null;
  matching: MatchSettings;
  graph: GraphStore;
  /** Folders from which tables may be read; absolute, without links. */
  ingestRoots: string[];
  /** Search over the knowledge bases. */
  find: FindPassages;
  /** Opportunities, as far as the graph needs them. */
  opportunities: { top: TopOpportunities; chain: OpportunityChain };
  log: Logger;
}

/** The knowledge graph: entities, their relations, dated facts, and people's decisions about them. */
export class GraphService {
  readonly deps: GraphDeps;
  /** Finds the entity of a name. */
  readonly lookup: EntityLookup;
  readonly entities: EntityQueries;
  /** Statements of people and other systems about entities. */
  readonly commands: EntityCommands;
  readonly flags: IssueFlags;
  readonly explorer: GraphExplorer;
  readonly summary: GraphSummary;
  readonly provenance: ProvenanceTracer;
  readonly processes: ReviewProcesses;
  readonly reviews: Reviews;
  /** Merges, splits and proposals of them. */
  readonly changes: EntityChanges;
  /** Episodes added directly to the graph. */
  readonly episodes: Episodes;
  readonly episodeProcesses: EpisodeProcesses;
  readonly clearing: GraphClearing;
  readonly nodes: NodeSearch;
  readonly facts: FactSearch;
  /** Links rows of tables that are the same thing. */
  readonly tables: TableLinking;

  constructor(deps: GraphDeps) {
    this.deps = deps;
    const { db, temporal } = deps;
    const jobs = new Jobs(db, temporal);
    this.lookup = new EntityLookup(deps);
    this.entities = new EntityQueries(db, this.lookup);
    this.commands = new EntityCommands(db, this.lookup);
    this.explorer = new GraphExplorer(db, deps.graph, this.lookup);
    this.summary = new GraphSummary(db, deps.graph, deps.opportunities.top);
    this.provenance = new ProvenanceTracer(db, this.lookup, deps.find, deps.opportunities.chain);
    this.processes = new ReviewProcesses(temporal);
    this.flags = new IssueFlags(db, this.lookup, this.processes);
    this.reviews = new Reviews(db, this.processes);
    this.changes = new EntityChanges({ db, jobs, processes: this.processes, lookup: this.lookup });
    this.episodeProcesses = new EpisodeProcesses(temporal);
    this.episodes = new Episodes(db, this.episodeProcesses);
    this.clearing = new GraphClearing(db, jobs, this.episodeProcesses);
    this.nodes = new NodeSearch(db, deps.embedder, this.lookup);
    this.facts = new FactSearch(db, deps.embedder);
    this.tables = new TableLinking({ ...deps, jobs });
  }

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
    return await resolutionStats(this.deps.db, tenant, windowDays, type);
  }
}
