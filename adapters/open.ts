import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../contracts/errors.ts';
import type { Config } from '../platform/config.ts';
import { fileBlobs, type Blobs } from './blobs/files.ts';
import { openGraph } from './graph/open.ts';
import type { GraphCopy, GraphStore } from './graph/types.ts';
import { createEmbedder, type Embedder } from './models/embedder.ts';
import { createReranker, type Reranker } from './models/reranker.ts';
import { openDatabase, type Database } from './postgres/database.ts';
import { openTemporal, type Temporal } from './temporal/client.ts';
import { webClient } from './web/client.ts';
import type { WebClient } from './web/types.ts';
import { openVectors } from './vectors/open.ts';
import type { ProjectedVectors, VectorStore } from './vectors/types.ts';

/** Everything outside the process, as the services want it. */
export interface Outside {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  embedder: Embedder | null;
  vectors: VectorStore;
  reranker: Reranker | null;
  searchCache: { ttlSeconds: number; maxMb: number } | null;
  /** Memory for word indexes. */
  lexicalMaxMb: number;
  /** The copy of the vectors outside of Postgres; null when none is configured. */
  projected: ProjectedVectors | null;
  graph: GraphStore;
  /** The copy of the graph in Neo4j; null when none is configured. */
  graphCopy: GraphCopy | null;
  web: WebClient;
  /** When a name means an entity, and when two entities are one. */
  matching: { fuzzy: number; embedding: number; margin: number; autoMerge: number; review: number };
  ingestRoots: string[];
  limits: { rpm: number; burst: number };
  log: Logger;
  close(): Promise<void>;
}

/** Connects what the configuration names. @throws when Postgres is not reachable yet; Temporal connects at first use. */
export async function openOutside(config: Config, log: Logger): Promise<Outside> {
  if (!config.DATABASE_URL) {
    throw new AppError('VALIDATION_ERROR', 'DATABASE_URL is not set.', { hint: '`npm start` sets it for the embedded Postgres.' });
  }
  const db = await openDatabase(config.DATABASE_URL, {
    max: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error }, 'a Postgres connection was lost'),
  });
  const temporal = openTemporal({
    address: config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`,
    namespace: config.TEMPORAL_NAMESPACE,
    uiUrl: config.TEMPORAL_UI_URL,
  });
  const embedder = createEmbedder(config);
  const reranker = createReranker(config);
  const web = webClient({ allowPrivate: config.ALLOW_PRIVATE_NETWORK, userAgent: 'Signalbox/1.0', log });
  const vectors = openVectors(config, embedder, log);
  const graph = openGraph(config, db, log);
  return {
    db,
    temporal,
    blobs: fileBlobs(join(resolve(config.SIGNALBOX_DATA_DIR), 'blobs')),
    embedder,
    vectors: vectors.search,
    reranker,
    searchCache: config.MCP_CACHE_ENABLED ? { ttlSeconds: config.MCP_CACHE_TTL_SECONDS, maxMb: config.MCP_CACHE_MAX_SIZE_MB } : null,
    lexicalMaxMb: config.LEXICAL_INDEX_MAX_MB,
    projected: vectors.copy,
    graph: graph.store,
    graphCopy: graph.copy,
    web,
    matching: {
      fuzzy: config.ENTITY_FUZZY_THRESHOLD,
      embedding: config.ENTITY_EMBEDDING_THRESHOLD,
      margin: config.ENTITY_AMBIGUITY_MARGIN,
      autoMerge: config.ENTITY_AUTO_MERGE,
      review: config.ENTITY_REVIEW,
    },
    ingestRoots: (config.INGEST_ROOTS.length > 0 ? config.INGEST_ROOTS : [process.cwd()]).map((root) => realpathSync(resolve(root))),
    limits: { rpm: config.MCP_RATE_LIMIT_RPM, burst: config.MCP_RATE_LIMIT_BURST },
    log,
    async close() {
      await embedder?.close();
      await reranker?.close();
      await web.close();
      await vectors.close();
      await graph.close();
      await temporal.close();
      await db.close();
    },
  };
}

/**
 * Tries until it works: a process that starts before its stores waits for them instead of dying.
 * @throws what waiting cannot mend, e.g. a database role that bypasses row-level security
 */
export async function untilReachable<T>(what: string, log: Logger, attempt: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 1_000)) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof AppError && !error.retryable) throw error;
      log.warn({ err: error, retry_in_ms: wait }, `${what} is not reachable yet`);
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}
