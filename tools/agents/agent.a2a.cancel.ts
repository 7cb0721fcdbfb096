import { z } from 'zod';
import { a2aTaskDetail, a2aTaskId } from '../../contracts/agents/a2a-tools.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.a2a.cancel',
  title: 'Cancel an A2A task',
  description: 'Cancels an A2A task that has not ended: your own, or any task of the tenant if you may decide approvals.',
  effect: 'destructive',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L2',
  input: z.object({ task_id: a2aTaskId }),
  output: z.object({ task: a2aTaskDetail }),
  intents: ['stop an A2A task', 'call back an A2A message'],
  aliases: [],
  async handler({ task_id }, { caller, services }) {
    await services.a2a.tasks.cancel(caller, task_id);
    return { data: { task: await services.a2a.detail(caller, task_id) } };
  },
});
