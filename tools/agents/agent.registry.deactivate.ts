import { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { administered, agentRef, reason } from './agent.shared.ts';

const input = z.object({ agent_id: agentRef, reason: reason.describe('Why; kept, and shown to whoever asks') });

const deactivateAgent: Alias<z.input<typeof input>, z.infer<typeof administered>> = {
  name: 'deactivate_agent',
  system: 'pm-intelligence',
  description: 'Pauses an agent, with a reason.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'agent.registry.deactivate',
  title: 'Pause an agent',
  description:
    'Pauses an agent: it claims no new tasks and nothing is delegated to it. What it holds it may finish. agent.registry.activate lets it go on.',
  effect: 'destructive',
  idempotent: true,
  external: false,
  approval: 'A1',
  scopes: ['agent:admin'],
  latency: 'L1',
  input,
  output: administered,
  intents: ['pause an agent', 'stop an agent from taking work', 'deactivate an agent'],
  aliases: [deactivateAgent],
  async handler({ agent_id, reason: why }, { caller, services }) {
    const { repeated, ...data } = await services.agents.administer(caller, agent_id, 'paused', why);
    return { data, ...(repeated ? { warnings: ['It was paused already, for the reason shown.'] } : {}) };
  },
});
