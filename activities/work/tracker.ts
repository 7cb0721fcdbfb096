import type { TrackerActivities } from '../../contracts/activities/work/tracker.ts';
import type { Services } from '../../services/index.ts';
import { longStage, stage } from '../kernel/stage.ts';

export const trackerActivities = ({ work }: Services): TrackerActivities => ({
  beginSync: (ref) => stage(ref.tenant, () => work.trackers.begin(ref)),
  importIssues: (ref) => longStage(ref.tenant, () => work.issueImport.page(ref)),
  lookForIssues: (ref) => longStage(ref.tenant, async () => ({ left: await work.issueLeaving.tend(ref) })),
  tellIssues: (ref) => longStage(ref.tenant, async () => ({ written: await work.issueTelling.tell(ref) })),
  followPulls: (ref) => longStage(ref.tenant, async () => ({ pulls: await work.pulls.follow(ref) })),
  endSync: (ref, end) => stage(ref.tenant, () => work.trackers.end(ref, end)),
});
