import { z } from 'zod';
import {
  countedTasks,
  headlineOf,
  listedTask,
  taskFilter,
  taskOrders,
  taskStatuses,
  withDetails,
  type ListedTask,
} from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { moreToCome, paged } from '../catalogue/pages.ts';

const input = taskFilter.extend({
  status: z.enum(taskStatuses).optional(),
  order: z.enum(taskOrders).optional().describe('Default: oldest'),
  newest_first: z.boolean().default(false).describe('The same as order newest'),
  details: withDetails,
  limit: z.number().int().min(1).max(100).default(50),
  cursor: z.string().max(512).optional(),
});

type Output = { tasks: ListedTask[] };

const getTasks: Alias<z.input<typeof input>, Output> = {
  name: 'get_tasks',
  system: 'devflow',
  description: 'Tasks, optionally of one phase, status or set of tags; a hundred at a time, the newest first.',
  input: input.pick({ phase_id: true, tags: true, cursor: true }).extend({ status: z.string().optional() }),
  toInput: (args) => ({ ...(args as z.input<typeof input>), newest_first: true, limit: 100 }),
  // Fields that this contract does not have are left out.
  toAnswer: ({ tasks }) => ({ tasks: tasks.map(headlineOf) }),
};

export default defineTool({
  name: 'work.task.list',
  title: 'List tasks',
  description: 'Tasks by phase, status, words, priority, tags, holder, or why they are stuck; oldest first unless order says otherwise.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input,
  output: z.object({ tasks: z.array(listedTask) }),
  intents: ['which tasks are open', 'show failed tasks', 'what is agent X working on'],
  aliases: [getTasks],
  async handler({ newest_first, order = newest_first ? 'newest' : 'oldest', ...wanted }, { caller, services }) {
    const page = await services.work.queries.list(caller.tenant, { ...wanted, order });
    const total = page.total < countedTasks ? page.total : `${countedTasks} or more`;
    return { ...paged('tasks', page), warnings: moreToCome('tasks', page, total) };
  },
});
