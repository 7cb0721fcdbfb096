import { z } from 'zod';
import { sloNames } from '../../contracts/agents/agents.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { adminStatuses, agentId, agentKinds, healths } from './agent.shared.ts';

const status = z.enum([...adminStatuses, 'all']).default('all');
const limit = z.number().int().min(1).max(100).default(50);
const input = z.object({
  status: status.describe('Paused ones get no work'),
  kind: z.enum(agentKinds).optional(),
  agent_id: agentId.optional().describe('Only this one'),
  limit,
});
const share = z.number().min(0).max(1).nullable();

const output = z.object({
  agents: z.array(
    z.object({
      agent_id: z.string(),
      name: z.string(),
      description: z.string(),
      kind: z.enum(agentKinds),
      agent_type: z.string(),
      status: z.enum(adminStatuses),
      status_reason: z.string().nullable(),
      health: z.enum(healths),
      version: z.number(),
      slos: z.array(z.object({ name: z.enum(sloNames), target: z.number(), actual: share, met: z.boolean().nullable() })),
      cost: z.object({ calls: z.number(), tokens: z.number(), cost_usd: z.number() }),
      quality: z.object({ judged: z.number(), acceptance_rate: share, error_rate: share }),
      last_action: z.string().nullable(),
      last_activity_at: z.string().nullable(),
      registered_at: z.string(),
    }),
  ),
});

const listRegisteredAgents: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'list_registered_agents',
  system: 'pm-intelligence',
  description: 'Every agent with its state, version, service objectives, cost and latest activity.',
  input: z.object({ status, limit }),
  toInput: (args) => args,
};

export default defineTool({
  name: 'agent.registry.list',
  title: 'Watch over agents',
  description:
    'Registered agents with state, health, version, service objectives and whether they are met, reported cost and latest action, over 30 days. Pause one with agent.registry.deactivate; see what waits for judgement with agent.output.review.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input,
  output,
  intents: ['how do my agents do', 'list registered agents', 'what do agents cost', 'which agents miss their objectives'],
  aliases: [listRegisteredAgents],
  async handler({ status: wanted, kind, agent_id, limit: most }, { caller, services }) {
    const { agents, total } = await services.agents.queries.registered(caller.tenant, {
      status: wanted === 'all' ? undefined : wanted,
      kind,
      agentId: agent_id,
      limit: most,
    });
    return { data: { agents }, metadata: { result_count: agents.length, total_count: total } };
  },
});
