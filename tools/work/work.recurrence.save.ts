import { z } from 'zod';
import { weekdays } from '../../contracts/authoring/report-schedules.ts';
import { recurrence, recurrenceId, templateName, variables } from '../../contracts/work/templates.ts';
import { plainText } from '../../contracts/json.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.recurrence.save',
  title: 'Save a recurring task',
  description:
    'Has a task made of a template every day, every week or by a cron expression. With recurrence_id it changes one, or pauses it. Runs that were missed in an outage make one task.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L2',
  input: z.object({
    recurrence_id: recurrenceId.optional().describe('Left out: a new one'),
    name: plainText(100).trim().min(1),
    template: templateName,
    variables: variables.default({}),
    cron: z.string().max(100).optional().describe('Five fields, once an hour at most, e.g. 0 8 * * 1-5'),
    every: z.enum(['day', 'week']).optional().describe('Instead of cron'),
    at: z.string().max(5).optional().describe('With every: HH:MM'),
    weekday: z.enum(weekdays).optional().describe('With every: week'),
    timezone: z.string().min(1).max(64).default('UTC').describe('IANA name, e.g. Europe/Berlin'),
    paused: z.boolean().default(false),
  }),
  output: z.object({ recurrence, next: z.array(z.string()).describe('When it runs next') }),
  intents: ['file this task every monday', 'recurring task', 'pause a recurring task', 'cron for tasks'],
  aliases: [],
  async handler({ recurrence_id, cron, every, at, weekday, ...wanted }, { caller, services, callKey }) {
    const timing = { cron, every, at, weekday };
    return { data: await services.work.recurrences.save(caller, recurrence_id, { ...wanted, timing }, callKey) };
  },
});
