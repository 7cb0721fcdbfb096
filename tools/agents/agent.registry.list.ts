import { z } from 'zod';
import { healths, sloNames } from '../../contracts/agents/agents.ts';
import { registryOrders } from '../../contracts/agents/agents.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';
import { paged } from '../catalogue/pages.ts';
import { adminStatuses, agentId, agentKinds } from './agent.shared.ts';

const status = z.enum([...adminStatuses, 'all']).default('all');
const limit = z.number().int().min(1).max(100).default(50);
const input = z.object({
  status: status.describe('Paused ones get no work'),
  kind: z.enum(agentKinds).optional(),
  health: z.enum(healths).optional(),
  search: z.string().trim().min(1).max(128).optional().describe('Part of an id or a name'),
  agent_id: agentId.optional().describe('Only this one'),
  order: z.enum(registryOrders).default('registered').describe('gravity: offline and unhealthy ones first'),
  limit,
  cursor: z.string().max(512).optional().describe('metadata.next_cursor of the page before'),
});
const cost = z.object({ calls: z.number(), tokens: z.number(), cost_usd: z.number() });

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
      health_since: z.string(),
      version: z.number(),
      slos: z.array(z.object({ name: z.enum(sloNames), target: z.number(), actual: share, met: z.boolean().nullable() })),
      coherence: z.number().nullable().describe('As the agent reports it, from 0 to 1'),
      activity: z.string().nullable().describe('What it reports to be doing'),
      tasks: z
        .array(
          z.object({
            task_id: z.string(),
            phase_id: z.number(),
            title: z.string(),
            started_at: z.string().nullable(),
            lease_expires_at: z.string().nullable(),
          }),
        )
        .describe('Tasks that it holds now, at most ten'),
      cost,
      cost_today: cost.describe('Since midnight, UTC'),
      quality: z.object({ judged: z.number(), acceptance_rate: share, error_rate: share }),
      last_action: z.string().nullable(),
      last_action_at: z.string().nullable(),
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
  toAnswer: ({ agents }) => ({
    agents: agents.map(
      ({ health_since: _h, coherence: _c, activity: _a, tasks: _t, cost_today: _d, last_action_at: _l, ...agent }) => agent,
    ),
  }),
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
  async handler({ status: wanted, agent_id: only, ...filter }, { caller, services }) {
    const all = { ...filter, status: wanted === 'all' ? undefined : wanted, agentId: only };
    return paged('agents', await services.agents.queries.registered(caller.tenant, all));
  },
});
