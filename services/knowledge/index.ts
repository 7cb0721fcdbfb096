import type { Blobs } from '../../adapters/blobs/files.ts';
import type { Embedder } from '../../adapters/models/embedder.ts';
import type { Database } from '../../adapters/postgres/database.ts';
import type { VectorStore } from '../../adapters/vectors/types.ts';
import type { Temporal } from '../../adapters/temporal/client.ts';
import { Jobs } from '../jobs/jobs.ts';
import { IngestProcesses } from './commands-process.ts';
import { KnowledgeCommands } from './commands.ts';
import { KnowledgeQueries } from './queries.ts';
import { KnowledgeSearch } from './search.ts';

interface Deps {
  db: Database;
  temporal: Temporal;
  blobs: Blobs;
  embedder: Embedder | null;
  vectors: VectorStore;
  ingestRoots: string[];
}

/** Knowledge sources: taking them in, finding passages in them, citing them. */
export class KnowledgeService {
  readonly commands: KnowledgeCommands;
  readonly queries: KnowledgeQueries;
  readonly search: KnowledgeSearch;

  constructor(deps: Deps) {
    const { db, temporal } = deps;
    this.commands = new KnowledgeCommands(deps, new Jobs(db, temporal), new IngestProcesses(temporal));
    this.queries = new KnowledgeQueries(db);
    this.search = new KnowledgeSearch(db, deps.embedder, deps.vectors);
  }
}
