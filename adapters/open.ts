import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../contracts/errors.ts';
import type { OidcSettings } from '../contracts/governance/oidc.ts';
import type { Config } from '../platform/config.ts';
import { oidcSettings } from '../platform/oidc.ts';
import { userAgent } from '../platform/version.ts';
import { openCheckedBlobs } from './blobs/open.ts';
import type { Blobs } from './blobs/types.ts';
import { openConnectors } from './connectors/open.ts';
import type { ConnectorPorts } from './connectors/types.ts';
import { openFeedReader } from './feeds/reader.ts';
import type { FeedReader } from './feeds/types.ts';
import { openGraph } from './graph/open.ts';
import type { GraphCopy, GraphStore } from './graph/types.ts';
import { openLanguage } from './language/open.ts';
import type { LanguageModel } from './language/types.ts';
import { openMcp } from './mcp/open.ts';
import { openNotify } from './notify/open.ts';
import type { NotifyPorts } from './notify/types.ts';
import type { McpClients } from './mcp/types.ts';
import type { Embedder } from './models/embedder.ts';
import { keepingQueries } from './models/kept-queries.ts';
import { openEmbedders } from './models/open.ts';
import { createReranker, type Reranker } from './models/reranker.ts';
import { openDatabase, type Database } from './postgres/database.ts';
import type { FoundCard } from './peers/card.ts';
import { openPeers } from './peers/open.ts';
import type { PeerPorts } from './peers/types.ts';
import { openNotices, type Notices } from './postgres/notices.ts';
import { secretBox, type SecretBox } from './secrets/box.ts';
import { ingestRoots } from './settings.ts';
import { openTemporal, type Temporal } from './temporal/client.ts';
import { readCredentials, temporalTarget } from './temporal/connection.ts';
import { parserSettings } from './parsers/bounded.ts';
import { recognise } from './parsers/index.ts';
import type { Recognise } from './parsers/types.ts';
import { openTrackers } from './trackers/open.ts';
import type { TrackerPorts } from './trackers/types.ts';
import { webClient } from './web/client.ts';
import { guardedFetch } from './web/guarded-fetch.ts';
import { openPageReader, type PageReader } from './web/page-reader.ts';
import type { WebClient } from './web/types.ts';
import { openVectors } from './vectors/open.ts';
import type { ProjectedVectors, VectorStore } from './vectors/types.ts';

/** Everything outside the process, for the services. */
export interface Outside {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  /** How long a blob may wait for its row, in ms. */
  blobGraceMs: number;
  keep: KeepSettings;
  recognise: Recognise;
  embedder: Embedder | null;
  /** Further models, whose vectors answer until the embedder has replaced them. */
  formerEmbedders: Embedder[];
  /** A model on this machine, for the search of tools and the classifier of statements. */
  localEmbedder: Embedder | null;
  /** Null: not configured. */
  language: LanguageModel | null;
  /** Whether it reads documents. */
  languageReads: boolean;
  /** Budget per tenant and day (UTC); null: no limit. */
  languageBudget: { tokensPerDay: number | null; usdPerDay: number | null };
  vectors: VectorStore;
  reranker: Reranker | null;
  searchCache: { ttlSeconds: number; maxMb: number } | null;
  /** Memory for word indexes. */
  lexicalMaxMb: number;
  /** The copy of the vectors outside Postgres; null when not configured. */
  projected: ProjectedVectors | null;
  graph: GraphStore;
  /** The copy of the graph in Neo4j; null when not configured. */
  graphCopy: GraphCopy | null;
  web: WebClient;
  feedReader: FeedReader;
  /** Reads web pages as articles. */
  pageReader: PageReader;
  /** The same guards for requests to agents, several of which may be on one host. */
  peers: WebClient;
  /** Protocols for other agents. */
  peerPorts: PeerPorts;
  /** Reads the card of a standard A2A agent. */
  fetchCard(url: string): Promise<FoundCard>;
  notices: Notices;
  /** How long delivery of an event to a webhook is retried. */
  webhookGiveUpSeconds: number;
  secrets: SecretBox;
  /** Accepted access tokens; null: keys only. */
  oidc: OidcSettings | null;
  /** For requests to the issuer with which people sign in; every status is an answer. */
  issuerFetch: typeof fetch;
  /** No key is required (AUTH_MODE=local). */
  keyless: boolean;
  /** Links in messages: the address of this server, null when it is not configured, and how long links for approvals work. */
  links: { base: string | null; approvalHours: number };
  /** Other systems that Signalbox writes to. */
  connectors: ConnectorPorts;
  /** Issues and pull requests of other systems. */
  trackers: TrackerPorts;
  /** Channels for notifications. */
  notify: NotifySettings;
  /** Other MCP servers. */
  mcp: McpClients;
  /** Graphiti's own server; null: its names use our own graph. */
  graphitiUrl: string | null;
  a2a: A2aSettings;
  /** Thresholds for matching names and entities. */
  matching: { fuzzy: number; embedding: number; margin: number; autoMerge: number; review: number };
  ingestRoots: string[];
  limits: { rpm: number; burst: number };
  log: Logger;
  close(): Promise<void>;
}

/** How many days records of each kind stay after their end; 0: for ever. */
export interface KeepSettings {
  articlesDays: number;
  runLogsDays: number;
  jobsDays: number;
  failedBytesDays: number;
  connectorCallsDays: number;
  reviewsDays: number;
  /** Expired memories. */
  memoriesDays: number;
  /** Else at least 30. */
  ledgerDays: number;
}

export interface NotifySettings {
  ports: NotifyPorts;
  /** Nothing is sent. */
  dryRun: boolean;
  /** How long identical contents count as repeats, and the digest interval; in ms. */
  repeatMs: number;
  digestMs: number;
  keepDays: number;
}

/** This platform's settings as an agent. */
export interface A2aSettings {
  enabled: boolean;
  agentId: string;
  /** Public address for other agents, without trailing slash. */
  endpointUrl: string;
  heartbeatIntervalSeconds: number;
  heartbeatTimeoutSeconds: number;
  taskTimeoutSeconds: number;
  taskMaxRetries: number;
  sessionTtlSeconds: number;
  maxSessions: number;
  /** Tests only: the agent whose answers depend on the prefix of a message's id. */
  scripted: boolean;
}

/**
 * Connects everything in the configuration.
 * @param modelIdleMs how long an unused embedding model stays in memory; default: as adapters/models/embedder.ts says
 * @throws when Postgres is not reachable yet; Temporal connects on first use.
 */
export async function openOutside(config: Config, log: Logger, { modelIdleMs }: { modelIdleMs?: number } = {}): Promise<Outside> {
  if (!config.DATABASE_URL) {
    throw new AppError('VALIDATION_ERROR', 'DATABASE_URL is not set.', { hint: '`npm start` sets it for the embedded Postgres.' });
  }
  // Checked before connecting: not every process is started by `up`, which checks more.
  const roots = ingestRoots(config);
  const target = temporalTarget(config);
  readCredentials(target);
  const secrets = secretBox(config.SIGNALBOX_SECRET_KEY, resolve(config.SIGNALBOX_DATA_DIR), config.SIGNALBOX_SECRET_KEY_PREVIOUS);
  const db = await openDatabase(config.DATABASE_URL, {
    max: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error }, 'a Postgres connection was lost'),
  });
  const blobs = await openCheckedBlobs(config).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  const temporal = openTemporal({
    ...target,
    secrets,
    encrypt: config.TEMPORAL_ENCRYPT_PAYLOADS,
    uiUrl: config.TEMPORAL_UI_URL,
    log,
  });
  const embedders = openEmbedders(config, modelIdleMs);
  const embedder = keepingQueries(embedders.embedder);
  const reranker = createReranker(config);
  const language = openLanguage(config);
  const allowPrivate = config.ALLOW_PRIVATE_NETWORK || config.PRIVATE_TARGETS;
  const web = webClient({ allowPrivate, userAgent, log });
  const peers = webClient({
    allowPrivate,
    userAgent,
    log,
    limits: { perHost: 32, timeoutMs: 10_000, maxRedirects: 3, maxBytes: 8_000_000 },
  });
  const connectors = openConnectors(config);
  const pageReader = openPageReader(parserSettings(config));
  const feedReader = openFeedReader();
  const guarded = guardedFetch({ allowPrivate, userAgent, log });
  const mcp = openMcp({ allowPrivate, userAgent });
  const notices = openNotices(config.DATABASE_URL, log);
  const vectors = await openVectors(config, embedder, log);
  const graph = await openGraph(config, db, log);
  return {
    db,
    temporal,
    blobs,
    blobGraceMs: config.BLOB_SWEEP_GRACE_HOURS * 3_600_000,
    keep: {
      articlesDays: config.ARTICLES_KEEP_DAYS,
      runLogsDays: config.RUN_LOGS_KEEP_DAYS,
      jobsDays: config.JOBS_KEEP_DAYS,
      failedBytesDays: config.FAILED_BYTES_KEEP_DAYS,
      connectorCallsDays: config.CONNECTOR_CALLS_KEEP_DAYS,
      reviewsDays: config.REVIEWS_KEEP_DAYS,
      memoriesDays: config.MEMORIES_KEEP_DAYS,
      ledgerDays: config.LEDGER_KEEP_DAYS,
    },
    recognise,
    embedder,
    formerEmbedders: embedders.former,
    localEmbedder: embedders.local === embedders.embedder ? embedder : embedders.local,
    language,
    languageReads: language !== null && config.LLM_EXTRACTION,
    languageBudget: { tokensPerDay: config.LLM_BUDGET_TOKENS_PER_DAY ?? null, usdPerDay: config.LLM_BUDGET_USD_PER_DAY ?? null },
    vectors: vectors.search,
    reranker,
    searchCache: config.MCP_CACHE_ENABLED ? { ttlSeconds: config.MCP_CACHE_TTL_SECONDS, maxMb: config.MCP_CACHE_MAX_SIZE_MB } : null,
    lexicalMaxMb: config.LEXICAL_INDEX_MAX_MB,
    projected: vectors.copy,
    graph: graph.store,
    graphCopy: graph.copy,
    web,
    feedReader,
    pageReader,
    peers,
    peerPorts: openPeers(peers, guarded.fetch),
    fetchCard: async (url) => (await import('./peers/card.ts')).fetchCard(peers, url),
    notices,
    webhookGiveUpSeconds: config.WEBHOOK_GIVE_UP_SECONDS,
    secrets,
    oidc: oidcSettings(config),
    issuerFetch: guarded.fetch,
    keyless: config.AUTH_MODE === 'local',
    links: { base: config.PUBLIC_URL ?? null, approvalHours: config.APPROVAL_LINK_HOURS },
    connectors,
    trackers: openTrackers(guarded.fetch),
    notify: {
      ports: openNotify(config, { connectors, web: peers }),
      dryRun: config.NOTIFICATIONS_DRY_RUN,
      repeatMs: config.NOTIFICATIONS_REPEAT_MINUTES * 60_000,
      digestMs: config.NOTIFICATIONS_DIGEST_MINUTES * 60_000,
      keepDays: config.NOTIFICATIONS_KEEP_DAYS,
    },
    mcp,
    graphitiUrl: config.GRAPHITI_MCP_URL ?? null,
    a2a: {
      enabled: config.A2A_ENABLED,
      agentId: config.A2A_AGENT_ID,
      endpointUrl: (config.A2A_ENDPOINT_URL ?? 'http://localhost:8000').replace(/\/+$/, ''),
      heartbeatIntervalSeconds: config.A2A_HEARTBEAT_INTERVAL_SECONDS,
      heartbeatTimeoutSeconds: config.A2A_HEARTBEAT_TIMEOUT_SECONDS,
      taskTimeoutSeconds: config.A2A_TASK_DEFAULT_TIMEOUT_SECONDS,
      taskMaxRetries: config.A2A_TASK_MAX_RETRIES,
      sessionTtlSeconds: config.A2A_SESSION_TTL_SECONDS,
      maxSessions: config.A2A_MAX_SESSIONS_PER_TENANT,
      scripted: config.SIGNALBOX_CONFORMANCE,
    },
    matching: {
      fuzzy: config.ENTITY_FUZZY_THRESHOLD,
      embedding: config.ENTITY_EMBEDDING_THRESHOLD,
      margin: config.ENTITY_AMBIGUITY_MARGIN,
      autoMerge: config.ENTITY_AUTO_MERGE,
      review: config.ENTITY_REVIEW,
    },
    ingestRoots: roots,
    limits: { rpm: config.MCP_RATE_LIMIT_RPM, burst: config.MCP_RATE_LIMIT_BURST },
    log,
    async close() {
      await embedders.close();
      await reranker?.close();
      await language?.close();
      await mcp.close();
      await feedReader.close();
      await web.close();
      await pageReader.close();
      await peers.close();
      await guarded.close();
      await notices.close();
      await vectors.close();
      await graph.close();
      await temporal.close();
      await blobs.close();
      await db.close();
    },
  };
}
