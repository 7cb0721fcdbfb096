import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { agentRef } from './agent.shared.ts';

export default defineTool({
  name: 'agent.peer.unregister',
  title: 'Unregister an agent',
  description: 'Takes an agent out of the registry: it is no longer watched and nothing is delegated to it. Again it changes nothing.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({ agent_id: agentRef }),
  output: z.object({ agent_id: z.string(), removed_at: z.string() }),
  intents: ['remove an agent', 'an agent leaves', 'forget a peer'],
  aliases: [],
  async handler({ agent_id }, { caller, services }) {
    return { data: await services.agents.registry.unregister(caller, agent_id) };
  },
});
