import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../postgres/database.ts';
import { postgresGraph } from './postgres.ts';
import { traversedInCopy } from './projected.ts';
import type { GraphCopy, GraphStore } from './types.ts';

export interface Graph {
  /** Used by reads. */
  store: GraphStore;
  /** The copy outside Postgres, if configured. */
  copy: GraphCopy | null;
  close(): Promise<void>;
}

type Settings = Pick<Config, 'NEO4J_URI' | 'NEO4J_USER' | 'NEO4J_PASSWORD' | 'NEO4J_DATABASE'>;

/** Neo4j where it is configured, with Postgres behind it; else Postgres. Connects at first use. */
export async function openGraph(config: Settings, db: Database, log: Logger): Promise<Graph> {
  const postgres = postgresGraph(db.query);
  if (!config.NEO4J_URI) return { store: postgres, copy: null, close: () => Promise.resolve() };
  const { openNeo4j } = await import('./neo4j.ts');
  const copy = openNeo4j({
    uri: config.NEO4J_URI,
    user: config.NEO4J_USER,
    password: config.NEO4J_PASSWORD,
    database: config.NEO4J_DATABASE,
  });
  return { store: traversedInCopy(copy, postgres, db.query, log), copy, close: () => copy.close() };
}
