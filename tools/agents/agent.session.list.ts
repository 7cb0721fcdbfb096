import { z } from 'zod';
import { agentId } from '../../contracts/agents/agents.ts';
import { session } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';

export default defineTool({
  name: 'agent.session.list',
  title: 'List sessions of agents',
  description:
    'Conversations of agents, latest message first: participants, tasks, expiry. Agents see their own, people see all. agent.session.get reads an open one.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    agent: agentId.optional().describe('Who takes part or opened it'),
    status: z.enum(['open', 'closed']).optional(),
    limit: z.number().int().min(1).max(100).default(50),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
  }),
  output: z.object({ sessions: z.array(session) }),
  intents: ['which agents talk to each other', 'open sessions of an agent', 'list conversations of agents'],
  aliases: [],
  async handler({ status, ...filter }, { caller, services }) {
    const open = status === undefined ? undefined : status === 'open';
    return paged('sessions', await services.agents.sessions.list(caller, { open, ...filter }));
  },
});
