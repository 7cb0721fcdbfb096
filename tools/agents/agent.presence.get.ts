import { z } from 'zod';
import { presenceSpan } from '../../contracts/agents/past.ts';
import { defineTool } from '../catalogue/define.ts';
import { agentRef } from './agent.shared.ts';

export default defineTool({
  name: 'agent.presence.get',
  title: 'Show the presence of an agent over time',
  description:
    'When an agent was healthy, unhealthy, offline, paused or not registered: intervals without gaps over the last hours, oldest first. agent.history.list tells who paused it.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    agent_id: agentRef,
    hours: z.number().int().min(1).max(168).default(24),
  }),
  output: z.object({
    since: z.string().describe('Later than requested if there are too many changes'),
    until: z.string(),
    spans: z.array(presenceSpan),
  }),
  intents: ['was the agent up all day', 'how long was the agent offline', 'uptime of an agent'],
  aliases: [],
  async handler({ agent_id, hours }, { caller, services }) {
    return { data: await services.agents.past.presence(caller.tenant, agent_id, hours) };
  },
});
