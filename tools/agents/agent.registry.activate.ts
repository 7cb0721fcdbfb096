import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { administered, agentRef, reason } from './agent.shared.ts';

export default defineTool({
  name: 'agent.registry.activate',
  title: 'Let a paused agent go on',
  description: 'Ends the pause of an agent: it may claim tasks and be delegated to again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:admin'],
  latency: 'L1',
  input: z.object({ agent_id: agentRef, reason: reason.optional() }),
  output: administered,
  intents: ['activate an agent', 'resume a paused agent', 'let an agent work again'],
  aliases: [],
  async handler({ agent_id, reason: why }, { caller, services }) {
    const { repeated, ...data } = await services.agents.administer(caller, agent_id, 'active', why ?? null);
    return { data, ...(repeated ? { warnings: ['It was active already.'] } : {}) };
  },
});
