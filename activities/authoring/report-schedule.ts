import type { ReportScheduleActivities } from '../../contracts/activities/authoring/report-schedule.ts';
import type { ReportFires } from '../../services/authoring/schedule-fires.ts';
import { patientStage, stage } from '../kernel/stage.ts';

export const reportScheduleActivities = (fires: ReportFires): ReportScheduleActivities => ({
  beginReport: (fire) => patientStage(fire.tenant, () => fires.begin(fire)),
  awaitReport: (fire, jobId, draftId) => patientStage(fire.tenant, () => fires.wait(fire, jobId, draftId)),
  tellRecipients: (fire, draftId) => patientStage(fire.tenant, () => fires.tell(fire, draftId)),
  endFire: (fire, end) => stage(fire.tenant, () => fires.end(fire, end)),
});
