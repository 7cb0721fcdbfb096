import { z } from 'zod';
import { activityStatuses } from '../../contracts/agents/agents.ts';
import { defineTool, type Alias } from '../catalogue/define.ts';

const input = z.object({ limit: z.number().int().min(1).max(1_000).default(100) });
const output = z.object({
  agents: z.array(
    z.object({
      id: z.string(),
      phase_id: z.number().nullable(),
      task_id: z.string().nullable(),
      status: z.enum(activityStatuses),
      coherence_score: z.number().nullable(),
      last_action: z.string().nullable(),
      last_action_at: z.string().nullable(),
      activity: z.string().nullable(),
      started_at: z.string().nullable(),
    }),
  ),
});

const getAgentStatus: Alias<z.input<typeof input>, z.infer<typeof output>> = {
  name: 'get_agent_status',
  system: 'devflow',
  description: 'What all active agents are doing.',
  input: z.object({}),
  toInput: () => ({}),
  toAnswer: ({ agents }) => ({
    agents: agents.map(({ id, phase_id, task_id, status, coherence_score, last_action, started_at }) => ({
      id,
      phase_id,
      task_id,
      status,
      coherence_score,
      last_action,
      started_at,
    })),
  }),
};

export default defineTool({
  name: 'agent.activity.list',
  title: 'See what agents are doing',
  description:
    'Everybody who holds a task or is registered and present, those at work first: task, phase, state, last tool called, and what they say of themselves.',
  effect: 'read',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:read'],
  latency: 'L1',
  input,
  output,
  intents: ['what are the agents doing', 'who is working on what', 'status of all agents', 'which agents are idle'],
  aliases: [getAgentStatus],
  async handler({ limit }, { caller, services }) {
    const agents = await services.agents.activity(caller.tenant, limit);
    return { data: { agents }, metadata: { result_count: agents.length } };
  },
});
