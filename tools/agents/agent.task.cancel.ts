import { z } from 'zod';
import { delegatedTaskId } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.task.cancel',
  title: 'Cancel a delegated task',
  description:
    'Ends a task that was handed to another agent, which is told, or one that was received. A task that is over stays as it is; cancelled already, it is cancelled.',
  effect: 'write',
  idempotent: true,
  external: true,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({ task_id: delegatedTaskId }),
  output: z.object({ task_id: z.string(), status: z.literal('cancelled') }),
  intents: ['I no longer need the task I handed out', 'stop a delegated task'],
  aliases: [],
  async handler({ task_id }, { caller, services }) {
    const { tasks } = services.agents.delegation;
    const { direction } = await tasks.cancel(caller, task_id);
    return { data: { task_id, status: 'cancelled' as const }, refs: tasks.refs(caller.tenant, { task_id, direction }) };
  },
});
