import { z } from 'zod';
import { plainText } from '../../contracts/json.ts';
import { defineTool } from '../catalogue/define.ts';
import { agentRef } from './agent.shared.ts';

export default defineTool({
  name: 'agent.peer.heartbeat',
  title: 'Say that an agent is alive',
  description:
    'A sign of life, every 30 seconds. After 60 seconds without one an agent is unhealthy, after as long again offline, and its tasks go to others. The next one makes it healthy again.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  ledger: 'batched',
  input: z.object({
    agent_id: agentRef,
    coherence_score: z.number().min(0).max(1).optional().describe('How well it thinks it is on course'),
    activity: plainText(500).optional().describe('What it is doing'),
    usage: z
      .object({
        calls: z.number().int().min(0).max(1_000_000).optional(),
        tokens: z.number().int().min(0).max(1_000_000_000).optional(),
        cost_usd: z.number().min(0).max(100_000).optional(),
      })
      .optional()
      .describe('Since the last heartbeat; added up by day'),
  }),
  output: z.object({ status: z.literal('ok') }),
  intents: ['an agent is still alive', 'report presence', 'heartbeat of an agent'],
  aliases: [],
  async handler({ agent_id, coherence_score, activity, usage }, { caller, services }) {
    await services.agents.presence.heartbeat(caller.tenant, agent_id, { coherence: coherence_score, activity, usage });
    return { data: { status: 'ok' as const } };
  },
});
