import type { Logger } from 'pino';
import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Recognise } from '../../adapters/parsers/types.ts';
import type { Reranker } from '../../adapters/models/reranker.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { WebClient } from '../../adapters/web/types.ts';
import type { VectorStore } from '../../adapters/vectors/types.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import type { Caller } from '../../contracts/caller.ts';
import { Jobs } from '../kernel/jobs.ts';
import { Processes } from '../kernel/processes.ts';
import { KnowledgeBases } from './bases.ts';
import type { CacheSettings } from './cache.ts';
import { examplesOf, type CodeExample } from './code-examples.ts';
import { submitted, type Submitted } from './commands-answers.ts';
import { KnowledgeCommands } from './commands.ts';
import { DeadLetters } from './dlq.ts';
import { Documents } from './documents.ts';
import { Memories } from './memories.ts';
import { Pipelines } from './pipelines.ts';
import { LexicalIndexes } from './lexical.ts';
import { KnowledgeQueries } from './queries.ts';
import { RemovalProcesses } from './removal-process.ts';
import { KnowledgeRemoval } from './removal.ts';
import { IngestRuns, type ItemsRequest, type Waiting } from './runs.ts';
import type { SearchFilters } from './search-scope.ts';
import type { SearchGraph } from './search-graph.ts';
import { KnowledgeSearch, type AskedBy, type SearchAnswer } from './search.ts';
import { Trajectories } from './trajectories.ts';

export { readInside } from './commands-file.ts';
export type { Submitted } from './commands-answers.ts';
export { writePassages } from './memories-records.ts';
export { settleJob } from './records-dlq.ts';
export { ensureBase, vectorText } from './records.ts';
export type { Removed } from './removal.ts';
export type { GivenItem } from './runs.ts';
export type { Expanded, GraphNode, Like, SearchGraph, ToExpand } from './search-graph.ts';
export type { Scope } from './search-sql.ts';
export type { KnowledgeSearch } from './search.ts';

interface Deps {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  recognise: Recognise;
  embedder: Embedder | null;
  vectors: VectorStore;
  reranker: Reranker | null;
  /** Null: search answers are not cached. */
  searchCache: CacheSettings | null;
  /** Memory for word indexes. */
  lexicalMaxMb: number;
  /** Absent: there is no knowledge graph. */
  graph?: SearchGraph;
  log: Logger;
  web: WebClient;
  ingestRoots: string[];
  /** Retries an episode that had failed. */
  retryEpisode(tenant: string, id: string): Promise<void>;
  artifact(tenant: string, sha256: string): Promise<{ bytes: Uint8Array; filename: string | null; media_type: string }>;
}

/** Knowledge sources: ingesting, searching, citing. */
export class KnowledgeService {
  readonly commands: KnowledgeCommands;
  /** Many contents at once: folders, archives, sites, lists. */
  readonly runs: IngestRuns;
  readonly dlq: DeadLetters;
  readonly pipelines: Pipelines;
  readonly documents: Documents;
  readonly queries: KnowledgeQueries;
  readonly search: KnowledgeSearch;
  /** Explanations of answers. */
  readonly trajectories: Trajectories;
  readonly bases: KnowledgeBases;
  readonly memories: Memories;
  readonly removal: KnowledgeRemoval;
  readonly removals: RemovalProcesses;

  private readonly web: WebClient;
  private readonly jobs: Jobs;

  constructor(deps: Deps) {
    const { db, temporal, blobs } = deps;
    const jobs = new Jobs(db, temporal);
    this.jobs = jobs;
    this.runs = new IngestRuns(deps, jobs);
    this.commands = new KnowledgeCommands(deps, jobs, new Processes(temporal), this.runs);
    this.dlq = new DeadLetters({ db, temporal, jobs, commands: this.commands, runs: this.runs, retryEpisode: deps.retryEpisode });
    this.pipelines = new Pipelines(deps, jobs);
    this.documents = new Documents(db, blobs, deps.embedder);
    this.web = deps.web;
    this.queries = new KnowledgeQueries(db);
    this.trajectories = new Trajectories(db, deps.log);
    const words = new LexicalIndexes(db, { maxMb: deps.lexicalMaxMb, log: deps.log });
    this.search = new KnowledgeSearch({ ...deps, trajectories: this.trajectories, cache: deps.searchCache, words });
    this.bases = new KnowledgeBases(db, this.queries);
    this.memories = new Memories(db, deps.embedder, this.search);
    this.removals = new RemovalProcesses(temporal);
    this.removal = new KnowledgeRemoval(db, jobs, this.removals);
  }

  /**
   * Code blocks of the found passages.
   * @throws AppError as `search.chunks`
   */
  async codeExamples(
    tenant: string,
    wanted: { query: string; language?: string | undefined; limit: number; filters?: SearchFilters | undefined },
    by?: AskedBy,
  ): Promise<Omit<SearchAnswer, 'hits'> & { examples: CodeExample[] }> {
    const { hits, ...answer } = await this.search.chunks(
      tenant,
      {
        query: wanted.language === undefined ? wanted.query : `${wanted.query} ${wanted.language}`,
        mode: 'hybrid',
        // Many passages may contain code in another language, or the same code.
        limit: 100,
        filters: { ...wanted.filters, has_code: true },
        includeCodeExamples: true,
      },
      by,
    );
    const examples = examplesOf(hits, wanted);
    const none = wanted.language !== undefined && hits.length > 0 && examples.length === 0;
    return {
      ...answer,
      examples,
      warnings: none ? [...answer.warnings, `No code block found is said to be ${wanted.language}.`] : answer.warnings,
    };
  }

  /**
   * Ingests contents that the caller passes.
   * @throws AppError the run's failure
   */
  async submitItems(caller: Caller, wanted: ItemsRequest, waiting: Waiting = {}): Promise<Submitted> {
    const { job } = await this.runs.submitItems(caller, wanted, waiting);
    return submitted(this.jobs, job, false);
  }

  /**
   * One web document, read immediately.
   * @throws AppError of the guarded client
   */
  async fetch(url: string, signal: AbortSignal): Promise<{ url: string; bytes: Uint8Array; mediaType: string; filename?: string }> {
    const { url: final, bytes, mediaType, filename } = await this.web.fetch(url, { signal });
    return { url: final, bytes, mediaType, ...(filename === undefined ? {} : { filename }) };
  }
}
