import type { Logger } from 'pino';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';

/** When a name means an entity, and when two entities are one: 0 to 1 each. */
export interface MatchSettings {
  fuzzy: number;
  embedding: number;
  /** A runner-up this near makes a name ambiguous. */
  margin: number;
  autoMerge: number;
  review: number;
}

export interface GraphDeps {
  db: Database;
  temporal: Temporal;
  embedder: Embedder | null;
  matching: MatchSettings;
  log: Logger;
}

/** Who and what the evidence is about: entities, their relations, dated facts, and people's decisions about them. */
export class GraphService {
  readonly deps: GraphDeps;

  constructor(deps: GraphDeps) {
    this.deps = deps;
  }
}
