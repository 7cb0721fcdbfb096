import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Database } from '../postgres/database.ts';
import { translate } from '../postgres/errors.ts';
import { TenantPool } from '../postgres/pool.ts';
import { pgvector } from './pgvector.ts';
import { searchedInCopy } from './projected.ts';
import type { ProjectedVectors, VectorStore } from './types.ts';

export interface Vectors {
  /** Used by searches. */
  search: VectorStore;
  /** The copy outside Postgres, if configured. */
  copy: ProjectedVectors | null;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'DATABASE_URL' | 'QDRANT_URL' | 'QDRANT_API_KEY' | 'QDRANT_COLLECTION'>;

/** Qdrant where it is configured, with Postgres behind it; else Postgres. Connects at first use. */
export async function openVectors(config: Settings, embedder: Embedder | null, log: Logger): Promise<Vectors> {
  if (config.QDRANT_URL && !embedder) log.warn('QDRANT_URL is set, but without an embedding model there are no vectors to keep there');
  if (!config.QDRANT_URL || !embedder) return { search: pgvector, copy: null, close: () => Promise.resolve() };
  const { openQdrant } = await import('./qdrant.ts');
  const copy = openQdrant({
    url: config.QDRANT_URL,
    apiKey: config.QDRANT_API_KEY,
    model: embedder.id,
    dimensions: embedder.dimensions,
    prefix: config.QDRANT_COLLECTION,
  });
  // A separate pool, because each search already holds a connection of the main pool while it reads here.
  const pool = new TenantPool({
    connectionString: config.DATABASE_URL,
    application_name: 'signalbox-vectors',
    max: 2,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
    keepAlive: true,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'a Postgres connection was lost'));
  const look: Database['query'] = async <T extends Record<string, unknown>>(text: string, values: unknown[] = []) => {
    try {
      return (await pool.query<T>(text, values)).rows;
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    search: searchedInCopy(copy, look, log),
    copy,
    async close() {
      await copy.close();
      if (!pool.ended) await pool.end();
    },
  };
}
