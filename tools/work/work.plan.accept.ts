import { z } from 'zod';
import { plan } from '../../contracts/work/plans.ts';
import { taskStatuses } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.plan.accept',
  title: 'File a plan',
  description:
    'Files all tasks of a plan with their dependencies, or none of them. The plan of work.plan.propose may be changed before. The same plan again files nothing more.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:write'],
  latency: 'L3',
  input: z.object({ plan }),
  output: z.object({ tasks: z.array(z.object({ ref: z.string(), task_id: z.string(), status: z.enum(taskStatuses) })) }),
  intents: ['file the proposed tasks', 'accept the plan', 'create many tasks with dependencies at once'],
  aliases: [],
  async handler({ plan: wanted }, { caller, services }) {
    const tasks = await services.work.plans.accept(caller, wanted);
    return { data: { tasks }, metadata: { result_count: tasks.length } };
  },
});
