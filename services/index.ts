import type { Logger } from 'pino';
import type { Blobs } from '../adapters/blobs/files.ts';
import type { GraphCopy, GraphStore } from '../adapters/graph/types.ts';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Reranker } from '../adapters/models/reranker.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { Temporal } from '../adapters/temporal/client.ts';
import type { WebClient } from '../adapters/web/types.ts';
import type { ProjectedVectors, VectorStore } from '../adapters/vectors/types.ts';
import { Idempotency } from './governance/idempotency.ts';
import { Keys } from './governance/keys.ts';
import { Ledger } from './governance/ledger.ts';
import { RateLimits, type LimitDefaults } from './governance/limits.ts';
import { LedgerQueries } from './governance/queries.ts';
import { GraphService, type MatchSettings } from './graph/index.ts';
import { graphRetrieval } from './graph/retrieval.ts';
import { passagesBySearch } from './graph/passages.ts';
import type { FindPassages } from './graph/provenance.ts';
import { Jobs } from './jobs/jobs.ts';
import type { CacheSettings } from './knowledge/cache.ts';
import { KnowledgeService } from './knowledge/index.ts';
import { ProjectionService } from './projections/index.ts';
import { SubstrateService } from './substrate/index.ts';
import { WorkService } from './work/index.ts';

/** What the outside gives to the business rules. */
export interface Deps {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  /** Null: no model at hand; search is BM25 alone and says so. */
  embedder: Embedder | null;
  vectors: VectorStore;
  /** Null: hits stay in plain order, and answers say so. */
  reranker: Reranker | null;
  /** Null: answers of searches are not kept. */
  searchCache: CacheSettings | null;
  /** Memory for the word indexes of knowledge bases. */
  lexicalMaxMb: number;
  /** The copy of the vectors outside of Postgres; null when none is configured. */
  projected: ProjectedVectors | null;
  graph: GraphStore;
  /** The copy of the graph in Neo4j; null when none is configured. */
  graphCopy: GraphCopy | null;
  /** Everything fetched from the net goes through it. */
  web: WebClient;
  matching: MatchSettings;
  /** Folders from which `file_path` may be read, absolute and link-free. */
  ingestRoots: string[];
  limits: LimitDefaults;
  log: Logger;
}

export interface Services {
  governance: {
    keys: Keys;
    ledger: Ledger;
    ledgerQueries: LedgerQueries;
    idempotency: Idempotency;
    limits: RateLimits;
  };
  jobs: Jobs;
  work: WorkService;
  knowledge: KnowledgeService;
  graph: GraphService;
  projections: ProjectionService;
  substrate: SubstrateService;
}

/** Wires the bounded contexts. Called once per process. */
export function createServices(deps: Deps): Services {
  const substrate = new SubstrateService(deps);
  // The graph cites passages, and the search of passages tells what the graph knows.
  const find: FindPassages = (tenant, query, limit) => passagesBySearch(knowledge.search, tenant, query, limit);
  const graph = new GraphService({ ...deps, find });
  const artifact = substrate.artifacts.get.bind(substrate.artifacts);
  const { graph: _store, ...others } = deps;
  const knowledge = new KnowledgeService({ ...others, artifact, graph: graphRetrieval });
  return {
    governance: {
      keys: new Keys(deps.db),
      ledger: new Ledger(deps.db, deps.log),
      ledgerQueries: new LedgerQueries(deps.db),
      idempotency: new Idempotency(deps.db),
      limits: new RateLimits(deps.limits),
    },
    jobs: new Jobs(deps.db, deps.temporal),
    work: new WorkService(deps),
    knowledge,
    graph,
    projections: new ProjectionService(deps),
    substrate,
  };
}
