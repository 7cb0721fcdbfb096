import { z } from 'zod';
import { delegatedTask, delegatedTaskId } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.task.get',
  title: 'Look at a delegated task',
  description: 'Where a delegated task stands: with whom, how far, until when. Its result is read by agent.task.get_result.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({ task_id: delegatedTaskId, direction: z.enum(['sent', 'received']).optional() }),
  output: z.object({ task: delegatedTask }),
  intents: ['how far is the task I handed out', 'state of a delegated task'],
  aliases: [],
  async handler({ task_id, direction }, { caller, services }) {
    const { tasks } = services.agents.delegation;
    const task = await tasks.get(caller.tenant, task_id, direction);
    return { data: { task }, refs: tasks.refs(caller.tenant, task) };
  },
});
