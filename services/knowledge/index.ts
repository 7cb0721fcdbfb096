import type { Caller } from '../../contracts/caller.ts';
import { Service } from '../kernel/service.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { KnowledgeBases } from './bases.ts';
import { examplesOf, type CodeExample } from './code-examples.ts';
import { submitted, type Submitted } from './commands-answers.ts';
import { KnowledgeCommands } from './commands.ts';
import { DeadLetters } from './dlq.ts';
import { Documents } from './documents.ts';
import { Memories } from './memories.ts';
import { Pipelines } from './pipelines.ts';
import { Reindexing } from './reindexing.ts';
import { LexicalIndexes } from './lexical.ts';
import { KnowledgeQueries } from './queries.ts';
import { DocumentReader } from './reader.ts';
import { RemovalProcesses } from './removal-process.ts';
import { KnowledgeRemoval } from './removal.ts';
import { IngestRuns, type ItemsRequest, type Waiting } from './runs.ts';
import type { SearchFilters } from './search-scope.ts';
import type { SearchGraph } from './search-graph.ts';
import { KnowledgeSearch, type AskedBy, type SearchAnswer } from './search.ts';
import { Trajectories } from './trajectories.ts';
import type { SubstrateService } from '../substrate/index.ts';

export { readInside } from './commands-file.ts';
export type { Submitted } from './commands-answers.ts';
export { writePassages } from './memories-index.ts';
export { settleJob } from './records-dlq.ts';
export { ensureBase, vectorText } from './records.ts';
export type { PassageRow } from './reader.ts';
export type { Removed } from './removal.ts';
export type { GivenItem } from './runs.ts';
export type { Expanded, GraphNode, Like, SearchGraph, ToExpand } from './search-graph.ts';
export type { Scope } from './search-sql.ts';
export type { KnowledgeSearch } from './search.ts';

interface FromOthers {
  /** Absent: there is no knowledge graph. */
  graph?: SearchGraph;
  /** Retries an episode that had failed. */
  retryEpisode(tenant: string, id: string): Promise<void>;
  artifact(tenant: string, sha256: string): Promise<{ bytes: Uint8Array; filename: string | null; media_type: string }>;
}

/** Knowledge sources: ingesting, searching, citing. */
export class KnowledgeService extends Service<Exclude<keyof Kernel, 'graph'>, FromOthers> {
  /** Many contents at once: folders, archives, sites, lists. */
  readonly runs = new IngestRuns(this.deps);
  readonly commands = new KnowledgeCommands({ ...this.deps, runs: this.runs });
  readonly dlq = new DeadLetters({ ...this.deps, commands: this.commands, runs: this.runs });
  readonly pipelines = new Pipelines(this.deps);
  readonly reindexing = new Reindexing({ ...this.deps, pipelines: this.pipelines, dlq: this.dlq });
  readonly documents = new Documents(this.deps);
  readonly reader = new DocumentReader(this.deps);
  readonly queries = new KnowledgeQueries(this.deps);
  /** Explanations of answers. */
  readonly trajectories = new Trajectories(this.deps);
  readonly words = new LexicalIndexes(this.db, { maxMb: this.deps.lexicalMaxMb, log: this.deps.log });
  readonly search = new KnowledgeSearch({
    ...this.deps,
    trajectories: this.trajectories,
    cache: this.deps.searchCache,
    words: this.words,
  });
  readonly bases = new KnowledgeBases({ ...this.deps, queries: this.queries });
  readonly memories = new Memories({ ...this.deps, finder: this.search, reader: this.reader });
  readonly removals = new RemovalProcesses(this.deps);
  readonly removal = new KnowledgeRemoval({ ...this.deps, removals: this.removals });

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
        // Code is found by what it is for, not by names that lead to it.
        includeGraph: false,
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
    return submitted(this.deps.jobs, job, false);
  }

  /**
   * One web document, read immediately.
   * @throws AppError of the guarded client
   */
  async fetch(url: string, signal: AbortSignal): Promise<{ url: string; bytes: Uint8Array; mediaType: string; filename?: string }> {
    const { url: final, bytes, mediaType, filename } = await this.deps.web.fetch(url, { signal });
    return { url: final, bytes, mediaType, ...(filename === undefined ? {} : { filename }) };
  }
}

export const createKnowledge = (
  kernel: Kernel,
  { substrate }: { substrate: SubstrateService },
  above: Pick<Required<FromOthers>, 'graph' | 'retryEpisode'>,
) => ({
  knowledge: new KnowledgeService({ ...kernel, ...above, artifact: (tenant, sha256) => substrate.artifacts.get(tenant, sha256) }),
});
