import { z } from 'zod';
import { defineTool } from '../catalogue/define.ts';
import { agentType, capabilities, metadata } from './agent.shared.ts';

export default defineTool({
  name: 'agent.peer.register',
  title: 'Register a peer',
  description:
    'Makes another agent known, so that tasks can be delegated to it: by its endpoint and capabilities, or by the card of a standard A2A agent. Send agent.peer.heartbeat every 30 seconds afterwards; without heartbeats it counts as unhealthy after 60.',
  effect: 'write',
  idempotent: false,
  external: true,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L2',
  input: z.object({
    agent_type: agentType,
    endpoint_url: z.string().max(2_000).optional().describe('Where it takes POST /a2a/tasks'),
    card_url: z.string().max(2_000).optional().describe('Instead: the card of a standard A2A agent; its skills become capabilities'),
    capabilities: capabilities.default([]),
    name: z.string().trim().min(1).max(200).optional(),
    description: z.string().max(4_000).optional(),
    stable_key: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Your own name for it: registered again under it, it is updated. Without it each call is a new agent'),
    metadata: metadata.optional(),
    credential: z.string().min(1).max(4_000).optional().describe('What its endpoint wants to be shown; kept sealed, never shown again'),
  }),
  output: z.object({ agent_id: z.string(), registered_at: z.string() }),
  intents: ['register another agent', 'connect an external agent', 'make an A2A agent known by its card', 'announce what an agent can do'],
  aliases: [],
  async handler(input, { caller, services, callKey }) {
    const { agent, warnings } = await services.agents.registry.register(
      caller,
      {
        kind: 'peer',
        agentType: input.agent_type,
        endpointUrl: input.endpoint_url,
        cardUrl: input.card_url,
        capabilities: input.capabilities,
        name: input.name,
        description: input.description,
        stableKey: input.stable_key,
        metadata: input.metadata,
        credential: input.credential,
      },
      callKey,
    );
    return {
      data: { agent_id: agent.id, registered_at: agent.registered_at.toISOString() },
      refs: services.agents.refs(caller.tenant, agent.id),
      warnings,
    };
  },
});
