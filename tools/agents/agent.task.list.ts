import { z } from 'zod';
import { agentId, delegatedStatuses } from '../../contracts/agents/agents.ts';
import { delegatedTask } from '../../contracts/agents/delegations.ts';
import { instant } from '../../contracts/times.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'agent.task.list',
  title: 'List delegated tasks',
  description: 'Tasks handed to other agents and received from them, newest first.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    direction: z.enum(['sent', 'received']).optional(),
    status: z.enum(delegatedStatuses).optional(),
    agent: agentId.optional().describe('Who sent it or was sent it'),
    before: instant.optional().describe('Only those made before this time'),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ tasks: z.array(delegatedTask) }),
  intents: ['which tasks have I handed to other agents', 'what do other agents want from us', 'open delegations'],
  aliases: [],
  async handler(filter, { caller, services }) {
    return paged('tasks', await services.agents.delegation.tasks.list(caller.tenant, filter));
  },
});
