import type { Outside } from '../../adapters/open.ts';
import { HealthService } from './health/index.ts';
import { Jobs } from './jobs.ts';
import { LanguageService } from './language/index.ts';
import { Processes } from './processes.ts';
import { ProjectionService } from './projections/index.ts';
import { ReviewProcesses } from './reviews/reviews-process.ts';

/** What the outside gives to the business rules; who opened it closes it. */
export type Deps = Omit<Outside, 'close'>;

/** What every context stands on: the outside, and what is made of it once. */
export interface Kernel extends Omit<Deps, 'language' | 'languageBudget'> {
  processes: Processes;
  jobs: Jobs;
  reviews: ReviewProcesses;
  /** Asks within each tenant's budget; says so when no model is configured. */
  language: Pick<LanguageService, 'ask' | 'model'>;
}

export function createKernel(deps: Deps) {
  const processes = new Processes(deps.temporal);
  const jobs = new Jobs(deps);
  const reviews = new ReviewProcesses({ ...deps, processes });
  const language = new LanguageService(deps);
  const projections = new ProjectionService({ ...deps, processes });
  const kernel: Kernel = { ...deps, processes, jobs, reviews, language };
  return { kernel, jobs, reviews, language, projections, health: new HealthService({ ...deps, projections }) };
}
