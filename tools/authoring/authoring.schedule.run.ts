import { z } from 'zod';
import { scheduleId } from '../../contracts/authoring/report-schedules.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'authoring.schedule.run',
  title: 'Run a scheduled report now',
  description:
    'Generates the report of a schedule now and sends it to its recipients, also when it is paused. authoring.schedule.list shows how it went.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: 'A1',
  scopes: ['authoring:write'],
  latency: 'L2',
  input: z.object({ schedule_id: scheduleId }),
  output: z.object({ fired_at: z.string() }),
  intents: ['send the scheduled report now', 'try out a report schedule'],
  aliases: [],
  async handler({ schedule_id }, { caller, services, callKey }) {
    const { fired_at, refs } = await services.reportSchedules.run(caller, schedule_id, callKey);
    return { data: { fired_at }, status: 'accepted', refs };
  },
});
