import { z } from 'zod';
import { recurrence } from '../../contracts/work/templates.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.recurrence.list',
  title: 'List recurring tasks',
  description: 'Recurring tasks with their times, by name, and what their last run made.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({}),
  output: z.object({ recurrences: z.array(recurrence) }),
  intents: ['which tasks are filed regularly', 'did the recurring task run'],
  aliases: [],
  async handler(_input, { caller, services }) {
    return { data: { recurrences: await services.work.recurrences.list(caller.tenant) } };
  },
});
