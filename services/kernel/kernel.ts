import type { Outside } from '../../adapters/open.ts';
import { Duties } from './duties.ts';
import { HealthService } from './health/index.ts';
import { Inbox } from './inbox/index.ts';
import { Jobs } from './jobs.ts';
import { LanguageService } from './language/index.ts';
import { OverviewService } from './overview.ts';
import { Processes } from './processes.ts';
import { ProjectionService } from './projections/index.ts';
import { ReviewProcesses } from './reviews/reviews-process.ts';
import { WaitingCounts } from './what-waits.ts';

/** The adapters for the business rules. The code that opened them closes them. */
export type Deps = Omit<Outside, 'close'>;

/** What all contexts share: the adapters, and objects that are created from them once. */
export interface Kernel extends Omit<Deps, 'language' | 'languageBudget'> {
  processes: Processes;
  /** Work that one process of the installation does at a time. */
  duties: Duties;
  jobs: Jobs;
  reviews: ReviewProcesses;
  /** Calls the language model within each tenant's budget; throws when none is configured. */
  language: Pick<LanguageService, 'ask' | 'model'>;
}

export function createKernel(deps: Deps) {
  const processes = new Processes(deps.temporal);
  const jobs = new Jobs(deps);
  const reviews = new ReviewProcesses({ ...deps, processes });
  const language = new LanguageService(deps);
  const projections = new ProjectionService({ ...deps, processes });
  const duties = new Duties(deps.db);
  const kernel: Kernel = { ...deps, processes, duties, jobs, reviews, language };
  return {
    kernel,
    jobs,
    reviews,
    language,
    projections,
    health: new HealthService({ ...deps, projections, duties }),
    overview: new OverviewService({ ...deps, jobs }),
    inbox: new Inbox(deps),
    waitingCounts: new WaitingCounts({ ...deps, duties }),
  };
}
