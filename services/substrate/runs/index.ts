import type { Database } from '../../../adapters/postgres/database.ts';
import { RunLifecycle } from './lifecycle.ts';
import { RunProgress } from './progress.ts';
import { RunQueries } from './queries.ts';

/** Runs that somebody else drives: what they are given, do and yield, and where they can go on from. */
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
