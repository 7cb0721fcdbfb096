import { z } from 'zod';
import { agentId } from '../../contracts/agents/agents.ts';
import { session } from '../../contracts/agents/delegations.ts';
import { defineTool } from '../catalogue/define.ts';

export default defineTool({
  name: 'agent.session.open',
  title: 'Open a session of agents',
  description: 'Opens a conversation of agents: typed messages and the tasks they are about. It ends when nobody has spoken for long.',
  effect: 'write',
  idempotent: false,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({ participants: z.array(agentId).max(50).default([]).describe('Agents beside yourself') }),
  output: session,
  intents: ['start a conversation with another agent', 'open an A2A session'],
  aliases: [],
  async handler({ participants }, { caller, services, callKey }) {
    return { data: await services.agents.sessions.open(caller, participants, callKey) };
  },
});
