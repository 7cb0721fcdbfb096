import { z } from 'zod';
import { taskGraph } from '../../contracts/work/graph.ts';
import { taskId } from '../../contracts/work/work.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'work.task.graph',
  title: 'Show the dependencies of a task',
  description: 'What a task waits for and what waits for it, over several steps, with the state of each.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['work:read'],
  latency: 'L1',
  input: z.object({ task_id: taskId, depth: z.number().int().min(1).max(20).default(5).describe('Steps in each direction') }),
  output: taskGraph,
  intents: ['show the dependency tree', 'what blocks this task in the end', 'what does this hold up'],
  aliases: [],
  async handler({ task_id, depth }, { caller, services }) {
    return { data: await services.work.graphs.around(caller.tenant, task_id, depth) };
  },
});
