import type { JobActivities } from '../../contracts/activities/kernel/jobs.ts';
import type { Jobs } from '../../services/kernel/jobs.ts';

export const jobActivities = (jobs: Jobs): JobActivities => ({ writeJob: (ref, snapshot) => jobs.write(ref, snapshot) });
