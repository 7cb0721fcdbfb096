import type { Database } from '../../../adapters/postgres/database.ts';
import { RunLifecycle } from './lifecycle.ts';
import { RunProgress } from './progress.ts';
import { RunQueries } from './queries.ts';

/** Runs driven by callers: input, steps, output, and checkpoints. */
export class RunsService {
  readonly lifecycle: RunLifecycle;
  readonly progress: RunProgress;
  readonly queries: RunQueries;

  constructor({ db }: { db: Database }) {
    this.lifecycle = new RunLifecycle(db);
    this.progress = new RunProgress(db);
    this.queries = new RunQueries(db);
  }
}
