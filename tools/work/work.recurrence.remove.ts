import { z } from 'zod';
import { recurrenceId } from '../../contracts/work/templates.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.recurrence.remove',
  title: 'Remove a recurring task',
  description: 'Ends a recurring task. The tasks that it made stay.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L2',
  input: z.object({ recurrence_id: recurrenceId }),
  output: z.object({ removed: z.boolean() }),
  intents: ['stop filing this task every week', 'delete a recurring task'],
  aliases: [],
  async handler({ recurrence_id }, { caller, services }) {
    return { data: { removed: await services.work.recurrences.remove(caller.tenant, recurrence_id) } };
  },
});
