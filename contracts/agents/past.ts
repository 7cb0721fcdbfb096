import { z } from 'zod';

/** Changes of an agent that are kept. Health is written by its process, the others by whoever calls. */
export const agentChanges = [
  'registered',
  'updated',
  'healthy',
  'unhealthy',
  'offline',
  'paused',
  'activated',
  'rolled_back',
  'unregistered',
  'removed',
] as const;
export type AgentChange = (typeof agentChanges)[number];

export const agentHistoryEntry = z.object({
  id: z.string(),
  event: z.string().describe(`One of ${agentChanges.join(', ')}`),
  detail: z.record(z.string(), z.unknown()).describe('Details of the change, e.g. reason, from, to'),
  actor: z.string(),
  at: z.string(),
});
export type AgentHistoryEntry = z.infer<typeof agentHistoryEntry>;

export const agentVersion = z.object({
  version: z.number(),
  current: z.boolean(),
  definition: z.record(z.string(), z.unknown()),
  note: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
});
export type AgentVersion = z.infer<typeof agentVersion>;

/** absent: not registered at that time. none: not monitored. paused stands before health. */
export const presenceStates = ['healthy', 'unhealthy', 'offline', 'none', 'paused', 'absent'] as const;
export type PresenceState = (typeof presenceStates)[number];

export const presenceSpan = z.object({
  state: z.enum(presenceStates),
  from: z.string(),
  to: z.string(),
  seconds: z.number(),
  reason: z.string().nullable().describe('Why it was paused'),
});
export type PresenceSpan = z.infer<typeof presenceSpan>;
