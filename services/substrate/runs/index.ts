import { RunLifecycle } from './lifecycle.ts';
import { RunProgress } from './progress.ts';
import { RunQueries } from './queries.ts';
import { Service } from '../../kernel/service.ts';

/** Runs driven by callers: input, steps, output, and checkpoints. */
export class RunsService extends Service {
  readonly lifecycle = new RunLifecycle(this.deps);
  readonly progress = new RunProgress(this.deps);
  readonly queries = new RunQueries(this.deps);
}
