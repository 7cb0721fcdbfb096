import { z } from 'zod';
import { agentChanges, agentHistoryEntry } from '../../contracts/agents/past.ts';
import { defineTool } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { agentRef } from './agent.shared.ts';

export default defineTool({
  name: 'agent.history.list',
  title: 'Show the history of an agent',
  description:
    'Changes of an agent, newest first: registered, healthy, unhealthy, offline, paused, activated, rolled back, removed; by whom and why. Covers removed agents, too. agent.version.list has the definitions, agent.presence.get the presence as intervals.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    agent_id: agentRef,
    events: z.array(z.enum(agentChanges)).min(1).max(agentChanges.length).optional().describe('Only these changes'),
    limit: z.number().int().min(1).max(200).default(50),
    cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
  }),
  output: z.object({ history: z.array(agentHistoryEntry) }),
  intents: ['when did the agent go offline', 'who paused this agent and why', 'changes of an agent', 'history of an agent'],
  aliases: [],
  async handler({ agent_id, events, ...paging }, { caller, services }) {
    return paged('history', await services.agents.past.history(caller.tenant, agent_id, events, paging));
  },
});
