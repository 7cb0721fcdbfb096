import type { RecurrenceActivities } from '../../contracts/activities/work/recurrence.ts';
import type { Services } from '../../services/index.ts';
import { stage } from '../kernel/stage.ts';

export const recurrenceActivities = ({ work }: Services): RecurrenceActivities => ({
  makeTask: (run) => stage(run.tenant, () => work.recurrences.fire(run)),
});
