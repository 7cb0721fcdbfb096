import { z } from 'zod';
import { peer } from '../../contracts/agents/agents.ts';
import { defineTool } from '../catalogue/define.ts';
import { agentId } from './agent.shared.ts';

export default defineTool({
  name: 'agent.peer.list',
  title: 'List agents to speak to',
  description:
    'Agents of your tenant and the platform itself, with endpoint, capabilities and health; those that are silent only with healthy_only false. Pick one for agent.task.delegate or agent.message.send.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input: z.object({
    capability: z.string().min(1).max(128).optional().describe('Only agents that can do this'),
    agent_id: agentId.optional().describe('Only this one; of the platform itself, also the schemas'),
    healthy_only: z.boolean().default(true),
    limit: z.number().int().min(1).max(1_000).default(200),
  }),
  output: z.object({ agents: z.array(peer) }),
  intents: ['which agents are there', 'who can do this', 'find an agent by capability', 'who can I delegate to'],
  aliases: [],
  async handler({ capability, agent_id, healthy_only, limit }, { caller, services }) {
    const agents = await services.agents.queries.peers(caller.tenant, { capability, agentId: agent_id, healthyOnly: healthy_only, limit });
    return { data: { agents }, metadata: { result_count: agents.length } };
  },
});
