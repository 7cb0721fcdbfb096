import { z } from 'zod';
import { countedTasks, phaseId, taskStatuses, taskSummary } from '../../contracts/work/work.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { moreToCome, paged } from '../catalogue/pages.ts';

const input = z.object({
  phase_id: phaseId.optional(),
  status: z.enum(taskStatuses).optional(),
  tags: z.array(z.string()).max(32).optional().describe('Tasks that carry all of these'),
  assigned_to: z.string().max(128).optional(),
  newest_first: z.boolean().default(false),
  limit: z.number().int().min(1).max(100).default(50),
  cursor: z.string().max(512).optional(),
});

const item = taskSummary.extend({ tags: z.array(z.string()), blocked_by: z.array(z.string()) });
type Output = { tasks: z.infer<typeof item>[] };

const getTasks: Alias<z.input<typeof input>, Output> = {
  name: 'get_tasks',
  system: 'devflow',
  description: 'Tasks, optionally of one phase, status or set of tags; a hundred at a time, the newest first.',
  input: input.pick({ phase_id: true, tags: true, cursor: true }).extend({ status: z.string().optional() }),
  toInput: (args) => ({ ...(args as z.input<typeof input>), newest_first: true, limit: 100 }),
  toAnswer: ({ tasks }) => ({
    tasks: tasks.map(({ tags: _tags, blocked_by: _blocked, ...task }) => task),
  }),
};

export default defineTool({
  name: 'work.task.list',
  title: 'List tasks',
  description: 'Tasks by phase, status, tags or holder, oldest first unless newest_first is set.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input,
  output: z.object({ tasks: z.array(item) }),
  intents: ['which tasks are open', 'show failed tasks', 'what is agent X working on'],
  aliases: [getTasks],
  async handler({ phase_id: phaseId, assigned_to: assignedTo, newest_first: newestFirst, ...filter }, { caller, services }) {
    const page = await services.work.queries.list(caller, { phaseId, assignedTo, newestFirst, ...filter });
    const total = page.total < countedTasks ? page.total : `${countedTasks} or more`;
    return {
      ...paged('tasks', page),
      data: {
        tasks: page.items.map(({ id, description, phase_id, status, priority, assigned_agent_id, created_at, tags, blocked_by }) => ({
          id,
          description,
          phase_id,
          status,
          priority,
          assigned_agent_id,
          created_at,
          tags,
          blocked_by,
        })),
      },
      warnings: moreToCome('tasks', page, total),
    };
  },
});
