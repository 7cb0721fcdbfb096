import { z } from 'zod';
import { reportSchedule, scheduleId } from '../../contracts/authoring/report-schedules.ts';
import { defineTool } from '../catalogue/define.ts';
import { scheduleFields } from './authoring.schedule.shared.ts';

export default defineTool({
  name: 'authoring.schedule.save',
  title: 'Schedule a report',
  description:
    'Has a report generated every day, every week or by a cron expression and sent to people by Slack, e-mail or webhook. With schedule_id it changes one, and begins a paused one again. When there is nothing to report, nobody is told; after three failures in a row it pauses.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A1',
  scopes: ['authoring:write'],
  latency: 'L2',
  input: z.object({ schedule_id: scheduleId.optional().describe('Left out: a new one'), ...scheduleFields }),
  output: z.object({ schedule: reportSchedule, next: z.array(z.string()).describe('When it fires next') }),
  intents: [
    'send a weekly report every monday',
    'schedule a digest for leadership',
    'email me the customer health report every day',
    'change or pause a scheduled report',
    'recurring report',
  ],
  aliases: [],
  async handler(wanted, { caller, services, callKey }) {
    const { schedule_id, name, recipients, timezone, paused, cron, every, at, weekday, ...report } = wanted;
    const timing = { cron, every, at, weekday };
    return {
      data: await services.reportSchedules.save(caller, schedule_id, { name, report, timing, timezone, recipients, paused }, callKey),
    };
  },
});
