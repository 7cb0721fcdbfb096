import { z } from 'zod';
import { a2aStates } from '../../contracts/agents/a2a.ts';
import { a2aTask } from '../../contracts/agents/a2a-tools.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'agent.a2a.list',
  title: 'List A2A tasks',
  description:
    'A2A tasks that peers have sent to this platform, last changed first. A person sees all tasks of the tenant, an agent its own.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    state: z.enum(a2aStates).optional(),
    context_id: z.string().min(1).max(128).optional(),
    limit: z.number().int().min(1).max(100).default(30),
    cursor: z.string().max(512).optional(),
  }),
  output: z.object({ tasks: z.array(a2aTask) }),
  intents: ['what did A2A peers ask for', 'list A2A tasks', 'which A2A tasks wait for input'],
  aliases: [],
  async handler({ state, context_id, limit, cursor }, { caller, services }) {
    return paged('tasks', await services.a2a.page(caller, { status: state, contextId: context_id }, { limit, cursor }));
  },
});
