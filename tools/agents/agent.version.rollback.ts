import { z } from 'zod';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { agentRef, reason } from './agent.shared.ts';

const input = z.object({
  agent_id: agentRef,
  target_version: z.int32().min(1).optional().describe('Default: the one before'),
  reason,
});
const output = z.object({ agent_id: z.string(), from_version: z.number(), to_version: z.number(), effective_at: z.string() });

const rollbackAgent: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'rollback_agent',
  system: 'pm-intelligence',
  description: 'Returns an agent to an earlier version when quality drops.',
  input,
  toInput: (args) => args as z.input<typeof input>,
};

export default defineTool({
  name: 'agent.version.rollback',
  title: 'Roll an agent back',
  description:
    'Returns an agent to an earlier version of its definition, the one before by default. Nothing is lost: later versions stay, and rolling forward is the same call with their number.',
  effect: 'destructive',
  idempotent: false,
  external: false,
  approval: 'A2',
  scopes: ['agent:admin'],
  latency: 'L1',
  input,
  output,
  intents: ['roll an agent back', 'return to the previous version of an agent', 'an agent got worse'],
  aliases: [rollbackAgent],
  async handler({ agent_id, target_version, reason: why }, { caller, services }) {
    return { data: await services.agents.versions.rollback(caller, agent_id, target_version ?? null, why) };
  },
});
