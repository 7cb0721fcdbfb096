import type { Logger } from 'pino';
import type { Blobs } from '../adapters/blobs/files.ts';
import type { GraphCopy, GraphStore } from '../adapters/graph/types.ts';
import type { ConnectorPorts } from '../adapters/connectors/types.ts';
import type { LanguageModel } from '../adapters/language/types.ts';
import type { McpClients } from '../adapters/mcp/types.ts';
import type { FeedReader } from '../adapters/feeds/types.ts';
import type { Embedder } from '../adapters/models/embedder.ts';
import type { Reranker } from '../adapters/models/reranker.ts';
import type { Recognise } from '../adapters/parsers/types.ts';
import type { Database } from '../adapters/postgres/database.ts';
import type { A2aSettings, NotifySettings } from '../adapters/open.ts';
import type { PeerPorts } from '../adapters/peers/types.ts';
import type { Notices } from '../adapters/postgres/notices.ts';
import type { SecretBox } from '../adapters/secrets/box.ts';
import type { Temporal } from '../adapters/temporal/client.ts';
import type { PageReader } from '../adapters/web/page-reader.ts';
import type { WebClient } from '../adapters/web/types.ts';
import type { ProjectedVectors, VectorStore } from '../adapters/vectors/types.ts';
import type { OidcSettings } from '../contracts/governance/oidc.ts';
import { A2aService } from './agents/a2a/index.ts';
import { AgentsService } from './agents/index.ts';
import type { FetchCard } from './agents/registry.ts';
import { AuthoringService } from './authoring/index.ts';
import { ReportSchedules } from './authoring/schedules.ts';
import { withdrawDrafts } from './authoring/withdraw.ts';
import { BriefService } from './feeds/briefs/index.ts';
import { ClaimsService } from './substrate/claims/index.ts';
import { ConnectorService } from './outbound/connectors/index.ts';
import { ExportService } from './governance/exports/index.ts';
import { ExternalService } from './governance/external/index.ts';
import { Events } from './outbound/events/index.ts';
import { Feeds } from './feeds/index.ts';
import { GovernanceService } from './governance/index.ts';
import type { LimitDefaults } from './governance/limits.ts';
import { forgetRetired } from './graph/forget.ts';
import { GraphService, type MatchSettings } from './graph/index.ts';
import { graphRetrieval } from './graph/retrieval.ts';
import { passagesBySearch } from './graph/passages.ts';
import type { FindPassages } from './graph/provenance.ts';
import { HealthService } from './kernel/health/index.ts';
import { InsightService } from './signals/insight/index.ts';
import { follow } from './kernel/followers.ts';
import { Jobs } from './kernel/jobs.ts';
import type { CacheSettings } from './knowledge/cache.ts';
import { KnowledgeService } from './knowledge/index.ts';
import type { Budget } from './kernel/language/budgets.ts';
import { LanguageService } from './kernel/language/index.ts';
import { Notifications } from './outbound/index.ts';
import { OpportunityService } from './signals/opportunities/index.ts';
import { ProjectionService } from './kernel/projections/index.ts';
import { RunsService } from './substrate/runs/index.ts';
import { SchemasService } from './substrate/schemas/index.ts';
import { forgetCorrections, forgetSignals } from './signals/forget.ts';
import { SignalsService } from './signals/index.ts';
import { relinkSignals } from './signals/relink.ts';
import { SubstrateService } from './substrate/index.ts';
import { WorkService } from './work/index.ts';

/** Dependencies of the services. */
export interface Deps {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  /** Detects the format of a content before it is ingested. */
  recognise: Recognise;
  /** Null: no model; search is BM25 only and says so. */
  embedder: Embedder | null;
  /** Null: no language model is configured, and nothing needs one. */
  language: LanguageModel | null;
  /** For tenants without their own budget. */
  languageBudget: Budget;
  vectors: VectorStore;
  /** Null: hits keep their order, and answers say so. */
  reranker: Reranker | null;
  /** Null: search answers are not cached. */
  searchCache: CacheSettings | null;
  /** Memory for the word indexes of knowledge bases. */
  lexicalMaxMb: number;
  /** The copy of the vectors outside Postgres; null when not configured. */
  projected: ProjectedVectors | null;
  graph: GraphStore;
  /** The copy of the graph in Neo4j; null when not configured. */
  graphCopy: GraphCopy | null;
  /** All requests to the internet go through it. */
  web: WebClient;
  feedReader: FeedReader;
  pageReader: PageReader;
  /** Requests to agents. */
  peers: WebClient;
  peerPorts: PeerPorts;
  notices: Notices;
  /** How long delivery of an event to a webhook is retried. */
  webhookGiveUpSeconds: number;
  secrets: SecretBox;
  /** Accepted access tokens; null: keys only. */
  oidc: OidcSettings | null;
  /** AUTH_MODE=local. */
  keyless: boolean;
  connectors: ConnectorPorts;
  notify: NotifySettings;
  mcp: McpClients;
  /** Graphiti's own server; null: its names use our own graph. */
  graphitiUrl: string | null;
  a2a: A2aSettings;
  /** Reads the card of a standard A2A agent. */
  fetchCard: FetchCard;
  matching: MatchSettings;
  /** Folders from which `file_path` may be read; absolute, without links. */
  ingestRoots: string[];
  limits: LimitDefaults;
  log: Logger;
}

export interface Services {
  governance: GovernanceService;
  jobs: Jobs;
  work: WorkService;
  knowledge: KnowledgeService;
  language: LanguageService;
  authoring: AuthoringService;
  reportSchedules: ReportSchedules;
  graph: GraphService;
  opportunities: OpportunityService;
  insight: InsightService;
  signals: SignalsService;
  agents: AgentsService;
  projections: ProjectionService;
  substrate: SubstrateService;
  runs: RunsService;
  claims: ClaimsService;
  schemas: SchemasService;
  connectors: ConnectorService;
  notifications: Notifications;
  external: ExternalService;
  exports: ExportService;
  feeds: Feeds;
  briefs: BriefService;
  events: Events;
  health: HealthService;
  a2a: A2aService;
}

follow({ passagesGoing: forgetRetired });
follow({ documentsVoid: forgetSignals, sourcesDeleted: forgetCorrections, entitiesChanged: relinkSignals });
follow({ documentsWithdrawn: withdrawDrafts });

/** Wires the bounded contexts. Called once per process. */
export function createServices(deps: Deps): Services {
  const substrate = new SubstrateService(deps);
  // The graph cites passages, and the search of passages uses the graph.
  const find: FindPassages = (tenant, query, limit) => passagesBySearch(knowledge.search, tenant, query, limit);
  const opportunities = new OpportunityService(deps);
  const graph = new GraphService({
    ...deps,
    find,
    opportunities: {
      top: (tenant, entityIds, limit) => opportunities.queries.top(tenant, entityIds, limit),
      chain: (tenant, id, limit) => opportunities.evidence.chain(tenant, id, limit),
    },
  });
  const artifact = substrate.artifacts.get.bind(substrate.artifacts);
  const { graph: _store, ...others } = deps;
  const knowledge = new KnowledgeService({
    ...others,
    artifact,
    graph: graphRetrieval,
    retryEpisode: (tenant, id) => graph.episodes.retry(tenant, id),
  });
  const jobs = new Jobs(deps.db, deps.temporal);
  const governance = new GovernanceService({ ...deps, jobs });
  const work = new WorkService(deps);
  const language = new LanguageService(deps);
  const projections = new ProjectionService(deps);
  const feeds = new Feeds(deps);
  const connectors = new ConnectorService({ ...deps, jobs });
  const notifications = new Notifications({ ...deps, jobs, mounts: connectors.mounts });
  const authoring = new AuthoringService({ ...deps, jobs, lookup: graph.lookup, language });
  return {
    governance,
    jobs,
    work,
    knowledge,
    language,
    authoring,
    reportSchedules: new ReportSchedules({ ...deps, jobs, authoring, notifications }),
    graph,
    opportunities,
    signals: new SignalsService({
      ...deps,
      lookup: graph.lookup,
      words: knowledge.search,
      language,
      changed: (tenant) => opportunities.wakeSoon(tenant),
    }),
    insight: new InsightService({ db: deps.db, graph: deps.graph, lookup: graph.lookup, find }),
    agents: new AgentsService({ ...deps, reviews: graph.processes }),
    projections,
    substrate,
    runs: new RunsService(deps),
    claims: new ClaimsService(deps),
    schemas: new SchemasService(deps),
    connectors,
    notifications,
    external: new ExternalService({ ...deps, artifacts: substrate.artifacts }),
    exports: new ExportService({ ...deps, jobs, publicUrl: deps.a2a.endpointUrl }),
    feeds,
    briefs: new BriefService({ ...deps, jobs, language, feeds, notifications, publicUrl: deps.a2a.endpointUrl }),
    events: new Events({ ...deps, notifications }),
    health: new HealthService({ ...deps, projections }),
    a2a: new A2aService({ ...deps, jobs, approvals: governance.approvals }),
  };
}
