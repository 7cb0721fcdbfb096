import { z } from 'zod';
import { adminStatuses, agentId, agentKinds, agentType, capability, healths, jsonSchema } from '../../contracts/agents/agents.ts';

/** Shared by the agent tools. */

export const agentRef = agentId.describe('Of agent.peer.list or agent.registry.list');
export const capabilities = z.array(capability).max(200).describe('What it can do; parameters_schema and returns_schema are JSON Schemas');
export const reason = z.string().trim().min(1).max(2_000);
export const metadata = z.record(z.string().max(128), z.unknown()).describe('Anything else about it');

export const administered = z.object({
  agent_id: z.string(),
  status: z.enum(adminStatuses),
  reason: z.string().nullable(),
  at: z.string(),
});

export const message = z.object({
  message_id: z.string(),
  from: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
  reply_to: z.string().nullable(),
  delivered_at: z.string(),
  acknowledged_at: z.string().nullable(),
});

export { adminStatuses, agentId, agentKinds, agentType, healths, jsonSchema };
