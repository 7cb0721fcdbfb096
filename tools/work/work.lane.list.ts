import { z } from 'zod';
import { lane, laneKinds } from '../../contracts/work/board.ts';
import { taskFilter } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.lane.list',
  title: 'Count tasks by phase, priority or assignee',
  description:
    'The lanes of the board: for each phase, priority or assignee the number of tasks in each status. work.board.get and work.task.list show the tasks of one lane.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: taskFilter.extend({
    by: z.enum(laneKinds).describe('assignee: those who hold tasks come first, tasks of nobody last'),
    limit: z.number().int().min(1).max(500).default(100),
  }),
  output: z.object({ lanes: z.array(lane) }),
  intents: [
    'how many tasks does each agent have',
    'tasks by phase',
    'how is the work distributed',
    'how many high priority tasks are open',
  ],
  aliases: [],
  async handler({ by, limit, ...filter }, { caller, services }) {
    const { lanes, total } = await services.work.lanes.list(caller.tenant, by, filter, limit);
    return { data: { lanes }, metadata: { result_count: lanes.length, total_count: total } };
  },
});
