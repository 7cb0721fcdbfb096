import { z } from 'zod';
import { sloNames } from '../../contracts/agents/agents.ts';
import { defineTool } from '../catalogue/define.ts';
import { agentId, agentType, capabilities, healths, jsonSchema, metadata } from './agent.shared.ts';

export default defineTool({
  name: 'agent.registry.register',
  title: 'Register an agent of the house',
  description:
    'Makes a worker known under the name it works under, so that it is watched and its tasks are freed when it dies; or a managed agent with versions. Again under the same id it is updated, and a changed definition is a new version.',
  effect: 'write',
  idempotent: true,
  external: false,
  approval: 'A0',
  scopes: ['agent:write'],
  latency: 'L1',
  input: z.object({
    agent_type: agentType,
    kind: z
      .enum(['worker', 'managed'])
      .default('worker')
      .describe('worker: takes tasks and sends heartbeats; managed: versioned, watched once it sends one'),
    agent_id: agentId.optional().describe('Default: your own'),
    name: z.string().trim().min(1).max(200).optional(),
    description: z.string().max(4_000).optional(),
    capabilities: capabilities.default([]),
    definition: jsonSchema.optional().describe('What it is made of: model, prompt, tools, settings'),
    note: z.string().max(2_000).optional().describe('What is new in this version'),
    slos: z
      .partialRecord(z.enum(sloNames), z.number().min(0).max(1))
      .optional()
      .describe('Objectives from 0 to 1: acceptance_rate and coherence at least, error_rate at most'),
    metadata: metadata.optional(),
  }),
  output: z.object({
    agent_id: z.string(),
    kind: z.string(),
    version: z.number(),
    health: z.enum(healths),
    registered_at: z.string(),
  }),
  intents: ['register myself', 'announce a worker', 'deploy a new version of an agent', 'set service objectives of an agent'],
  aliases: [],
  async handler(input, { caller, services, callKey }) {
    const { agent, warnings } = await services.agents.registry.register(
      caller,
      {
        kind: input.kind,
        agentType: input.agent_type,
        agentId: input.agent_id,
        name: input.name,
        description: input.description,
        capabilities: input.capabilities,
        definition: input.definition,
        note: input.note,
        slos: input.slos,
        metadata: input.metadata,
      },
      callKey,
    );
    return {
      data: {
        agent_id: agent.id,
        kind: agent.kind,
        version: agent.version,
        health: agent.health,
        registered_at: agent.registered_at.toISOString(),
      },
      refs: services.agents.refs(caller.tenant, agent.id),
      warnings,
    };
  },
});
